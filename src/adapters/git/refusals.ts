import { errorCode, isCode } from "../../base/error-code.ts";
import { Refusal } from "../../domain/refusal.ts";
import { DAMAGE_TEXTS } from "../../domain/workspaces/worktree-damage.ts";

export const OLDEST_GIT = "2.38";

export function gitMissing(): Refusal {
  return new Refusal("GIT_UNAVAILABLE", {
    en: [
      "The command git was not found.",
      `Install git ${OLDEST_GIT} or newer, make sure that it is on the PATH of the daemon, and try again.`,
    ],
    ja: [
      "git コマンドが見つかりません。",
      `git ${OLDEST_GIT} 以降をインストールし、デーモンの PATH から実行できることを確認してから、もう一度試してください。`,
    ],
  });
}

export function gitTooOld(version: string): Refusal {
  return new Refusal("GIT_UNAVAILABLE", {
    en: [
      `git ${version} is too old.`,
      `Update git to ${OLDEST_GIT} or newer, then try again. The daemon does not have to be restarted.`,
    ],
    ja: [
      `git ${version} は古すぎます。`,
      `git を ${OLDEST_GIT} 以降に更新してから、もう一度試してください。デーモンの再起動は不要です。`,
    ],
  });
}

export function gitTimedOut(command: string, timeoutMs: number): Refusal {
  const seconds = Math.round(timeoutMs / 1_000);
  return new Refusal("REPOSITORY_UNUSABLE", {
    en: [
      `git ${command} did not end within ${seconds} seconds and was stopped.`,
      "Check the disk and the load of the machine, then try again.",
    ],
    ja: [
      `git ${command} が ${seconds} 秒以内に終わらなかったため、停止しました。`,
      "ディスクとマシンの負荷を確認してから、もう一度試してください。",
    ],
  });
}

export function diskFull(): Refusal {
  return new Refusal("DISK_FULL", {
    en: [
      "The disk is full, so git could not write.",
      "Free some space on the disks of the repository and of the data directory, then try again.",
    ],
    ja: [
      "ディスクの空きがないため、git が書き込めませんでした。",
      "リポジトリとデータディレクトリのディスクに空きを作ってから、もう一度試してください。",
    ],
  });
}

export function ownedByAnother(directory: string): Refusal {
  return new Refusal("REPOSITORY_UNUSABLE", {
    en: [
      `The repository at ${directory} belongs to another user of this machine, so git refuses to use it.`,
      `If you trust it, run: git config --global --add safe.directory ${directory}`,
    ],
    ja: [
      `${directory} のリポジトリはこのマシンの別のユーザーのものなので、git は使用を拒みます。`,
      `信頼できる場合は、次を実行してください: git config --global --add safe.directory ${directory}`,
    ],
  });
}

export function repositoryGone(directory: string): Refusal {
  return new Refusal("REPOSITORY_UNUSABLE", {
    en: [
      `There is no git repository at ${directory} any more.`,
      "If it was moved, move it back, or start the work again from its new place.",
    ],
    ja: [
      `${directory} に git リポジトリがありません。`,
      "移動した場合は元に戻すか、新しい場所で作業を始め直してください。",
    ],
  });
}

export function lockedByAnother(path: string): Refusal {
  return new Refusal("REPOSITORY_UNUSABLE", {
    en: [
      `Another git command holds the lock ${path}.`,
      "Wait until it ends and try again. If no git command is running, delete the file.",
    ],
    ja: [
      `別の git コマンドがロック ${path} を保持しています。`,
      "終わるのを待ってから、もう一度試してください。git が動いていない場合は、このファイルを削除してください。",
    ],
  });
}

/** git said no for a reason that we do not know; its own words are the best explanation. */
export function gitFailed(args: readonly string[], stderr: string): Refusal {
  const command = args.find((each) => !each.startsWith("-")) ?? "";
  const said = lastLineOf(stderr);
  return new Refusal("REPOSITORY_UNUSABLE", {
    en: [
      `git ${command} failed: ${said}`,
      "Run git status in the repository, mend what it reports, and try again.",
    ],
    ja: [
      `git ${command} が失敗しました: ${said}`,
      "リポジトリで git status を実行し、報告された問題を直してから、もう一度試してください。",
    ],
  });
}

export function branchTaken(branch: string): Refusal {
  return new Refusal("WORKTREE_UNUSABLE", {
    en: [
      `The branch ${branch} exists already and is at another commit. It was not moved.`,
      "Rename or delete the branch if you do not need it, then try again.",
    ],
    ja: [
      `ブランチ ${branch} はすでに別のコミットにあります。動かしていません。`,
      "不要なら名前を変えるか削除してから、もう一度試してください。",
    ],
  });
}

