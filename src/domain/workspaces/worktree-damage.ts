import type { Texts } from "../locale.ts";

export type WorktreeDamage =
  /** git has the entry, but the directory is gone. */
  | "directory_gone"
  /** The directory is there, but not its `.git` file: git would look into a parent directory. */
  | "link_gone"
  /** The `.git` file names another repository or another entry. */
  | "link_elsewhere"
  /** The directory is there, but git has no entry for it. */
  | "entry_gone"
  /** The entry is locked with the reason of another program or of a person. */
  | "not_ours"
  /** HEAD of the worktree cannot be read. */
  | "head_unreadable";

/** Parts of sentences. */
export const DAMAGE_TEXTS: Readonly<Record<WorktreeDamage | "missing", Texts>> = {
  missing: { en: "there is no worktree", ja: "作業ツリーがありません" },
  directory_gone: { en: "its directory was deleted", ja: "ディレクトリが削除されています" },
  link_gone: { en: "its .git file was deleted", ja: ".git ファイルが削除されています" },
  link_elsewhere: {
    en: "its .git file names another repository",
    ja: ".git ファイルが別のリポジトリを指しています",
  },
  entry_gone: { en: "git has no entry for it", ja: "git に登録されていません" },
  not_ours: {
    en: "another program or a person has locked it",
    ja: "ほかのプログラムか人がロックしています",
  },
  head_unreadable: { en: "its HEAD cannot be read", ja: "HEAD を読めません" },
};

export type WorktreePlace = {
  readonly path: string;
  /** The name of the worker that has it; undefined: a server. */
  readonly worker?: string | undefined;
};

/** Why the work of an agent could not be captured, and what to do. A worktree that is whole again is. */
export function damageNote(
  damage: WorktreeDamage | "missing",
  { path, worker }: WorktreePlace,
): Texts {
  const { en, ja } = DAMAGE_TEXTS[damage];
  const at = worker === undefined ? path : `${path} on the worker ${worker}`;
  const atJa = worker === undefined ? path : `ワーカー ${worker} の ${path}`;
  switch (damage) {
    case "missing":
      return {
        en: `There is no worktree in ${at} any more. Clean it up and start the agent again.`,
        ja: `${atJa} に作業ツリーがありません。片付けてから、エージェントをもう一度起動してください。`,
      };
    case "directory_gone":
      return {
        en: `The directory ${at} was deleted. If you can put it back, its change is captured within the hour. Otherwise clean it up and start the agent again.`,
        ja: `${atJa} が削除されています。元に戻せば、変更は 1 時間以内に記録されます。戻せなければ、片付けてから、エージェントをもう一度起動してください。`,
      };
    case "not_ours":
      return {
        en: `Another program or a person has locked the worktree ${at}. Unlock it with \`git worktree unlock\`; its change is captured within the hour.`,
        ja: `作業ツリー ${atJa} を、ほかのプログラムか人がロックしています。\`git worktree unlock\` でロックを外すと、変更は 1 時間以内に記録されます。`,
      };
    case "link_gone":
    case "link_elsewhere":
    case "entry_gone":
    case "head_unreadable":
      return {
        en: `The worktree ${at} cannot be used: ${en}. Copy what you need out of it, then clean it up.`,
        ja: `作業ツリー ${atJa} を使えません: ${ja}。必要なファイルを別の場所に写してから、片付けてください。`,
      };
  }
}
