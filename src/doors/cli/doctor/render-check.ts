import { FINDING_TEXTS } from "../../../contract/finding-texts.ts";
import { reasonIn } from "../../../contract/reason-texts.ts";
import type { WireRunnerCheck } from "../../../contract/shapes/health.ts";
import { visibleLine } from "../../../contract/visible-text.ts";
import type { Locale } from "../../../domain/locale.ts";
import { padColumns } from "../screen/columns.ts";
import { DOCTOR_TEXTS } from "./doctor-texts.ts";

const MARKS: Readonly<Record<WireRunnerCheck["status"], string>> = {
  works: "✓",
  limited: "!",
  failed: "✗",
  "not-found": "✗",
};
/** Rows are printed when they are known, so the widths are fixed. */
const WIDTHS = [2, 11, 22, 12, 11, 8, 9] as const;

export function renderHead(locale: Locale): string {
  const { heads } = DOCTOR_TEXTS[locale];
  return row(["", heads.cli, heads.version, heads.signedIn, heads.mcp, heads.tool, heads.time]);
}

/** One row of the table, and below it what to do. */
export function renderCheck(check: WireRunnerCheck, locale: Locale, ownKeys: readonly string[]) {
  const texts = DOCTOR_TEXTS[locale];
  const { status, runner, command, version, responseTime_ms: ms } = check;
  if (command === null) {
    return [row([MARKS[status], runner, texts.notFound]), ...advice(check, locale, ownKeys)].join(
      "\n",
    );
  }
  const tried = check.answered || check.connected;
  const cells = [
    MARKS[status],
    runner,
    version ?? "?",
    yesNo(check.signedIn),
    yesNo(tried ? check.connected : null),
    yesNo(tried ? check.calledTool : null),
    ms === null ? "–" : `${(ms / 1_000).toFixed(1)} s`,
    visibleLine(command),
  ];
  return [row(cells), ...advice(check, locale, ownKeys)].join("\n");
}

function advice(check: WireRunnerCheck, locale: Locale, ownKeys: readonly string[]): string[] {
  const texts = DOCTOR_TEXTS[locale];
  const lines = check.findings.flatMap(({ kind, run, detail }) => {
    const isVersion = kind === "too-old" || kind === "newer-than-tested";
    return [
      FINDING_TEXTS[locale][kind](visibleLine(detail ?? "")),
      ...(run === null ? [] : [`  → ${texts.run(run)}`]),
      ...(isVersion || !detail ? [] : [`  ${texts.said(visibleLine(reasonIn(detail, locale)))}`]),
    ];
  });
  const used = check.clientKeys ?? [];
  if (used.length > 0) lines.push(texts.keysUsed(used.join(", ")));
  const key = check.missingVariables.find((name) => ownKeys.includes(name) && !used.includes(name));
  if (check.signedIn === false && key !== undefined) lines.push(`  → ${texts.keyHere(key)}`);
  return lines.map((line) => `    ${line}`);
}

function yesNo(is: boolean | null): string {
  if (is === null) return "–";
  return is ? "✓" : "✗";
}

function row(cells: readonly string[]): string {
  return cells
    .map((cell, at) => padColumns(cell, WIDTHS[at] ?? 0))
    .join("")
    .trimEnd();
}
