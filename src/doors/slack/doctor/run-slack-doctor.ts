import type { Locale } from "../../../domain/locale.ts";
import { padColumns } from "../../cli/screen/columns.ts";
import { DOCTOR_TEXTS } from "./doctor-texts.ts";
import { examineSlack } from "./examine-slack.ts";
import type { Finding, SlackSetup } from "./finding.ts";

const MARKS: Readonly<Record<Finding["status"], string>> = {
  ok: "✓",
  warning: "!",
  failed: "✗",
  skipped: "–",
};

const NAME_WIDTH = 16;

/** `kuromajutsu slack doctor`. Exit codes: 0 nothing to mend, 1 something to mend. */
export async function runSlackDoctor(
  setup: SlackSetup,
  { json, locale }: { readonly json: boolean; readonly locale: Locale },
): Promise<number> {
  const texts = DOCTOR_TEXTS[locale];
  const findings: Finding[] = [];
  await examineSlack(setup, locale, (finding) => {
    findings.push(finding);
    if (!json) process.stdout.write(`${render(finding, texts.names[finding.check])}\n`);
  });
  const count = (status: Finding["status"]) =>
    findings.filter((each) => each.status === status).length;
  const isWell = count("failed") === 0;
  if (json) {
    const mode = setup.state.kind === "on" ? setup.state.mode : null;
    process.stdout.write(`${JSON.stringify({ ok: isWell, mode, checks: findings }, null, 2)}\n`);
  } else {
    const summary =
      isWell && count("warning") === 0
        ? texts.allWell
        : texts.summary(count("failed"), count("warning"));
    process.stdout.write(`\n${summary}\n`);
  }
  return isWell ? 0 : 1;
}

/** One row of the table, and below it what to do. */
function render({ status, found, advice }: Finding, name: string): string {
  const remedies = advice === null ? [] : advice.split("\n").map((line) => `    → ${line}`);
  return [`${MARKS[status]} ${padColumns(name, NAME_WIDTH)}${found}`, ...remedies].join("\n");
}
