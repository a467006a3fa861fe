import type { Locale } from "../locale.ts";
import type { ChangeComment } from "./change.ts";

type Earlier = {
  readonly prompt: string;
  readonly summary: string;
  readonly response: string;
  readonly paths: readonly string[];
};

export type SendBackParts = {
  readonly comments: readonly ChangeComment[];
  readonly message: string | null;
  readonly branch: string;
  /** null: the agent continues its own conversation and knows all of it. */
  readonly earlier: Earlier | null;
};

/** The prompt that gives the comments to an agent. Quotes are data, so they are fenced. */
export function sendBackPrompt(parts: SendBackParts, locale: Locale): string {
  const words = WORDS[locale];
  return [
    words.intro(parts.branch),
    ...(parts.earlier ? [earlierBlock(parts.earlier, locale)] : []),
    ...(parts.message ? [parts.message] : []),
    ...parts.comments.map((comment, index) => commentBlock(comment, index + 1, locale)),
    words.end,
  ].join("\n\n");
}

const WORDS = {
  ja: {
    intro: (branch: string) =>
      `あなたの変更（ブランチ ${branch}）に、レビューのコメントが付きました。同じ作業ツリーで、すべてのコメントに対応してください。`,
    earlier: "これまでの経緯",
    request: "依頼",
    report: "報告",
    files: "変更したファイル",
    whole: "（ファイル全体）",
    removed: "（変更前の行）",
    end: "対応し終えたら、コメントごとにどう対応したかを結果として報告してください。コミットは不要です。",
  },
  en: {
    intro: (branch: string) =>
      `People reviewed your change (branch ${branch}) and commented on it. Work through every comment in the same worktree.`,
    earlier: "What happened so far",
    request: "Request",
    report: "Report",
    files: "Changed files",
    whole: " (the whole file)",
    removed: " (lines before the change)",
    end: "When you are done, report for each comment what you did. Do not commit.",
  },
} as const;

function earlierBlock(earlier: Earlier, locale: Locale): string {
  const words = WORDS[locale];
  return [
    `## ${words.earlier}`,
    `### ${words.request}\n${earlier.prompt}`,
    `### ${words.report}\n${[earlier.summary, earlier.response].filter(Boolean).join("\n\n")}`,
    `### ${words.files}\n${earlier.paths.map((path) => `- ${path}`).join("\n")}`,
  ].join("\n\n");
}

function commentBlock(comment: ChangeComment, number: number, locale: Locale): string {
  const words = WORDS[locale];
  const where =
    comment.line === null
      ? words.whole
      : `:${comment.line}${comment.endLine && comment.endLine > comment.line ? `-${comment.endLine}` : ""}${comment.side === "old" ? words.removed : ""}`;
  const fence = fenceFor(comment.quote);
  return [
    `## ${number}. ${comment.path}${where}`,
    ...(comment.quote === "" ? [] : [`${fence}\n${comment.quote}\n${fence}`]),
    comment.body,
  ].join("\n");
}

/** Longer than any run of backticks in the text, so that a quote cannot end its block. */
function fenceFor(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  return "`".repeat(Math.max(3, longest + 1));
}
