import type { WireWorker } from "../../../contract/shapes/worker.ts";
import type { Locale } from "../../../domain/locale.ts";

/** What the terminal says about workers. */
export type WorkerTexts = {
  readonly none: string;
  readonly headings: Readonly<
    Record<"name" | "state" | "agents" | "host" | "version" | "labels" | "runners", string>
  >;
  readonly state: Readonly<Record<WireWorker["state"], string>>;
  readonly draining: string;
  readonly added: (name: string) => string;
  readonly revoked: (name: string, agents: number) => string;
};

export const WORKER_TEXTS: Readonly<Record<Locale, WorkerTexts>> = {
  en: {
    none: "There are no workers. `kuromajutsu worker add NAME` makes a token for one.",
    headings: {
      name: "NAME",
      state: "STATE",
      agents: "AGENTS",
      host: "HOST",
      version: "VERSION",
      labels: "LABELS",
      runners: "RUNNERS",
    },
    state: { connected: "connected", lost: "lost", left: "stopped", never: "never connected" },
    draining: "draining",
    added: (name) =>
      `Added worker ${name}. This is its token; it is not shown again. Put it into a file on that machine, and start \`kuromajutsu worker --server URL --token-file FILE\` there.`,
    revoked: (name, agents) =>
      agents === 0
        ? `Revoked worker ${name}.`
        : `Revoked worker ${name}. Agents that ran there (${agents}) are ended and lost.`,
  },
  ja: {
    none: "ワーカーはありません。`kuromajutsu worker add 名前` でトークンを作れます。",
    headings: {
      name: "名前",
      state: "状態",
      agents: "エージェント",
      host: "ホスト",
      version: "バージョン",
      labels: "ラベル",
      runners: "ランナー",
    },
    state: { connected: "接続中", lost: "応答なし", left: "停止中", never: "未接続" },
    draining: "終了待ち",
    added: (name) =>
      `ワーカー ${name} を加えました。次がトークンで、二度と表示されません。そのマシンのファイルに書き、\`kuromajutsu worker --server URL --token-file ファイル\` で起動してください。`,
    revoked: (name, agents) =>
      agents === 0
        ? `ワーカー ${name} を取り消しました。`
        : `ワーカー ${name} を取り消しました。そこで動いていたエージェント ${agents} 体は終了し、失われます。`,
  },
};
