import { Refusal } from "../../domain/refusal.ts";

const MB = 1_048_576;

export function copyTooLarge(bytes: number, maxBytes: number, globs: readonly string[]): Refusal {
  const [size, most] = [Math.ceil(bytes / MB), Math.floor(maxBytes / MB)];
  const what = globs.join(", ");
  return new Refusal("ISOLATION_NOT_POSSIBLE", {
    en: [
      `workspace.copy (${what}) matches ${size} MB of ignored files; at most ${most} MB are copied.`,
      "Name fewer files in workspace.copy, and make the others with workspace.setup.",
    ],
    ja: [
      `workspace.copy（${what}）に合う無視ファイルは ${size} MB あります。コピーできるのは ${most} MB までです。`,
      "workspace.copy のファイルを減らし、残りは workspace.setup で作ってください。",
    ],
  });
}

export function cannotCopy(problem: string): Refusal {
  return new Refusal("GIT_FAILED", {
    en: [
      `The ignored files of workspace.copy could not be listed: ${problem}`,
      "Check that git works in the repository, then start the agent again.",
    ],
    ja: [
      `workspace.copy の無視ファイルを調べられませんでした: ${problem}`,
      "リポジトリで git が動くことを確かめてから、エージェントをもう一度起動してください。",
    ],
  });
}

export function noSpaceToCopy(): Refusal {
  return new Refusal("DISK_FULL", {
    en: [
      "The disk is full: the files of workspace.copy could not be copied.",
      "Free some space, then start the agent again.",
    ],
    ja: [
      "ディスクの空きがないため、workspace.copy のファイルをコピーできませんでした。",
      "空きを作ってから、エージェントをもう一度起動してください。",
    ],
  });
}

export function noRemote(): Refusal {
  return new Refusal("MERGE_NOT_POSSIBLE", {
    en: [
      "The repository has no remote to open a pull request on.",
      "Add one with `git remote add origin <address>`, or merge the change here.",
    ],
    ja: [
      "プルリクエストを作るリモートが、リポジトリにありません。",
      "`git remote add origin <アドレス>` で加えるか、変更をここで取り込んでください。",
    ],
  });
}

export function noBranch(branch: string): Refusal {
  return new Refusal("MERGE_NOT_POSSIBLE", {
    en: [
      `The repository has no branch ${branch} to push.`,
      "Look at the change: it may have been merged or discarded already.",
    ],
    ja: [
      `送るブランチ ${branch} がリポジトリにありません。`,
      "変更がすでに取り込まれたか破棄されていないか、確かめてください。",
    ],
  });
}

export function pushFailed(branch: string, remote: string, problem: string): Refusal {
  return new Refusal("MERGE_NOT_POSSIBLE", {
    en: [
      `git could not push ${branch} to ${remote}: ${problem}`,
      "Check in a terminal that you can push to this remote without being asked for a password.",
    ],
    ja: [
      `git が ${branch} を ${remote} に送れませんでした: ${problem}`,
      "端末で、パスワードを尋ねられずにこのリモートへ送れることを確かめてください。",
    ],
  });
}

export function toolMissing(tool: string): Refusal {
  return new Refusal("MERGE_NOT_POSSIBLE", {
    en: [`${tool} is not installed.`, `Install ${tool} and sign in, or merge the change here.`],
    ja: [
      `${tool} がインストールされていません。`,
      `${tool} をインストールしてサインインするか、変更をここで取り込んでください。`,
    ],
  });
}

export function toolFailed(tool: string, problem: string): Refusal {
  return new Refusal("MERGE_NOT_POSSIBLE", {
    en: [
      `The branch is pushed, but ${tool} could not open the pull request: ${problem}`,
      `Run \`${tool} auth status\` in the repository, then try again.`,
    ],
    ja: [
      `ブランチは送りましたが、${tool} がプルリクエストを作れませんでした: ${problem}`,
      `リポジトリで \`${tool} auth status\` を実行して確かめてから、もう一度試してください。`,
    ],
  });
}
