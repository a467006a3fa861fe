import * as contract from "../../../contract/routes/alerts.ts";
import type { WireAlert } from "../../../contract/shapes/alerts.ts";
import { visibleLine } from "../../../contract/visible-text.ts";
import type { AlertStatus } from "../../../domain/alerts/alert.ts";
import { localTime } from "./local-time.ts";
import { printJson, printTable } from "./print-list.ts";
import type { Face } from "./session.ts";
import type { TerminalTexts } from "./terminal-texts.ts";

export type ListAlerts = { readonly status: AlertStatus | undefined; readonly json: boolean };

/** `kuromajutsu alerts list` */
export async function listAlerts(
  { api, console, texts }: Face,
  { status, json }: ListAlerts,
): Promise<number> {
  const answer = await api.call(contract.listAlerts, { query: { ...(status && { status }) } });
  if (json) return printJson(console, answer);
  const { headings } = texts;
  return printTable(console, {
    headings: [headings.created, headings.kind, headings.target, headings.status, headings.title],
    rows: answer.alerts.map((alert) => alertRow(alert, texts)),
    none: texts.noAlerts,
  });
}

export type TestAlerts = { readonly to: string | undefined; readonly json: boolean };

/** `kuromajutsu alerts test` */
export async function testAlerts(
  { api, console, texts }: Face,
  { to, json }: TestAlerts,
): Promise<number> {
  const answer = await api.call(contract.testAlerts, { body: { ...(to && { to }) } });
  const { targets } = answer;
  if (json) printJson(console, answer);
  else {
    for (const { target, error, elapsed_ms } of targets) {
      const name = visibleLine(target);
      console.print(
        error === null
          ? texts.alertSent(name, elapsed_ms)
          : texts.alertNotSent(name, visibleLine(error)),
      );
    }
  }
  return targets.every(({ sent }) => sent) ? 0 : 1;
}

function alertRow(alert: WireAlert, texts: TerminalTexts): readonly string[] {
  const { createdAt, kind, target, status, title, error } = alert;
  const why = error === null ? "" : ` (${visibleLine(error)})`;
  return [localTime(createdAt), kind, target, `${texts.alert[status]}${why}`, visibleLine(title)];
}
