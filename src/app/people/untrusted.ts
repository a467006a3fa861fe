import { nameCommand } from "../../base/command-name.ts";
import type { DaemonStatus } from "../../contract/hello.ts";
import type { FileTrust, PowerKind } from "../../contract/shapes/trust.ts";
import { visibleLine } from "../../contract/visible-text.ts";
import type { Locale } from "../../domain/locale.ts";
import type { Core } from "../core.ts";

/** Visible to every viewer; the content of the file is only for admins. */
export type Untrusted = NonNullable<DaemonStatus["untrusted"]>;

/** Powers whose name is the setting itself. */
const SETTINGS: readonly PowerKind[] = [
  "alerts",
  "telemetry",
  "store",
  "unplanned-tools",
  "stop",
  "workspace",
  "protection",
];

export function untrustedOf(
  trust: FileTrust | null,
  commandName = "kuromajutsu",
): Untrusted | null {
  const notUsed = (trust?.powers ?? [])
    .filter(({ isTrusted }) => !isTrusted)
    .map(({ kind, name }) => (SETTINGS.includes(kind) ? name : `${kind} ${name}`));
  if (trust === null || notUsed.length === 0) return null;
  const command = nameCommand(trust.command, commandName);
  return { path: trust.path, notUsed, problem: trust.problem, command };
}

/** The explanation for people, with the command. */
export function explainUntrusted(untrusted: Untrusted): string {
  return `${notUsedNow(untrusted)} A person can look at it and trust it: \`${untrusted.command}\`, or in the dashboard.`;
}

/**
 * Appended to a refusal that untrusted configuration may have caused; empty if all is trusted. Models
 * read it, so it does not name the command that would trust the file.
 */
export function untrustedHint({ trust }: Pick<Core, "trust">, locale: Locale = "en"): string {
  const untrusted = untrustedOf(trust?.now() ?? null);
  if (untrusted && locale === "ja") {
    const { path, notUsed } = untrusted;
    return `${visibleLine(path)} は信頼されていないため、使われていないものがあります: ${notUsed.join("、")}。決められるのは利用者だけです。ダッシュボードで確かめてください。`;
  }
  return untrusted
    ? ` ${notUsedNow(untrusted)} Only a person can decide that: ask the person to look at it in the dashboard.`
    : "";
}

function notUsedNow({ path, notUsed, problem }: Untrusted): string {
  const what = `Not used, because ${visibleLine(path)} is not trusted: ${notUsed.join(", ")}.`;
  return problem ? `${what} ${problem}` : what;
}
