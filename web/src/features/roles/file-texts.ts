import { defineTexts } from "../../i18n/texts.ts";

/** What a role does with files, and where. */
export const FILE_TEXTS = defineTexts({
  ja: {
    access: "ファイル",
    accessWords: { "read-only": "読み取りのみ", "read-write": "読み書き" },
    accessNotes: {
      "read-only":
        "ファイルを変更しない設定で CLI を起動します。どこまで防げるかは CLI によります。",
      "read-write": "作業ディレクトリのファイルを変更できます。",
    },
    isolation: "作業ツリー",
    isolationWords: { auto: "自動", worktree: "専用", none: "共有" },
    isolationNotes: {
      auto: "ファイルを変更できて、作業ディレクトリが git リポジトリのものなら、専用の作業ツリーを使います。",
      worktree: "いつも専用の作業ツリーを使います。作れないときは起動しません。",
      none: "作業ディレクトリをそのまま使います。ほかのエージェントの変更と混ざることがあります。",
    },
  },
  en: {
    access: "Files",
    accessWords: { "read-only": "Read only", "read-write": "Read and write" },
    accessNotes: {
      "read-only":
        "The CLI is started so that it changes no files. How strictly it keeps to that depends on the CLI.",
      "read-write": "It can change files in the working directory.",
    },
    isolation: "Worktree",
    isolationWords: { auto: "Automatic", worktree: "Its own", none: "Shared" },
    isolationNotes: {
      auto: "An agent that may change files gets its own worktree if the working directory belongs to a git repository.",
      worktree: "Every agent gets its own worktree. It is not started where that is impossible.",
      none: "Agents use the working directory itself, so their changes may mix with those of others.",
    },
  },
});
