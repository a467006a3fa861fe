import type { Locale } from "../locale.ts";

/** What a person must look at before they trust a change. */
export type Attention =
  | { readonly type: "file_too_large"; readonly path: string; readonly bytes: number }
  | { readonly type: "file_unreadable"; readonly path: string }
  | { readonly type: "too_many_new_files"; readonly count: number }
  | { readonly type: "nested_repository"; readonly path: string }
  | { readonly type: "submodule_work"; readonly path: string }
  | { readonly type: "mass_deletion"; readonly deleted: number; readonly total: number }
  | { readonly type: "other_branch"; readonly branch: string | null }
  | { readonly type: "git_configuration_changed" }
  | { readonly type: "wrote_outside"; readonly path: string }
  | { readonly type: "setup_failed"; readonly output: string }
  /** An older version has written no `reasonJa`. */
  | { readonly type: "damaged"; readonly reason: string; readonly reasonJa?: string };

export function attentionText(attention: Attention, locale: Locale): string {
  return locale === "ja" ? inJapanese(attention) : inEnglish(attention);
}

const MB = 1_048_576;

function inEnglish(attention: Attention): string {
  switch (attention.type) {
    case "file_too_large":
      return `${attention.path} (${Math.ceil(attention.bytes / MB)} MB) is too large and is not part of the change. It stays in the worktree; raise workspace.maxFile_mb to include it.`;
    case "file_unreadable":
      return `${attention.path} cannot be read by the daemon and is not part of the change. It stays in the worktree; give it to the user of the daemon, then send the change back.`;
    case "too_many_new_files":
      return `${attention.count} new files are not part of the change. Add what a tool made to .gitignore, or raise workspace.maxNewFiles.`;
    case "nested_repository":
      return `${attention.path} is a repository of its own and is not part of the change: git would store a link without its files.`;
    case "submodule_work":
      return `The submodule ${attention.path} has commits or files that exist only in this worktree. The change has the id of its commit, not the files: push them from the submodule before you merge.`;
    case "mass_deletion":
      return `${attention.deleted} of ${attention.total} files are deleted. Check that this is wanted.`;
    case "other_branch":
      return attention.branch === null
        ? "The agent detached HEAD; the change was captured from what is in the worktree."
        : `The agent switched to the branch ${attention.branch}; the change was captured from what is in the worktree.`;
    case "git_configuration_changed":
      return "The git configuration or hooks of the repository changed while the agent worked. Check .git/config and .git/hooks before you run git there.";
    case "wrote_outside":
      return `The agent wrote ${attention.path}, which is outside its worktree. That file is not part of the change.`;
    case "setup_failed":
      return `workspace.setup failed: ${attention.output}`;
    case "damaged":
      return `The change was not captured. ${asSentence(attention.reason)} Earlier versions are kept.`;
  }
}

function inJapanese(attention: Attention): string {
  switch (attention.type) {
    case "file_too_large":
      return `${attention.path}（${Math.ceil(attention.bytes / MB)} MB）は大きすぎるため、変更に含めていません。作業ツリーには残っています。含めるには workspace.maxFile_mb を増やしてください。`;
    case "file_unreadable":
      return `${attention.path} はデーモンから読めないため、変更に含めていません。作業ツリーには残っています。デーモンのユーザーが読めるようにしてから、差し戻してください。`;
    case "too_many_new_files":
      return `新しいファイル ${attention.count} 個を変更に含めていません。ツールが作ったものは .gitignore に加えるか、workspace.maxNewFiles を増やしてください。`;
    case "nested_repository":
      return `${attention.path} は別の git リポジトリなので、変更に含めていません。含めても中身のないリンクになります。`;
    case "submodule_work":
      return `サブモジュール ${attention.path} に、この作業ツリーにしかないコミットかファイルがあります。変更に含まれるのはコミットの ID だけです。取り込む前に、サブモジュールからプッシュしてください。`;
    case "mass_deletion":
      return `${attention.total} 個中 ${attention.deleted} 個のファイルが削除されています。意図どおりか確かめてください。`;
    case "other_branch":
      return attention.branch === null
        ? "エージェントが HEAD を切り離しました。作業ツリーの内容を変更として記録しました。"
        : `エージェントがブランチ ${attention.branch} に切り替えました。作業ツリーの内容を変更として記録しました。`;
    case "git_configuration_changed":
      return "エージェントの作業中に、リポジトリの git 設定かフックが変わりました。そこで git を使う前に .git/config と .git/hooks を確かめてください。";
    case "wrote_outside":
      return `エージェントが作業ツリーの外の ${attention.path} に書き込みました。このファイルは変更に含まれません。`;
    case "setup_failed":
      return `workspace.setup が失敗しました: ${attention.output}`;
    case "damaged":
      return `変更を記録できませんでした。${attention.reasonJa ?? `${attention.reason} `}それまでの版は残っています。`;
  }
}

/** An older version has written parts of sentences. */
function asSentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
