import { isRecord } from "../../../base/narrow.ts";
import type { Entry, ToolEntry } from "../../../contract/transcript/entries.ts";
import { visibleLine, visiblePreview, visibleText } from "../../../contract/visible-text.ts";
import type { Locale } from "../../../domain/locale.ts";
import { fitColumns } from "../screen/columns.ts";
import { durationText } from "../screen/duration.ts";
import type { Style } from "../screen/style.ts";

export type TranscriptView = { readonly style: Style; readonly locale: Locale };

const MOST_ARGUMENTS = 100;
const PROMPT_LINES = 6;

/** One entry of a transcript for a person: what it said, which tool it used, how it ended. */
export function entryLines(entry: Entry, { style, locale }: TranscriptView): readonly string[] {
  switch (entry.kind) {
    case "session":
      return [style.dim(`# ${visibleLine(entry.model)} · ${visibleLine(entry.directory)}`)];
    case "prompt":
      return promptLines(entry.text).map((line) => style.blue(`> ${line}`));
    case "text":
      return visibleText(entry.text).split("\n");
    case "thought":
      return visibleText(entry.text)
        .split("\n")
        .map((line) => style.dim(line));
    case "tool":
      return [toolLine(entry, style)];
    case "end": {
      const mark = entry.isOk ? style.green("✔") : style.red("✘");
      const time = entry.durationMs === null ? "" : ` ${durationText(entry.durationMs, locale)}`;
      return [`${mark}${style.dim(time)} ${visiblePreview(entry.text)}`];
    }
    case "line":
      return [style.dim(visibleLine(entry.text))];
  }
}

function promptLines(text: string): readonly string[] {
  const lines = visibleText(text).split("\n");
  return lines.length > PROMPT_LINES ? [...lines.slice(0, PROMPT_LINES), "…"] : lines;
}

function toolLine({ tool, server, args, state }: ToolEntry, style: Style): string {
  const mark =
    state === "running" ? style.cyan("▸") : state === "ok" ? style.green("✔") : style.red("✘");
  const name = visibleLine(server === null ? tool : `${server}/${tool}`);
  const isEmpty = isRecord(args) && Object.keys(args).length === 0;
  const given = args === undefined || args === null || isEmpty ? "" : JSON.stringify(args);
  return `${mark} ${style.bold(name)} ${style.dim(fitColumns(visibleLine(given), MOST_ARGUMENTS))}`;
}
