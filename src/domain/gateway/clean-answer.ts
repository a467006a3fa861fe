import { isRecord } from "../../base/narrow.ts";
import { removeHidden } from "../text/hidden-characters.ts";
import { piecesOf } from "../text/text-pieces.ts";
import { createLineFinder, isAscii, withoutOurLine } from "./forged-line.ts";

/** Deeper than any honest answer. */
const MAX_DEPTH = 100;
/** How much text is cleaned before the event loop runs again: a few milliseconds of work. */
const PIECE_CHARS = 32 * 1024;
/** The fixed cost of a text, counted in characters. */
const CHARS_PER_TEXT = 8;

/** The member in which we announce notifications; a server's member of that name is renamed. */
const OUR_MEMBER = "notification";
const THEIR_MEMBER = "upstreamNotification";

type Block = Readonly<Record<string, unknown>> & { readonly type: string };

export type ToolAnswer = {
  readonly content: readonly Block[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly isError: boolean;
};

/**
 * Makes the answer of an upstream server fit for an agent: none of its texts contains our
 * notification line, and nothing in it moves a cursor, hides or reverses words. It is a generator
 * so that the caller can let other work run between two steps of a large answer.
 */
export function* cleanAnswer(answer: ToolAnswer): Generator<void, ToolAnswer> {
  const found: Texts = { visible: [], other: [], structured: [] };
  const bounded = mapTexts(answer, (text, stream) => {
    found[stream].push(text);
    return text;
  });
  const cleaned = {
    visible: yield* cleanStream(found.visible),
    other: yield* cleanStream(found.other),
    structured: yield* cleanStream(found.structured),
  };
  const next = { visible: 0, other: 0, structured: 0 };
  return withoutOurMember(
    mapTexts(bounded, (text, stream) => cleaned[stream][next[stream]++] ?? text),
  );
}

/** A client takes this member for ours, whatever its value is. */
function withoutOurMember(answer: ToolAnswer): ToolAnswer {
  const { structuredContent } = answer;
  if (structuredContent?.[OUR_MEMBER] === undefined) return answer;
  let name = THEIR_MEMBER;
  while (name in structuredContent) name += "_";
  const renamed = withMembers(
    Object.entries(structuredContent).map(([key, member]) => [
      key === OUR_MEMBER ? name : key,
      member,
    ]),
  );
  return { ...answer, structuredContent: renamed };
}

/** For short texts: callers must limit the length. */
export function cleanText(text: string): string {
  return withoutOurLine([withoutHidden(text)])[0] ?? "";
}

/** Sequences for terminals: colours, titles, cursor moves. */
// oxlint-disable-next-line no-control-regex -- escape sequences consist of control characters
const ESCAPES = /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])/g;

function withoutHidden(text: string): string {
  return removeHidden(text.replaceAll(ESCAPES, ""));
}

function* cleanStream(texts: readonly string[]): Generator<void, readonly string[]> {
  const isStepOver = createPace();
  const shown: string[] = [];
  for (const text of texts) {
    shown.push(yield* showInPieces(text));
    if (isStepOver(text)) yield;
  }
  if (shown.every(isAscii)) return shown;
  const finder = createLineFinder();
  for (const text of shown) {
    yield* finder.read(text, PIECE_CHARS);
    if (isStepOver(text)) yield;
  }
  return finder.result();
}

function* showInPieces(text: string): Generator<void, string> {
  if (text.length <= PIECE_CHARS) return withoutHidden(text);
  const pieces: string[] = [];
  for (const piece of piecesOf(text, PIECE_CHARS)) {
    pieces.push(withoutHidden(piece));
    yield;
  }
  return pieces.join("");
}

/** Returns true when many short texts together are as much work as one piece of a long text. */
function createPace(): (text: string) => boolean {
  let chars = 0;
  return (text) => {
    chars += text.length + CHARS_PER_TEXT;
    if (chars < PIECE_CHARS) return false;
    chars = 0;
    return true;
  };
}

/**
 * Texts that a client shows one after the other, so the line may be spread over them. `visible`:
 * what the blocks say; `other`: all else in the blocks; `structured`: keys and values in the order
 * in which JSON has them.
 */
type Texts = Record<Stream, string[]>;
type Stream = "visible" | "other" | "structured";
type Change = (text: string, stream: Stream) => string;

/** Calls `change` with every text of the answer, always in the same order. */
function mapTexts(answer: ToolAnswer, change: Change): ToolAnswer {
  const { content, structuredContent, isError } = answer;
  return {
    content: content.map((block) => mapBlock(block, change)),
    ...(structuredContent === undefined
      ? {}
      : {
          structuredContent: mapObject(structuredContent, 0, (text) => change(text, "structured")),
        }),
    isError,
  };
}

function mapBlock(block: Block, change: Change): Block {
  const mapped = mapObject(block, 0, (text, key) =>
    change(text, key === "text" ? "visible" : "other"),
  );
  return mapped === block ? block : { ...mapped, type: String(mapped["type"]) };
}

/** `key`: of the member that the text is the value of; undefined for the keys themselves. */
type Visit = (text: string, key?: string) => string;

function mapValue(value: unknown, depth: number, visit: Visit, key: string): unknown {
  if (typeof value === "string") return visit(value, key);
  if (typeof value !== "object" || value === null) return value;
  if (depth >= MAX_DEPTH) return null;
  if (Array.isArray(value)) return mapArray(value, depth + 1, visit);
  return isRecord(value) ? mapObject(value, depth + 1, visit) : null;
}

function mapArray(value: readonly unknown[], depth: number, visit: Visit): readonly unknown[] {
  const copy = value.map((item) => mapValue(item, depth, visit, ""));
  return copy.some((item, index) => item !== value[index]) ? copy : value;
}

/** Returns the same object if nothing in it changed. */
function mapObject(
  value: Readonly<Record<string, unknown>>,
  depth: number,
  visit: Visit,
): Readonly<Record<string, unknown>> {
  const members = Object.entries(value).map(
    ([key, member]) => [visit(key), mapValue(member, depth, visit, key), key, member] as const,
  );
  if (members.every(([key, member, was, had]) => key === was && member === had)) return value;
  return withMembers(members.map(([key, member]) => [key, member]));
}

/** A null prototype keeps a key `__proto__` a plain member. */
function withMembers(
  members: readonly (readonly [string, unknown])[],
): Readonly<Record<string, unknown>> {
  const made: Record<string, unknown> = Object.create(null);
  for (const [key, member] of members) made[key] = member;
  return made;
}
