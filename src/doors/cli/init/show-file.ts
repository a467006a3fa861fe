import { diffArrays } from "diff";
import type { PlannedFile } from "../../../app/ports/setup.ts";
import { CLIENT_TITLES } from "../../../contract/mcp-clients.ts";
import { visibleLine } from "../../../contract/visible-text.ts";
import type { InitTexts } from "./init-texts.ts";

/** One file of the plan: what it is, and the lines that would change. */
export function showFile(file: PlannedFile, texts: InitTexts): string {
  const title = titleOf(file.owner);
  if (file.kind === "no-file") return `${title}: ${texts.noFile}`;
  const head = `${title}: ${visibleLine(file.path)}`;
  if (file.kind === "same") {
    return `${head}\n  ${file.owner === "kuromajutsu" ? texts.keptConfig : texts.already}`;
  }
  if (file.kind === "refused") {
    const entry = file.entry.split("\n").map((line) => `    ${line}`);
    return [
      head,
      `  ! ${texts.problem(file.problem, visibleLine(file.path))}`,
      `  ${texts.byHand}`,
      ...entry,
    ].join("\n");
  }
  const lines = changedLines(file.before ?? "", file.after);
  return [`${head} (${texts.kind[file.kind]})`, ...lines.map((line) => `  ${line}`)].join("\n");
}

export function titleOf(owner: PlannedFile["owner"]): string {
  return owner === "kuromajutsu" ? "Kuromajutsu" : CLIENT_TITLES[owner];
}

/**
 * Only the lines that change, without the lines around them: these may contain keys of other
 * servers. For the same reason a line that only gets a comma counts as unchanged.
 */
export function changedLines(before: string, after: string): readonly string[] {
  const parts = diffArrays(linesOf(before), linesOf(after), { comparator: isAlike });
  let line = 1;
  return parts.flatMap(({ added, removed, value }, index) => {
    const isFirst = (added || removed) && !parts[index - 1]?.added && !parts[index - 1]?.removed;
    const head = isFirst && before !== "" ? [`@@ ${line}`] : [];
    if (!removed) line += value.length;
    if (!added && !removed) return [];
    return [...head, ...value.map((each) => `${added ? "+" : "-"} ${visibleLine(each)}`)];
  });
}

const isAlike = (one: string, other: string): boolean => withoutComma(one) === withoutComma(other);

const withoutComma = (line: string): string => line.replace(/,$/, "");

function linesOf(text: string): string[] {
  return text === "" ? [] : text.replace(/\r?\n$/, "").split(/\r?\n/);
}
