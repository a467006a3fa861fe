import type { Directive } from "../directives.ts";
import type { ReadPrompt } from "../read-prompt.ts";
import { isVerb, lastOf } from "../run.ts";

/** How the orchestrator proceeds, from its prompt and its directives. */
export type Plan = {
  readonly task: string;
  /** Empty: the prompt names no roles. */
  readonly roles: readonly string[];
  readonly iterations: number;
  readonly isSame: boolean;
  readonly keepsLedger: boolean;
  /** Directives for the sub-agents. */
  readonly childLines: readonly string[];
};

/** One iteration to delegate and one to replan. */
const ITERATIONS = 2;
const OWN_ROLE = "orchestrator";

export function readPlan({ rest, firstLine, directives }: ReadPrompt): Plan {
  const limit = Number(lastField(rest, "maxIterations")?.match(/\d+/)?.[0] ?? Infinity);
  return {
    task: firstLine,
    roles: readRoles(lastField(rest, "availableRoles") ?? ""),
    // The limit does not cap an explicit number, so that a rehearsal can run into the limit.
    iterations: lastOf(directives, "iterations")?.count ?? Math.max(1, Math.min(ITERATIONS, limit)),
    isSame: lastOf(directives, "same") !== undefined,
    keepsLedger: lastOf(directives, "no-ledger") === undefined,
    childLines: directives.filter(isChild).map(({ rest: line }) => `#rehearsal ${line}`),
  };
}

/** Excludes orchestrators: a second one would delegate again, without end. */
export function delegates(roles: readonly string[]): readonly string[] {
  return [...new Set(roles)].filter((role) => role !== OWN_ROLE);
}

/** Accepts any brackets, quotes and separators. */
function readRoles(value: string): readonly string[] {
  return delegates(value.match(/[\w.-]+/g) ?? []);
}

/** The last such line: these fields come after the user's texts. */
function lastField(text: string, name: string): string | undefined {
  const lines = text.matchAll(new RegExp(`^[ \\t*-]*${name}\\**[ \\t]*[:：](.*)$`, "gm"));
  return [...lines].at(-1)?.[1];
}

function isChild(directive: Directive): directive is Extract<Directive, { verb: "child" }> {
  return isVerb(directive, "child");
}
