/**
 * Arguments that clients add to every call on their own, whatever the tool's schema says. They
 * carry nothing for the tool: the Gemini CLI uses `wait_for_previous` to order its own calls.
 */
const CLIENT_ADDED: readonly string[] = ["wait_for_previous"];

/**
 * The arguments without what the client added, so that they can be validated, bound to an approval
 * and sent upstream. An argument that the tool itself declares stays.
 */
export function withoutClientArguments(args: unknown, declared: object): unknown {
  if (typeof args !== "object" || args === null || Array.isArray(args)) return args;
  const added = CLIENT_ADDED.filter((name) => name in args && !Object.hasOwn(declared, name));
  if (added.length === 0) return args;
  return Object.fromEntries(Object.entries(args).filter(([name]) => !added.includes(name)));
}
