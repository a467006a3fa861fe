import { realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { isRecord } from "../../src/base/narrow.ts";

/** Stands for a text that is written for people: its wording may change, its presence may not. */
export const TEXT = "<text>";
/** Texts that the scenarios send begin with this mark. They are data, so they are compared exactly. */
export const MARK = "互換";

const REPOSITORY = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");

const FOR_PEOPLE = new Set(
  [
    "message hint detail note next notification errorMessage lastMessage summary response reason",
    "systemPrompt healthCheckPrompt promptInstructions prompt instructions advice title text",
    "description question error errors warnings output preview snippet rawOutput instruction answer",
    "factsGiven factsToLookUp factsToDerive guesses plan content",
  ].flatMap((names) => names.split(" ")),
);
/** Numbers that depend on the clock or the machine. */
const NUMBERS_THAT_VARY =
  /At$|^(at|since|seq|from|to|id|pid|size|nextOffset|elapsed_ms|duration_ms|responseTime_ms)$/;
/** Texts that depend on the clock, the machine or the build. */
const TEXTS_THAT_VARY =
  /^(epoch|node|platform|day|sessionId|sessionKey|traceId|cursor|nextCursor)$|^(v|serverV)ersion$/;

/** What depends on how often an agent polls for notices, and when. */
const POLLED = new Set(["toolCallCount", "announcedAt"]);

type Scalar = string | number | boolean | null | undefined;

/**
 * Replaces what differs from run to run by stable placeholders. An id gets the number of its first
 * appearance, so that the same id has the same placeholder in all answers of a scenario.
 * `listens`: an agent polls for notices, so what depends on its polls is left out.
 */
export function createNormalizer(
  places: Readonly<Record<string, string>>,
  { listens }: { readonly listens: boolean } = { listens: false },
) {
  const known = new Map<string, string>();
  const counts = new Map<string, number>();
  const paths = Object.entries({
    ...places,
    [REPOSITORY]: "<repository>",
    [process.execPath]: "<node>",
  })
    .flatMap(([path, name]) => [path, realOf(path)].map((each) => [each, name] as const))
    .toSorted(([a], [b]) => b.length - a.length);

  function placeholder(id: string, kind: string): string {
    const seen = known.get(id);
    if (seen) return seen;
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    known.set(id, `<${kind} ${count}>`);
    return `<${kind} ${count}>`;
  }

  function text(value: string): string {
    let result = value;
    for (const [path, name] of paths) result = result.replaceAll(path, name);
    return result
      .replaceAll(/https?:\/\/(127\.0\.0\.1|localhost):\d+/g, "<url>")
      .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, "<time>")
      .replaceAll(/\b([a-z]+)-[0-9A-HJKMNP-TV-Z]{26}\b/g, (id, kind) =>
        placeholder(id, String(kind)),
      )
      .replaceAll(/\b([a-z][a-z-]*)-\d{10}-[0-9a-f]{4,}\b/g, (id, kind) =>
        placeholder(id, String(kind)),
      )
      .replaceAll(/\b[0-9a-f]{64}\b/g, "<sha256>")
      .replaceAll(/\bkmj_[\w-]{43}/g, "<token>");
  }

  function scalar(value: Scalar, key: string): Scalar {
    if (typeof value === "number") return NUMBERS_THAT_VARY.test(key) ? "<number>" : value;
    if (typeof value !== "string" || value === "") return value;
    if (TEXTS_THAT_VARY.test(key)) return `<${key}>`;
    return FOR_PEOPLE.has(key) && isProse(value) ? TEXT : text(value);
  }

  function normalize(value: unknown, key = ""): unknown {
    if (listens && POLLED.has(key)) return "<polled>";
    if (Array.isArray(value)) {
      const kept = listens ? value.filter((each) => !isAnnouncement(each)) : value;
      return kept.map((each) => normalize(each, key));
    }
    if (!isRecord(value)) return isScalar(value) ? scalar(value, key) : value;
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [text(name), normalize(each, name)]),
    );
  }
  return { normalize, text };
}
export type Normalizer = ReturnType<typeof createNormalizer>;

function isAnnouncement(value: unknown): boolean {
  return isRecord(value) && value["type"] === "notification:announced";
}

/** One word of ASCII is a code, whatever its key. */
function isProse(value: string): boolean {
  return /[^\x21-\x7e]/.test(value) && !value.startsWith(MARK);
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function isScalar(value: unknown): value is Scalar {
  return value === null || ["string", "number", "boolean", "undefined"].includes(typeof value);
}
