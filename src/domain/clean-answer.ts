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
    content: content.map((block) => ({ ...cleanObject(block, 0), type: cleanText(block.type) })),
    ...(structuredContent === undefined
      ? {}
      : { structuredContent: cleanObject(structuredContent, 0) }),
    isError,
  };
}

export function cleanText(text: string): string {
  return withoutOurLine(text.replaceAll(ESCAPES, "").replaceAll(HIDDEN, ""));
}

/** Sequences for terminals: colours, titles, cursor moves. */
// oxlint-disable-next-line no-control-regex -- that is what they are made of
const ESCAPES = /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])/g;
/** Controls but tab and line ends, changes of direction, and tags nobody sees. */
const HIDDEN =
  // oxlint-disable-next-line no-control-regex -- that is what is taken out
  /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/gu;

function cleanValue(value: unknown, depth: number): unknown {
  if (typeof value === "string") return cleanText(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth >= MAX_DEPTH) return null;
  if (Array.isArray(value)) return value.map((item) => cleanValue(item, depth + 1));
  return cleanObject(value, depth + 1);
}

function cleanObject(value: object, depth: number): Record<string, unknown> {
  // A null prototype keeps a key `__proto__` a plain member.
  const copy: Record<string, unknown> = Object.create(null);
  for (const [key, member] of Object.entries(value)) {
    copy[cleanText(key)] = cleanValue(member, depth);
  }
  return copy;
}
