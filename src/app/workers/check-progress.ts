import { NO_PROGRESS, type AgentProgress } from "../../domain/agents/progress.ts";

/**
 * A progress as a worker sent it. Members that a worker of another version does not know get their
 * first value, members that this version does not know are left out, and a wrong kind is refused.
 */
export function checkProgress(sent: Readonly<Record<string, unknown>>): AgentProgress {
  const known = Object.entries(NO_PROGRESS).flatMap(([name, first]) => {
    const value = sent[name];
    if (value === undefined) return [];
    if (!isLike(value, first)) throw new Error(`The progress has a wrong "${name}".`);
    return [[name, value] as const];
  });
  return { ...NO_PROGRESS, ...Object.fromEntries(known) };
}

/** A member whose first value is null may become a text, a number, a flag or an object. */
function isLike(value: unknown, first: unknown): boolean {
  if (first === null || value === null) return first === null;
  if (Array.isArray(first)) return Array.isArray(value);
  if (typeof first === "object") return typeof value === "object" && !Array.isArray(value);
  return typeof value === typeof first;
}
