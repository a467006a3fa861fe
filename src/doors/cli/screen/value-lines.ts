import { isRecord, type Fields } from "../../../base/narrow.ts";
import { visibleLine, visibleText } from "../../../contract/visible-text.ts";
import { padColumns, widthOf, wrapColumns } from "./columns.ts";
import { PLAIN_STYLE, type Style } from "./style.ts";
import { renderTable } from "./table.ts";

export type ValueSize = {
  /** undefined: nothing is cut or wrapped. */
  readonly width?: number | undefined;
  readonly style?: Style;
};

export type ValueLines = {
  readonly lines: readonly string[];
  /** False: a cell of a table was cut. */
  readonly isWhole: boolean;
};

const DEEPEST = 3;
const MAX_COLUMNS = 10;
/** Shorter lists stand on one line. */
const SHORT_LIST = 60;

/**
 * Any JSON value as lines for a person, as the dashboard shows it: a list of objects is a table, an
 * object is one line per field. Invisible characters are written out, so nothing is hidden.
 */
export function valueLines(value: unknown, size: ValueSize = {}, depth = 0): ValueLines {
  if (typeof value === "string") return whole(textLines(value, size.width));
  if (Array.isArray(value)) return listLines(value, size, depth);
  if (isRecord(value)) return pairLines(value, size, depth);
  return whole([String(value)]);
}

function whole(lines: readonly string[]): ValueLines {
  return { lines, isWhole: true };
}

function textLines(text: string, width: number | undefined): readonly string[] {
  const lines = visibleText(text).replaceAll("\t", "    ").split("\n");
  return width === undefined ? lines : lines.flatMap((line) => wrapColumns(line, width));
}

function jsonLines(value: unknown, { width }: ValueSize): ValueLines {
  return whole(textLines(JSON.stringify(value, null, 2), width));
}

function listLines(items: readonly unknown[], size: ValueSize, depth: number): ValueLines {
  if (items.length === 0) return whole(["[]"]);
  const rows = items.filter(isRecord);
  if (rows.length === items.length && depth < DEEPEST) return rowLines(rows, size);
  if (items.some((item) => typeof item === "object" && item !== null))
    return jsonLines(items, size);
  const texts = items.map((item) => visibleLine(String(item)));
  const joined = texts.join(", ");
  if (widthOf(joined) <= Math.min(SHORT_LIST, size.width ?? SHORT_LIST)) return whole([joined]);
  return whole(texts.flatMap((text) => textLines(`- ${text}`, size.width)));
}

function rowLines(rows: readonly Fields[], size: ValueSize): ValueLines {
  const headings = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  if (headings.length > MAX_COLUMNS) return jsonLines(rows, size);
  return renderTable(
    {
      headings: headings.map(visibleLine),
      rows: rows.map((row) => headings.map((name) => cellText(row[name]))),
    },
    size,
  );
}

function cellText(value: unknown): string {
  if (value === undefined) return "";
  return visibleLine(typeof value === "string" ? value : JSON.stringify(value));
}

function pairLines(fields: Fields, size: ValueSize, depth: number): ValueLines {
  const entries = Object.entries(fields);
  if (entries.length === 0) return whole(["{}"]);
  if (depth >= DEEPEST) return jsonLines(fields, size);
  const { dim } = size.style ?? PLAIN_STYLE;
  const nameWidth = Math.min(24, Math.max(...entries.map(([name]) => widthOf(visibleLine(name)))));
  let isWhole = true;
  const lines = entries.flatMap(([name, value]) => {
    const label = visibleLine(name);
    const inner = size.width === undefined ? undefined : Math.max(20, size.width - nameWidth - 2);
    const isNested = isRecord(value) || (Array.isArray(value) && value.some(isRecord));
    if (isNested || widthOf(label) > nameWidth) {
      const below = size.width === undefined ? undefined : Math.max(20, size.width - 2);
      const nested = valueLines(value, { ...size, width: below }, depth + 1);
      isWhole &&= nested.isWhole;
      return [dim(label), ...nested.lines.map((line) => `  ${line}`)];
    }
    const { lines: shown } = valueLines(value, { ...size, width: inner }, depth + 1);
    return shown.map((line, index) =>
      index === 0
        ? `${dim(padColumns(label, nameWidth))}  ${line}`
        : `${" ".repeat(nameWidth)}  ${line}`,
    );
  });
  return { lines, isWhole };
}
