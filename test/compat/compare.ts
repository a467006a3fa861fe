import { isRecord } from "../../src/base/narrow.ts";
import { TEXT } from "./normalize.ts";

export type Difference = {
  /** Something recorded is missing or has another value: clients of the version before break. */
  readonly problems: string[];
  /** Fields that are new. */
  readonly additions: string[];
};

/** Everything recorded must still be there with the same value; new fields are allowed. */
export function compare(recorded: unknown, now: unknown, path = "$"): Difference {
  if (recorded === TEXT)
    return typeof now === "string" && now !== "" ? same() : changed(TEXT, now, path);
  if (Array.isArray(recorded)) return compareLists(recorded, now, path);
  if (isRecord(recorded)) return compareObjects(recorded, now, path);
  return recorded === now ? same() : changed(recorded, now, path);
}

function compareObjects(recorded: Record<string, unknown>, now: unknown, path: string): Difference {
  if (!isRecord(now)) return changed(recorded, now, path);
  const widened = widenedSchema(recorded, now);
  if (widened) return compareObjects(recorded, widened, path);
  const additions = Object.keys(now).filter((key) => !(key in recorded));
  return all([
    { problems: [], additions: additions.map((key) => `${path}.${key}`) },
    ...Object.entries(recorded).map(([key, value]) => compare(value, now[key], `${path}.${key}`)),
  ]);
}

function compareLists(recorded: readonly unknown[], now: unknown, path: string): Difference {
  if (!Array.isArray(now)) return changed(recorded, now, path);
  if (SETS.some((key) => path.endsWith(`.${key}`))) return compareSets(recorded, now, path);
  const keyed = byName(recorded);
  const named = byName(now);
  if (keyed && named) return compareObjects(keyed, named, path);
  const lengths = recorded.length === now.length ? same() : changed(recorded, now, path);
  return all([lengths, ...recorded.map((each, at) => compare(each, now[at], `${path}[${at}]`))]);
}

/** Lists of a JSON schema: their order means nothing, and further values may be added. */
const SETS = ["enum", "required"];

function compareSets(recorded: readonly unknown[], now: readonly unknown[], path: string) {
  const isThere = recorded.every((value) => now.includes(value));
  return isThere ? same() : changed(recorded, now, path);
}

/** A choice of one value became a choice of one or several: the first alternative is the old one. */
function widenedSchema(
  recorded: Record<string, unknown>,
  { anyOf, ...rest }: Record<string, unknown>,
): Record<string, unknown> | undefined {
  if (!("enum" in recorded) || !Array.isArray(anyOf)) return undefined;
  const first: unknown = anyOf[0];
  return isRecord(first) ? { ...rest, ...first } : undefined;
}

/** Tools, roles, runners and the like: their order means nothing, and further ones may be added. */
function byName(list: readonly unknown[]): Record<string, unknown> | undefined {
  const names = list.map((each) => {
    if (!isRecord(each)) return undefined;
    if (each["inputSchema"]) return each["name"];
    if (each["systemPrompt"] || "command" in each) return each["id"];
    return Array.isArray(each["models"]) ? each["runner"] : undefined;
  });
  if (list.length === 0 || !names.every((name) => typeof name === "string")) return undefined;
  return Object.fromEntries(list.map((each, at) => [String(names[at]), each]));
}

const same = (): Difference => ({ problems: [], additions: [] });

function changed(recorded: unknown, now: unknown, path: string): Difference {
  const problem = `${path}: was ${JSON.stringify(recorded)}, is ${JSON.stringify(now)}`;
  return { problems: [problem], additions: [] };
}

function all(differences: readonly Difference[]): Difference {
  return {
    problems: differences.flatMap(({ problems }) => problems),
    additions: differences.flatMap(({ additions }) => additions),
  };
}
