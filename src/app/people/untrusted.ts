import type { DaemonStatus } from "../../contract/hello.ts";
import type { FileTrust, PowerKind } from "../../contract/trust.ts";
import { visibleLine } from "../../contract/visible-text.ts";
import type { Core } from "../core.ts";

/** For everyone who may look. What exactly the file says is only for admins. */
export type Untrusted = NonNullable<DaemonStatus["untrusted"]>;

/** The name of such a power is the setting itself. */
const SETTINGS: readonly PowerKind[] = ["unplanned-tools", "stop", "protection"];

export function untrustedOf(trust: FileTrust | null): Untrusted | null {
  const notUsed = (trust?.powers ?? [])
    .filter(({ isTrusted }) => !isTrusted)
    .map(({ kind, name }) => (SETTINGS.includes(kind) ? name : `${kind} ${name}`));
  if (trust === null || notUsed.length === 0) return null;
  return { path: trust.path, notUsed, problem: trust.problem, command: trust.command };
}

/** For people: with the command. */
export function explainUntrusted(untrusted: Untrusted): string {
  return `${notUsedNow(untrusted)} A person can look at it and trust it: \`${untrusted.command}\`, or in the dashboard.`;
}

/**
 * To put behind an answer that lacks something for this reason; empty if nothing is left out. Models
 * read it, so it names no command that would trust the file.
 */
export function untrustedHint({ trust }: Pick<Core, "trust">): string {
  const untrusted = untrustedOf(trust?.now() ?? null);
  return untrusted
    ? ` ${notUsedNow(untrusted)} Only a person can decide that: ask the person to look at it in the dashboard.`
    : "";
}

function notUsedNow({ path, notUsed, problem }: Untrusted): string {
  const what = `Not used, because ${visibleLine(path)} is not trusted: ${notUsed.join(", ")}.`;
  return problem ? `${what} ${problem}` : what;
}