export function movedMeanwhile(branch: string): Refusal {
  return new Refusal("WORKTREE_UNUSABLE", {
    en: [
      `The branch ${branch} moved while its change was being captured.`,
      "Make sure that no program works in the worktree, then try again.",
    ],
    ja: [
      `変更を記録している間に、ブランチ ${branch} が動きました。`,
      "作業ツリーで動いているプログラムがないことを確認してから、もう一度試してください。",
    ],
  });
}

const megabytes = (bytes: number): number => Math.ceil(bytes / 1_048_576);

export function bundleTooLarge(bytes: number, maxBytes: number): Refusal {
  return new Refusal("WORKTREE_UNUSABLE", {
    en: [
      `The commits of the agent are ${megabytes(bytes)} MB, and a worker may send ${megabytes(maxBytes)}.`,
      "They stay in the worktree on the worker. Remove large files from its commits there, and the change is captured within the hour, or copy what you need.",
    ],
    ja: [
      `エージェントのコミットは ${megabytes(bytes)} MB で、ワーカーが送れるのは ${megabytes(maxBytes)} MB までです。`,
      "コミットはワーカーの作業ツリーに残っています。そこで大きなファイルをコミットから外すと、変更は 1 時間以内に記録されます。または、必要なものを写してください。",
    ],
  });
}

export function baseTooLarge(bytes: number, maxBytes: number): Refusal {
  return new Refusal("WORKTREE_UNUSABLE", {
    en: [
      `${megabytes(bytes)} MB of commits are not in the remote, and a server may send ${megabytes(maxBytes)}.`,
      "Push them to the remote.",
    ],
    ja: [
      `リモートにないコミットが ${megabytes(bytes)} MB あり、サーバーが送れるのは ${megabytes(maxBytes)} MB までです。`,
      "リモートにプッシュしてください。",
    ],
  });
}

/** What a worker sends may be hostile. */
export function bundleRefused(why: string): Refusal {
  return new Refusal("WORKTREE_UNUSABLE", {
    en: [
      `The commits that the worker sent were refused: ${why}. Nothing was changed.`,
      "Look at the worktree on the worker, and make sure that only this worker has its token.",
    ],
    ja: [
      `ワーカーが送ったコミットを拒みました: ${why}。何も変更していません。`,
      "ワーカーの作業ツリーを調べ、ほかの人がワーカーのトークンを持っていないか確かめてください。",
    ],
  });
}

export function branchInUse(branch: string, path: string): Refusal {
  return new Refusal("WORKTREE_UNUSABLE", {
    en: [
      `The branch ${branch} is checked out in ${path}, so the commits of the worker cannot become part of it.`,
      "Switch to another branch there. The change is captured within the hour.",
    ],
    ja: [
      `ブランチ ${branch} が ${path} でチェックアウトされているため、ワーカーのコミットを加えられません。`,
      "そこで別のブランチに切り替えてください。変更は 1 時間以内に記録されます。",
    ],
  });
}

export function worktreeUnusable(path: string, reason: keyof typeof DAMAGE_TEXTS): Refusal {
  const { en, ja } = DAMAGE_TEXTS[reason];
  const isLocked = reason === "not_ours";
  return new Refusal("WORKTREE_UNUSABLE", {
    en: [
      `The worktree ${path} cannot be used: ${en}. Nothing was changed.`,
      isLocked
        ? "Unlock it with `git worktree unlock`, then try again."
        : "Copy what you need out of the directory, then discard the worktree.",
    ],
    ja: [
      `作業ツリー ${path} は使えません: ${ja}。何も変更していません。`,
      isLocked
        ? "`git worktree unlock` でロックを外してから、もう一度試してください。"
        : "必要なファイルを別の場所に写してから、作業ツリーを破棄してください。",
    ],
  });
}

/** Errors of the file system that are no bug of ours. */
export function asRefusal(error: unknown): unknown {
  if (isCode(error, "ENOSPC", "EDQUOT")) return diskFull();
  if (!isCode(error, "EACCES", "EPERM", "EROFS")) return error;
  const what = error instanceof Error ? error.message : String(errorCode(error));
  return new Refusal("REPOSITORY_UNUSABLE", {
    en: [
      `A file could not be used: ${what}.`,
      "Give the user of the daemon access to it, then try again.",
    ],
    ja: [
      `ファイルを使えませんでした: ${what}。`,
      "デーモンのユーザーにアクセスを許可してから、もう一度試してください。",
    ],
  });
}

function lastLineOf(stderr: string): string {
  const lines = stderr.split("\n").filter((line) => line.trim() !== "");
  const told =
    lines.findLast((line) => /^(fatal|error):/.test(line)) ?? lines.at(-1) ?? "no reason";
  return told.slice(0, 400).replaceAll(/\p{Cc}/gu, "?");
}
