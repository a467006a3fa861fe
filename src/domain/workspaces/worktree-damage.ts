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

/** Why the work of an agent could not be captured, and what to do. */
export function damageNote(damage: WorktreeDamage | "missing"): Texts {
  const { en, ja } = DAMAGE_TEXTS[damage];
  if (damage === "missing" || damage === "directory_gone") {
    return { en: `${DAMAGE_TEXTS.directory_gone.en}.`, ja: `${DAMAGE_TEXTS.directory_gone.ja}。` };
  }
  return {
    en: `${en}. Copy what you need out of the directory, then clean it up.`,
    ja: `${ja}。必要なファイルを別の場所に写してから、片付けてください。`,
  };
}
