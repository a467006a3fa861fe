import * as contract from "../../../contract/routes/alerts.ts";
import type { WireAlert } from "../../../contract/shapes/alerts.ts";
import { visibleLine } from "../../../contract/visible-text.ts";
import type { AlertStatus } from "../../../domain/alerts/alert.ts";
import type { Session } from "./follow-task.ts";
import type { TerminalTexts } from "./terminal-texts.ts";

type Face = Pick<Session, "api" | "console" | "texts">;

export type ListAlerts = { readonly status: AlertStatus | undefined; readonly json: boolean };

/** `kuromajutsu alerts list` */
export async function listAlerts(
  { api, console, texts }: Face,
  { status, json }: ListAlerts,
): Promise<number> {
  const { alerts } = await api.call(contract.listAlerts, { query: { ...(status && { status }) } });
  if (json) console.print(JSON.stringify(alerts, null, 2));
  else if (alerts.length === 0) console.print(texts.noAlerts);
  else console.print(alerts.map((alert) => alertLine(alert, texts)).join("\n"));
  return 0;
}

export type TestAlerts = { readonly to: string | undefined; readonly json: boolean };

/** `kuromajutsu alerts test` */
export async function testAlerts(
  { api, console, texts }: Face,
  { to, json }: TestAlerts,
): Promise<number> {
  const { targets } = await api.call(contract.testAlerts, { body: { ...(to && { to }) } });
  if (json) console.print(JSON.stringify(targets, null, 2));
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

function alertLine(alert: WireAlert, texts: TerminalTexts): string {
  const { createdAt, kind, target, status, title, error } = alert;
  const why = error === null ? "" : ` (${visibleLine(error)})`;
  return `${createdAt}  ${kind}  ${target}  ${texts.alert[status]}${why}  ${visibleLine(title)}`;
}
