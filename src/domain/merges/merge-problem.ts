import type { Locale } from "../locale.ts";

/** Why a checkout of a person was not fast-forwarded; the port to git has the same words. */
export const CHECKOUT_PROBLEMS = [
  "overlap",
  "in_progress",
  "other_branch",
  "locked",
  "not_fast_forward",
  "filtered",
] as const;
export type CheckoutProblem = (typeof CHECKOUT_PROBLEMS)[number];

/** Why a merge did not land yet, and what to do. Each reader gets the sentence in their language. */
export type MergeProblem =
  | { readonly type: "conflicts"; readonly target: string; readonly onto: string }
  /** `exitCode` null: it was ended by a signal. */
  | { readonly type: "check_failed"; readonly exitCode: number | null }
  | { readonly type: "check_timed_out"; readonly afterMs: number }
  /** The branch fails the check without this change. */
  | { readonly type: "branch_fails_check"; readonly target: string }
  /** `workspace.setup` failed where the check runs. */
  | { readonly type: "setup_failed" }
  | { readonly type: "target_gone"; readonly target: string }
  /** The branch moved, and the merge would do something else than people approved. */
  | { readonly type: "not_as_approved"; readonly target: string }
  | {
      readonly type: "checked_out";
      readonly target: string;
      readonly path: string;
      readonly commit: string;
    }
  | {
      readonly type: "checkout_refused";
      readonly path: string;
      readonly reason: CheckoutProblem;
      /** The files in the way, if files are. */
      readonly files: readonly string[];
      readonly commit: string;
    }
  /** Git or the disk refused; the queue tries again by itself. */
  | { readonly type: "refused"; readonly en: string; readonly ja: string };

export function mergeProblemText(problem: MergeProblem, locale: Locale): string {
  return locale === "ja" ? inJapanese(problem) : inEnglish(problem);
}

/** What a person runs in their checkout to land it; safe, because it only moves forward. */
export function landCommand(commit: string): string {
  return `git merge --ff-only ${commit}`;
}

function inEnglish(problem: MergeProblem): string {
  switch (problem.type) {
    case "conflicts":
      return `git cannot merge the change into ${problem.target} at ${short(problem.onto)}. Send the change back so that the agent resolves it, or resolve it on the branch yourself, then merge again.`;
    case "check_failed":
      return `workspace.check failed (${exitText(problem.exitCode)}). Read its output, send the change back, or retry if the check is flaky.`;
    case "check_timed_out":
      return `workspace.check did not end within ${seconds(problem.afterMs)} seconds. Raise workspace.checkTimeout_ms or make the check faster, then retry.`;
    case "branch_fails_check":
      return `The branch ${problem.target} itself fails workspace.check, without this change. Repair the branch or the check, then retry.`;
    case "setup_failed":
      return "workspace.setup failed where the check runs. Read its output, repair the command, then retry.";
    case "target_gone":
      return `The branch ${problem.target} does not exist any more. Create it again or cancel the merge.`;
    case "not_as_approved":
      return `${problem.target} has moved, and the merge would now change other files or lines than people approved. Nothing was merged. Look at the change and ask to merge it again.`;
    case "checked_out":
      return `${problem.target} is checked out in ${problem.path}, which is not touched. Run there: ${landCommand(problem.commit)}. Or retry with intoCheckout.`;
    case "checkout_refused":
      return `The checkout ${problem.path} was not changed: ${CHECKOUT_EN[problem.reason]}${filesText(problem.files, ", ")}. When that is settled, run there: ${landCommand(problem.commit)}. Or retry.`;
    case "refused":
      return problem.en;
  }
}

function inJapanese(problem: MergeProblem): string {
  switch (problem.type) {
    case "conflicts":
      return `${short(problem.onto)} の ${problem.target} に、git では取り込めません。差し戻してエージェントに解消させるか、ブランチ上で解消してから、もう一度取り込んでください。`;
    case "check_failed":
      return `workspace.check が失敗しました（${exitTextJa(problem.exitCode)}）。出力を確かめ、変更を差し戻してください。検査が不安定な場合は再試行できます。`;
    case "check_timed_out":
      return `workspace.check が ${seconds(problem.afterMs)} 秒以内に終わりませんでした。workspace.checkTimeout_ms を増やすか検査を速くしてから、再試行してください。`;
    case "branch_fails_check":
      return `この変更がなくても、ブランチ ${problem.target} 自体が workspace.check に失敗します。ブランチか検査を直してから、再試行してください。`;
    case "setup_failed":
      return "検査の場所で workspace.setup が失敗しました。出力を確かめてコマンドを直してから、再試行してください。";
    case "target_gone":
      return `ブランチ ${problem.target} がなくなりました。作り直すか、取り込みを中止してください。`;
    case "not_as_approved":
      return `${problem.target} が進み、取り込むと、承認されたものとは違うファイルや行が変わるようになりました。何も取り込んでいません。変更を確かめて、もう一度取り込みを依頼してください。`;
    case "checked_out":
      return `${problem.target} は ${problem.path} でチェックアウトされています（変更していません）。そこで ${landCommand(problem.commit)} を実行するか、intoCheckout を付けて再試行してください。`;
    case "checkout_refused":
      return `チェックアウト ${problem.path} は変更していません。${CHECKOUT_JA[problem.reason]}${filesText(problem.files, "、")}。解消してから、そこで ${landCommand(problem.commit)} を実行するか、再試行してください。`;
    case "refused":
      return problem.ja;
  }
}

const CHECKOUT_EN: Readonly<Record<CheckoutProblem, string>> = {
  overlap: "uncommitted work is in the way; commit or stash it",
  in_progress: "a merge, rebase or similar is in progress; finish or abort it",
  other_branch: "another branch is checked out there now",
  locked: "another git command is at work there",
  not_fast_forward: "the branch moved meanwhile",
  filtered: "changed files go through a filter such as Git LFS, which only you should run",
};
const CHECKOUT_JA: Readonly<Record<CheckoutProblem, string>> = {
  overlap: "コミットしていない作業と重なります。コミットするか退避してください",
  in_progress: "マージやリベースなどの途中です。完了するか中止してください",
  other_branch: "今は別のブランチがチェックアウトされています",
  locked: "別の git コマンドが動いています",
  not_fast_forward: "その間にブランチが進みました",
  filtered: "変更されるファイルに Git LFS などのフィルターがかかっています",
};

const MAX_NAMED = 5;

function filesText(files: readonly string[], comma: string): string {
  if (files.length === 0) return "";
  const named = files.slice(0, MAX_NAMED).join(comma);
  return ` (${named}${files.length > MAX_NAMED ? `${comma}…` : ""})`;
}

function short(oid: string): string {
  return oid.slice(0, 10);
}

function seconds(ms: number): number {
  return Math.round(ms / 1_000);
}

function exitText(exitCode: number | null): string {
  return exitCode === null ? "ended by a signal" : `exit code ${exitCode}`;
}

function exitTextJa(exitCode: number | null): string {
  return exitCode === null ? "シグナルで終了" : `終了コード ${exitCode}`;
}
