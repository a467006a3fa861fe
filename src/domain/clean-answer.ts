import { withoutOurLine } from "./forged-line.ts";

/** Deeper than any honest answer. */
const MAX_DEPTH = 100;

type Block = Readonly<Record<string, unknown>> & { readonly type: string };

export type ToolAnswer = {
  readonly content: readonly Block[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly isError: boolean;
};

/**
 * What an upstream server answered, fit for an agent: our own sentence is in none of its texts,
 * and nothing in it moves a cursor, hides or reverses words.
 */
export function cleanAnswer({ content, structuredContent, isError }: ToolAnswer): ToolAnswer {
  return {
    content: content.map(cleanBlock),
    ...(structuredContent === undefined
      ? {}
      : { structuredContent: cleanObject(structuredContent, 0) }),
    isError,
  };
}

function cleanBlock(block: Block): Block {
  const cleaned = cleanObject(block, 0);
  return cleaned === block ? block : { ...cleaned, type: cleanText(block.type) };
}

export function cleanText(text: string): string {
  const shown = ODD.test(text) ? text.replaceAll(ESCAPES, "").replaceAll(HIDDEN, "") : text;
  return withoutOurLine(shown);
}

/** Sequences for terminals: colours, titles, cursor moves. */
// oxlint-disable-next-line no-control-regex -- that is what they are made of
const ESCAPES = /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])/g;
/** Controls but tab and line ends, changes of direction, and tags nobody sees. */
const HIDDEN =
  // oxlint-disable-next-line no-control-regex -- that is what is taken out
  /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/gu;

/** Whether there is anything of the two: most texts have nothing, and are not copied. */
const ODD = new RegExp(HIDDEN.source, "u");

function cleanValue(value: unknown, depth: number): unknown {
  if (typeof value === "string") return cleanText(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth >= MAX_DEPTH) return null;
  if (Array.isArray(value)) return cleanArray(value, depth + 1);
  return isObject(value) ? cleanObject(value, depth + 1) : null;
}

/** For the types: what is no list is known by its members. */
function isObject(value: object): value is Readonly<Record<string, unknown>> {
  return !Array.isArray(value);
}

function cleanArray(value: readonly unknown[], depth: number): readonly unknown[] {
  const copy = value.map((item) => cleanValue(item, depth));
  return copy.some((item, index) => item !== value[index]) ? copy : value;
}

/** The very same where nothing was to be taken out. */
function cleanObject(
  value: Readonly<Record<string, unknown>>,
  depth: number,
): Readonly<Record<string, unknown>> {
  const members = Object.entries(value).map(
    ([key, member]) => [cleanText(key), cleanValue(member, depth), key, member] as const,
  );
  if (members.every(([key, member, was, had]) => key === was && member === had)) return value;
  // A null prototype keeps a key `__proto__` a plain member.
  const copy: Record<string, unknown> = Object.create(null);
  for (const [key, member] of members) copy[key] = member;
  return copy;
}
