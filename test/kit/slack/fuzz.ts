import { isRecord } from "../../../src/base/narrow.ts";
import type { Change } from "./samples/sample.ts";

/** Texts that have broken cards of others, or could. */
export const NASTY_TEXTS: readonly string[] = [
  "",
  " ",
  "\n\n",
  "<!channel>",
  "<!here|here> <!everyone>",
  "<@U012ABC>",
  "<@U1> <#C1> <!subteam^S1>",
  "<https://evil.example|click here>",
  "<!date^1^{date}|x>",
  "&lt;!channel&gt;",
  "&amp;amp;",
  "a & b < c > d",
  "`",
  "``",
  "```",
  "```\ncode",
  "a ``` b ``` c ```",
  "`a` `b",
  "*",
  "**",
  "*a",
  "**bold** *italic* ~~gone~~ __b__ _i_",
  "***",
  "~",
  "# 見出し\n- 項目\n> 引用",
  "| a | b |\n|---|---|\n| 1 | `2` |",
  "[label](https://evil.example/?a=1&b=2)",
  "@channel @here #general",
  "👩‍👩‍👧‍👦",
  "🏴󠁧󠁢󠁥󠁮󠁧󠁿",
  "🇯🇵🇺🇸",
  "e\u0301\u0301\u0301",
  "\ud83d",
  "a\udc00b",
  "\ud83d\ud83d",
  "שלום עולם",
  "\u202eabc\u202c",
  "\u2066x\u2069",
  "\u0000\u0007\u001b[31mred",
  "a\u200bb\ufeffc",
  "\r\nline\r",
  "<".repeat(3_000),
  "&".repeat(3_000),
  "*a ".repeat(1_100),
  "`".repeat(5_000),
  "```\n".repeat(800),
  "あ".repeat(10_000),
  "👩‍👩‍👧‍👦".repeat(300),
  "🚀".repeat(5_000),
  `${"x".repeat(2_990)}<@U012ABC> and more`,
  `${"x".repeat(2_993)}&amp;&lt;`,
  `${"x".repeat(2_996)}👩‍👩‍👧‍👦👩‍👩‍👧‍👦`,
  "line\n".repeat(800),
  `Z${"\u0301".repeat(5_000)}`,
];

const PIECES: readonly string[] = [
  ...NASTY_TEXTS.filter((text) => text.length < 40),
  "word ",
  "文章です。",
  "\n",
  "\n\n",
  "  ",
  "1. ",
  "- ",
  "```ts\n",
  "\\*",
  "x".repeat(97),
];

/** Deterministic: the same seed gives the same texts. */
export function createFuzz(seed: number) {
  let state = seed;
  /** mulberry32 */
  const random = (below: number): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
  let count = 0;
  return {
    /** How many texts it has given. */
    count: () => count,
    /** Mostly short texts, some longer than any limit. */
    text: (): string => {
      count++;
      if (random(10) === 0) return NASTY_TEXTS[random(NASTY_TEXTS.length)] ?? "";
      const pieces = Array.from(
        { length: random(5) === 0 ? random(200) : random(12) },
        () => PIECES[random(PIECES.length)] ?? "",
      );
      return pieces.join("");
    },
  };
}

/** Not texts of others: values of a fixed set, ids that Slack gave, and addresses of ours. */
const KEPT: ReadonlySet<string> = new Set([
  "locale",
  "kind",
  "status",
  "priority",
  "mode",
  "decision",
  "stopFor",
  "fullTextIn",
  "slackUserId",
  "dashboardUrl",
  "url",
  "metadata",
  "decisionValue",
  "cancelValue",
  "blockValue",
  "unblockValue",
  "retryValue",
  "stopValue",
]);

/** Replaces every foreign text of a view. `reason` of a notice is a value of a fixed set. */
export function replaceTexts(next: () => string, isKept: (key: string) => boolean): Change {
  const replaced = (key: string, value: unknown): unknown => {
    if (typeof value === "string") return KEPT.has(key) || isKept(key) ? value : next();
    if (Array.isArray(value)) return value.map((each) => replaced(key, each));
    if (isRecord(value)) {
      for (const [name, inner] of Object.entries(value)) {
        Reflect.set(value, name, replaced(name, inner));
      }
    }
    return value;
  };
  return (view) => {
    const copy = structuredClone(view);
    replaced("", copy);
    return copy;
  };
}

/** Repeats the entries of every list of a view: steps, agents, people, choices, asks. */
export function repeatEntries(times: number): Change {
  const repeat = (value: unknown): void => {
    if (!isRecord(value) && !Array.isArray(value)) return;
    for (const inner of Object.values(value)) repeat(inner);
    if (!Array.isArray(value)) return;
    const once: readonly unknown[] = [...value];
    for (let time = 1; time < times; time++) value.push(...once);
  };
  return (view) => {
    const copy = structuredClone(view);
    repeat(copy);
    return copy;
  };
}
