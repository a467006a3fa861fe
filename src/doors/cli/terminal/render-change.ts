import type { WireChange, WireComment, WireFileChange } from "../../../contract/shapes/changes.ts";
import type { WireMerge } from "../../../contract/shapes/merges.ts";
import type { WireOverlap } from "../../../contract/shapes/workspaces.ts";
import { fileLetter, lineCounts } from "../../../contract/shown-merge.ts";
import { visibleLine, visibleText } from "../../../contract/visible-text.ts";
import type { Locale } from "../../../domain/locale.ts";
import { mergeProblemText } from "../../../domain/merges/merge-problem.ts";
import { attentionText } from "../../../domain/workspaces/attention.ts";
import type { Style } from "../screen/style.ts";
import { fieldLines } from "./agent-commands.ts";
import { CHANGE_TEXTS, type ChangeTexts } from "./change-texts.ts";
import { localTime } from "./local-time.ts";
import { MERGE_TEXTS } from "./merge-texts.ts";

export type ChangeView = {
  readonly locale: Locale;
  readonly style: Style;
  /** Label and address of the page that shows it. */
  readonly page: readonly [string, string];
};

/** One change: what a review shows, without the patches. */
export function changeLines(change: WireChange, { locale, style, page }: ChangeView): string {
  const texts = CHANGE_TEXTS[locale];
  const { workspace, files, overlaps, comments, merges } = change;
  const attention = workspace.attention.map((each) => visibleLine(attentionText(each, locale)));
  const section = (heading: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : ["", style.bold(heading), ...lines.map((line) => `  ${line}`)];
  return [
    fieldLines(fieldsOf(change, texts, page), style),
    ...previewLines(change, texts, style),
    ...section(texts.attention, attention.map(style.yellow)),
    ...(change.version === 0 ? ["", texts.nothingYet] : []),
    ...section(
      MERGE_TEXTS[locale].files(files.length, workspace.added, workspace.removed),
      files.map((file) => fileLine(file, texts, style)),
    ),
    ...section(
      texts.overlaps,
      overlaps.flatMap((overlap) => overlapLines(overlap, texts, style)),
    ),
    ...section(
      texts.comments,
      comments.flatMap((comment) => commentLines(comment, texts, style)),
    ),
    ...section(
      texts.merges,
      merges.flatMap((merge) => mergeLines(merge, locale, style)),
    ),
  ].join("\n");
}

function fieldsOf(
  { workspace, version }: WireChange,
  { headings, outcome, status }: ChangeTexts,
  page: ChangeView["page"],
): readonly (readonly [string, string])[] {
  const { ports } = workspace;
  return [
    [headings.agent, workspace.agentId],
    [headings.id, workspace.workspaceId],
    [headings.status, `${outcome[workspace.outcome]} (${status[workspace.status]})`],
    [headings.branch, visibleLine(workspace.branch)],
    [
      headings.base,
      visibleLine(`${workspace.basedOn} ${workspace.base?.slice(0, 12) ?? ""}`.trim()),
    ],
    [headings.target, workspace.target === null ? "" : visibleLine(workspace.target)],
    [headings.version, version === 0 ? "" : String(version)],
    [headings.ports, ports === null ? "" : `${ports.from}-${ports.from + ports.count - 1}`],
    [headings.repository, visibleLine(workspace.repository)],
    [headings.directory, workspace.status === "retired" ? "" : visibleLine(workspace.path)],
    page,
  ];
}

function previewLines(
  { preview }: WireChange,
  texts: ChangeTexts,
  style: Style,
): readonly string[] {
  if (preview === null) return [];
  const target = visibleLine(preview.target);
  if (preview.isClean) return ["", style.green(texts.clean(target))];
  return [
    "",
    style.red(texts.conflicts(target)),
    ...preview.conflicts.map(({ path }) => `  ${visibleLine(path)}`),
  ];
}

function fileLine(file: WireFileChange, { notes }: ChangeTexts, { dim, yellow }: Style): string {
  const name = file.from === null ? file.path : `${file.from} → ${file.path}`;
  const said = [
    ...(file.modeChanged ? [notes.mode] : []),
    ...(file.lineEndingsOnly ? [notes.lineEndings] : []),
    ...(file.kind === "file" || file.leavesTree ? [] : [notes[file.kind]]),
  ];
  return [
    `${fileLetter(file)}  ${visibleLine(name)}`,
    dim(countsOf(file)),
    ...(file.leavesTree ? [yellow(notes.leavesTree)] : []),
    ...(said.length > 0 ? [dim(`(${said.join(", ")})`)] : []),
  ]
    .filter((part) => part !== "")
    .join("  ");
}

/** Files of a worktree in use have no numbers yet. */
function countsOf(file: WireFileChange): string {
  return file.added === null && !file.isBinary ? "" : lineCounts(file);
}

function overlapLines(
  { level, otherAgentId, paths }: WireOverlap,
  texts: ChangeTexts,
  style: Style,
): readonly string[] {
  const text = `${otherAgentId}  ${texts.level[level]}`;
  return [
    level === "conflict" ? style.red(text) : text,
    ...paths.map((path) => `  ${visibleLine(path)}`),
  ];
}

function commentLines(comment: WireComment, texts: ChangeTexts, style: Style): readonly string[] {
  const isGone = comment.line !== null && comment.currentLine === null;
  const facts = [
    texts.comment[comment.status],
    visibleLine(comment.author),
    localTime(comment.createdAt),
    ...(isGone ? [texts.gone] : []),
  ];
  return [
    `${visibleLine(placeOf(comment, texts))}  ${style.dim(facts.join("  "))}`,
    ...visibleText(comment.body)
      .split("\n")
      .map((line) => `  ${line}`),
  ];
}

function placeOf({ path, line, endLine, currentLine }: WireComment, texts: ChangeTexts): string {
  if (line === null) return `${path} (${texts.wholeFile})`;
  const from = currentLine ?? line;
  const to = from + (endLine ?? line) - line;
  return to > from ? `${path}:${from}-${to}` : `${path}:${from}`;
}

function mergeLines(merge: WireMerge, locale: Locale, { dim }: Style): readonly string[] {
  const texts = MERGE_TEXTS[locale];
  const { mergeId, status, target, version, problem } = merge;
  const facts = [`→ ${visibleLine(target)}`, `v${version}`, localTime(merge.createdAt)];
  return [
    `${mergeId}  ${texts.status[status]}  ${dim(facts.join("  "))}`,
    ...(problem === null ? [] : [`  ${visibleLine(mergeProblemText(problem, locale))}`]),
  ];
}
