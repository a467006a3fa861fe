import type { RunnerId } from "../../domain/agents/runner.ts";
import type { Locale } from "../../domain/locale.ts";
import type { FetchProblem } from "../../domain/workspaces/workspace.ts";

export type WaitTexts = {
  readonly full: (label: string, limit: number) => string;
  readonly noLabel: (labels: readonly string[]) => string;
  readonly noHost: string;
  readonly keyElsewhere: string;
  readonly noServer: string;
  readonly notFetched: (problem: FetchProblem) => string;
  readonly noRunner: (runner: RunnerId, labels: readonly string[]) => string;
  readonly noModel: (runner: RunnerId, model: string, labels: readonly string[]) => string;
  /** `runner`: only hosts with this CLI were asked, because others lack it. */
  readonly noDirectory: (
    path: string,
    labels: readonly string[],
    runner: RunnerId | undefined,
  ) => string;
};

export const WAIT_TEXTS: Readonly<Record<Locale, WaitTexts>> = {
  ja: {
    full: (label, limit) =>
      `ラベル ${label} のエージェントが上限の ${limit} 体動いています（agent.limits）。`,
    noLabel: (labels) =>
      `ラベル ${labels.join("、")} を持つサーバーやワーカーがつながっていません。`,
    keyElsewhere:
      "キーを受け取ったサーバーで始まるのを待っています。始まらなければ、クライアントからキーをもう一度送ってください。",
    noHost:
      "サーバーは自分ではエージェントを動かさず（server.slots が 0）、ワーカーもつながっていません。",
    noServer:
      "作業ツリーを作れるサーバーもワーカーもありません。サーバーの server.slots は 0 で、リポジトリを取得できるワーカーがつながっていません。",
    notFetched: (problem) =>
      problem.type === "unknown_commit"
        ? `ワーカー ${problem.worker} がリモートからコミット ${problem.commit.slice(0, 12)} を取得できません。リモートにありません。プッシュするか、server.slots を 1 以上にしてください。`
        : `ワーカー ${problem.worker} がリポジトリを取得できません（${problem.reason}）。ワーカーのユーザーにリモートへのアクセスを許可するか、server.slots を 1 以上にしてください。`,
    noRunner: (runner, labels) =>
      `${withLabels.ja(labels)}CLI ${runner} の入っているサーバーやワーカーがつながっていません。インストールするか、それを持つワーカーをつないでください。`,
    noModel: (runner, model, labels) =>
      `${withLabels.ja(labels)}CLI ${runner} でモデル ${model} を使えるサーバーやワーカーがつながっていません。CLI を更新するか、そのモデルを使えるワーカーをつないでください。`,
    noDirectory: (path, labels, runner) =>
      `${withLabels.ja(labels)}${runner === undefined ? "" : `CLI ${runner} が入っていて、`}ディレクトリ ${path} のあるサーバーやワーカーがつながっていません。`,
  },
  en: {
    full: (label, limit) =>
      `The most agents with the label ${label} are running: ${limit} (agent.limits).`,
    noLabel: (labels) =>
      `No connected server or worker has the ${labels.length === 1 ? "label" : "labels"} ${labels.join(", ")}.`,
    keyElsewhere:
      "It waits for the server that has its key, or for its client to send the key again.",
    noHost: "No worker is connected, and servers run no agents themselves (server.slots is 0).",
    noServer:
      "No server or worker can make its worktree: server.slots is 0, and no connected worker can fetch repositories.",
    notFetched: (problem) =>
      problem.type === "unknown_commit"
        ? `The worker ${problem.worker} cannot fetch the commit ${problem.commit.slice(0, 12)}: the remote has not got it. Push it, or set server.slots to 1 or more.`
        : `The worker ${problem.worker} cannot fetch the repository (${problem.reason}). Give its user access to the remote, or set server.slots to 1 or more.`,
    noRunner: (runner, labels) =>
      `No connected server or worker${withLabels.en(labels)} has the CLI ${runner}. Install it, or connect a worker that has it.`,
    noModel: (runner, model, labels) =>
      `No connected server or worker${withLabels.en(labels)} has the model ${model} of the CLI ${runner}. Update the CLI, or connect a worker that has the model.`,
    noDirectory: (path, labels, runner) =>
      `No connected server or worker${withLabels.en(labels)}${runner === undefined ? "" : `${labels.length > 0 ? " and" : ""} with the CLI ${runner}`} has the directory ${path}.`,
  },
};

const withLabels = {
  ja: (labels: readonly string[]) =>
    labels.length === 0 ? "" : `ラベル ${labels.join("、")} を持ち、`,
  en: (labels: readonly string[]) =>
    labels.length === 0
      ? ""
      : ` with the ${labels.length === 1 ? "label" : "labels"} ${labels.join(", ")}`,
} as const;
