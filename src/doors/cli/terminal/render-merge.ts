import type { WireApproval } from "../../../contract/shapes/approvals.ts";
import { attentionShape } from "../../../contract/shapes/workspaces.ts";
import { fileLetter, lineCounts, shownMerge } from "../../../contract/shown-merge.ts";
import { visibleLine, visibleText } from "../../../contract/visible-text.ts";
import { attentionText } from "../../../domain/workspaces/attention.ts";
import { MERGE_TEXTS } from "./merge-texts.ts";
import type { ApprovalView } from "./render-approval.ts";

/** What will land: the files with their numbers, the branch, the message and the check. */
export function mergeLines(
  shown: WireApproval["shown"],
  { texts: { locale }, style }: Pick<ApprovalView, "texts" | "style">,
): readonly string[] {
  const texts = MERGE_TEXTS[locale];
  const merge = shownMerge(shown);
  const { files, fileCount, conflicts } = merge;
  const others = fileCount - files.length;
  return [
    texts.into(merge.agentId, merge.version, visibleLine(merge.target), merge.mode),
    style.bold(texts.files(fileCount, merge.added, merge.removed)),
    ...files.map((file) => {
      const name = file.from === null ? file.path : `${file.from} → ${file.path}`;
      return `  ${fileLetter(file)}  ${visibleLine(name)}  ${style.dim(lineCounts(file))}`;
    }),
    ...(others > 0 ? [`  ${texts.moreFiles(others)}`] : []),
    ...(merge.isClean ? [] : [style.yellow(texts.conflicts)]),
    ...conflicts.map((path) => `  ${visibleLine(path)}`),
    ...attentionLines(shown["attention"], locale).map((line) => style.yellow(line)),
    style.dim(texts.message),
    ...visibleText(merge.message)
      .split("\n")
      .map((line) => `  ${line}`),
    merge.check === null ? texts.noCheck : `${style.dim(texts.check)}  ${visibleLine(merge.check)}`,
    ...(merge.intoCheckout ? [texts.intoCheckout] : []),
  ];
}

function attentionLines(
  attention: unknown,
  locale: ApprovalView["texts"]["locale"],
): readonly string[] {
  const parsed = attentionShape.array().safeParse(attention);
  if (!parsed.success) return [];
  return parsed.data.map((each) => visibleLine(attentionText(each, locale)));
}
