import { readInputBlock, type DraftInput } from "../domain/tasks/drafting.ts";
import { isOfATask, parseDirectives, type Directive } from "./directives.ts";
import { internalRole, readTaskInput } from "./read-task-input.ts";

/** The part of the prompt that an internal role uses. */
export type TaskPart = {
  /** undefined: there is a block, but it cannot be read. */
  readonly input: DraftInput | undefined;
  readonly directives: readonly Directive[];
  /** Directives of the request that do not name a role. */
  readonly ignored: readonly Directive[];
};

/**
 * A task runs four roles with one request, so each directive names its role. They are inside the
 * JSON: directives in the prompt itself are ignored. undefined: not an internal role.
 */
export function readTaskPart(role: string | undefined, rest: string): TaskPart | undefined {
  const mine = internalRole(role);
  const json = readInputBlock(rest);
  if (!mine || json === undefined) return undefined;
  const input = readTaskInput(json, mine);
  const all = parseDirectives(input?.request ?? "").flatMap((directive) =>
    directive.verb === "first" ? (isFirstTry(input) ? [directive.what] : []) : [directive],
  );
  return {
    input,
    directives: all.flatMap((directive) => {
      if (directive.verb === "in") return directive.role === mine ? [directive.what] : [];
      return isOfATask(directive) || directive.verb === "unknown" ? [directive] : [];
    }),
    ignored: all.filter((directive) => !isOfATask(directive) && directive.verb !== "unknown"),
  };
}

function isFirstTry(input: DraftInput | undefined): boolean {
  if (input?.stage === "execution") return input.attempt <= 1;
  return input?.sentBack === null;
}
