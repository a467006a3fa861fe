import type { Merge } from "../../domain/merges/merge.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { Workspace } from "../../domain/workspaces/workspace.ts";

export function oldVersion({ agentId, version }: Workspace, given: number): Refusal {
  if (version === 0) {
    return new Refusal("MERGE_NOT_POSSIBLE", {
      en: [
        `The change of ${agentId} was not captured yet.`,
        "Wait until the agent has ended, then read the change.",
      ],
      ja: [
        `${agentId} の変更はまだ記録されていません。`,
        "エージェントが終わるのを待ってから、変更を読んでください。",
      ],
    });
  }
  return new Refusal("VERSION_CONFLICT", {
    en: [
      `The change of ${agentId} has version ${version}; the request names ${given}.`,
      "Look at the newest version and name that one.",
    ],
    ja: [
      `${agentId} の変更の最新のバージョンは ${version} ですが、指定は ${given} です。`,
      "最新のバージョンを確かめて、その番号を指定してください。",
    ],
  });
}

export function nothingChanged({ agentId }: Workspace): Refusal {
  return new Refusal("MERGE_NOT_POSSIBLE", {
    en: [
      `${agentId} changed no file, so there is nothing to merge.`,
      "Discard the change instead.",
    ],
    ja: [
      `${agentId} はどのファイルも変えていないため、取り込むものがありません。`,
      "変更を破棄してください。",
    ],
  });
}

export function noTarget({ agentId }: Workspace): Refusal {
  return new Refusal("MERGE_NOT_POSSIBLE", {
    en: [
      `No branch was checked out where the work of ${agentId} was asked for.`,
      "Name the branch (target), or set workspace.merge.target.",
    ],
    ja: [
      `${agentId} に作業を頼んだ場所では、どのブランチもチェックアウトされていませんでした。`,
      "取り込み先のブランチ (target) を指定するか、workspace.merge.target を設定してください。",
    ],
  });
}

export function targetMissing(target: string): Refusal {
  return new Refusal("MERGE_NOT_POSSIBLE", {
    en: [
      `There is no branch ${target} in the repository.`,
      "Name a local branch without refs/heads/, or create it first.",
    ],
    ja: [
      `リポジトリにブランチ ${target} がありません。`,
      "ローカルブランチの名前を refs/heads/ なしで指定するか、先に作成してください。",
    ],
  });
}

export function targetIsOurs(target: string): Refusal {
  return new Refusal("MERGE_NOT_POSSIBLE", {
    en: [`${target} is the branch of an agent's worktree.`, "Merge into a branch of your own."],
    ja: [
      `${target} はエージェントの作業ツリーのブランチです。`,
      "自分のブランチに取り込んでください。",
    ],
  });
}

export function alreadyOpen({ id, status, version, target }: Merge): Refusal {
  return new Refusal("MERGE_NOT_POSSIBLE", {
    en: [
      `Version ${version} is already on its way into ${target}: merge ${id} is ${status}.`,
      "Decide about that one, retry it or cancel it.",
    ],
    ja: [
      `バージョン ${version} はすでに ${target} への取り込みの途中です（${id}）。`,
      "その取り込みを承認するか、再試行するか、中止してください。",
    ],
  });
}
