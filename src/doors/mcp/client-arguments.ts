import { isRecord } from "../../base/narrow.ts";

/**
 * Arguments that clients add to every call, regardless of the tool's schema. They mean nothing to
 * the tool: the Gemini CLI uses `wait_for_previous` to order its own calls.
 */
const CLIENT_ADDED: readonly string[] = ["wait_for_previous"];

/**
 * Removes arguments that the client added, so that the rest can be validated, bound to an approval
 * and sent upstream. Arguments that the tool declares are kept.
 */
export function withoutClientArguments(args: unknown, declared: object): unknown {
  if (!isRecord(args)) return args;
  const added = CLIENT_ADDED.filter((name) => name in args && !Object.hasOwn(declared, name));
  if (added.length === 0) return args;
  return Object.fromEntries(Object.entries(args).filter(([name]) => !added.includes(name)));
}
