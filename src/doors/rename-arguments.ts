import { isRecord } from "../base/narrow.ts";

/** Other names of arguments: `{ text: "request" }` accepts `text` in place of `request`. */
export type OtherNames = Readonly<Record<string, string>>;

/**
 * Gives arguments their documented names. If a caller sends both names, the schema refuses the
 * other one as unknown.
 */
export function renameArguments(args: unknown, others: OtherNames): unknown {
  if (!isRecord(args)) return args;
  return Object.fromEntries(
    Object.entries(args).map(([given, value]) => {
      const name = Object.hasOwn(others, given) ? others[given] : undefined;
      return [name === undefined || name in args ? given : name, value];
    }),
  );
}
