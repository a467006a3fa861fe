import { expect, test } from "vitest";
import { codeBlock, codeSpan, jsonBlock } from "./code.ts";
import { dateText } from "./date.ts";
import { escapeText, literalText } from "./escape.ts";
import { isCut, markdown } from "./markdown.ts";
import { mention } from "./mention.ts";
import { plainLine } from "./plain-line.ts";
import { readableJson } from "./readable-json.ts";
import { truncateMrkdwn } from "./truncate-mrkdwn.ts";

test.each([
  ["<!channel> & <@U1>", "&lt;!channel&gt; &amp; &lt;@U1&gt;"],
  ["&lt;", "&amp;lt;"],
  ["a\ud83d", "a\ufffd"],
  ["a\u202eb\u200bc", "abc"],
  ["👩‍💻", "👩‍💻"],
])("escapeText makes %j harmless", (text, escaped) => {
  expect(escapeText(text)).toBe(escaped);
});

test("literalText replaces the marks of mrkdwn by lookalikes", () => {
  expect(literalText("*a* `b` ~c~ d_e")).toBe("∗a∗ ˋbˋ ∼c∼ d_e");
});

test.each([
  ["a text that fits is kept", "abc", 3, "abc"],
  ["the cut is marked", "abcdefgh", 6, "abc..."],
  ["an emoji of several code points is not cut", "ab👩‍💻cdef", 8, "ab..."],
  ["an entity is not cut", "ab&amp;cdefgh", 8, "ab..."],
  ["a mention is not cut", "ab <@U0123456789> cd", 12, "ab..."],
  ["a mention before the cut is kept", "<@U01> and more text", 12, "<@U01> an..."],
  ["an open code span is closed", "a `code span` b", 11, "a `code`..."],
  ["an open bold text is closed", "a *bold text* b", 11, "a *bold*..."],
  ["an open code block is closed", "```\nabcdefghijk\n```", 17, "```\nabcdef...\n```"],
  ["half a fence is removed", "abcdefg```hijk```", 11, "abcdefg..."],
  ["marks inside code stay", "`a *b` cdefghij", 12, "`a *b` cd..."],
])("truncateMrkdwn: %s", (_, text, limit, short) => {
  expect(truncateMrkdwn(text, limit)).toBe(short);
  expect(short.length).toBeLessThanOrEqual(limit);
});

test.each([
  ["**太字**", "*太字*"],
  ["これは**太字**です", "これは\u200b*太字*\u200bです"],
  ["__bold__ and *italic* and ~~gone~~", "*bold* and _italic_ and ~gone~"],
  ["***both***", "*_both_*"],
  ["# 見出し **強調**", "*見出し 強調*"],
  ["- one\n  * two", "• one\n  • two"],
  ["> quoted <!here>", "> quoted &lt;!here&gt;"],
  ["---", "———"],
  ["2 * 3 * 4", "2 ∗ 3 ∗ 4"],
  ["[click](https://evil.example/x)", "click (https://evil.example/x)"],
  ["<https://a.example>", "https://a.example"],
  ["use `a*b*c` here", "use `a*b*c` here"],
  ["``a`b``", "`aˋb`"],
  ["a ` b", "a ˋ b"],
  ["```ts\nconst a = `b`;\n```\nend", "```\nconst a = ˋbˋ;\n```\nend"],
  ["````\n```\n````", "```\nˋˋˋ\n```"],
  ["```\nopen", "```\nopen\n```"],
  ["| a | b |\n|---|---|\n| 1 | 2 |\nend", "```\n| a | b |\n| 1 | 2 |\n```\nend"],
  ["", "—"],
  [" \n ", "—"],
])("markdown converts %j", (text, converted) => {
  expect(markdown(text, 3_000)).toBe(converted);
});

test("markdown marks the cut of a text that is too long to be read", () => {
  expect(markdown(`a${" ".repeat(20_000)}b`, 100)).toBe("a...");
});

test("markdown reads a long text of open marks in a moment", () => {
  const marks = ["`", "``", "*", "**", "[", "](http:", "_", "__", "~~", "&lt;http:"];
  for (const mark of marks) expect(markdown(mark.repeat(6_000), 3_000)).toBeTruthy();
});

test("codeSpan is one span of code, whatever the text contains", () => {
  expect(codeSpan("a`b\nc", 50)).toBe("`aˋb c`");
  expect(codeSpan("abcdefghij", 8)).toBe("`abc...`");
  expect(codeSpan(" ", 50)).toBe("—");
});

test("codeBlock cannot be ended by its text", () => {
  expect(codeBlock("a\n```\n<b>", 50)).toBe("```\na\nˋˋˋ\n&lt;b&gt;\n```");
});

test("jsonBlock shows hidden characters and backticks as JSON escapes", () => {
  const json = JSON.stringify({ a: "x\u202ey```" });
  const block = jsonBlock(json, 200);
  expect(block).toBe('```\n{"a":"x\\u202ey\\u0060\\u0060\\u0060"}\n```');
  expect(JSON.parse(block.split("\n")[1] ?? "")).toEqual(JSON.parse(json));
});

test("dateText has the time in seconds and a fallback in UTC", () => {
  expect(dateText(Date.UTC(2026, 10, 15, 14, 33, 12, 999))).toBe(
    "<!date^1794753192^{date_short_pretty} {time_secs}|2026-11-15 14:33:12 UTC>",
  );
});

test("mention names a person whose Slack user is not known or not valid", () => {
  expect(mention({ name: "hana", slackUserId: "U12345" })).toBe("<@U12345>");
  expect(mention({ name: "<!here>" })).toBe("&lt;!here&gt;");
  expect(mention({ name: "hana", slackUserId: "U1> <!here" })).toBe("hana");
  expect(mention({ name: "" })).toBe("—");
});

test("plainLine is one line within the limit", () => {
  expect(plainLine("a\n b", 150)).toBe("a b");
  expect(plainLine("x".repeat(200), 150)).toBe(`${"x".repeat(147)}...`);
  expect(plainLine("*a b c d", 7)).toBe("*a b...");
  expect(plainLine("\n", 150)).toBe("—");
});

test("readableJson keeps the value, and breaks only what is too long for a line", () => {
  const value = {
    sheet: "attendance",
    rows: [
      ["1001", 12.5],
      ["1002", 8],
    ],
    note: "x".repeat(40),
  };
  expect(readableJson(value)).toBe(
    `{\n  "sheet": "attendance",\n  "rows": [["1001",12.5],["1002",8]],\n  "note": "${"x".repeat(40)}"\n}`,
  );
  expect(readableJson({ a: 1 })).toBe('{"a":1}');
  expect(readableJson([])).toBe("[]");
  const deep = { list: Array.from({ length: 30 }, (_, index) => ({ index, text: "```\n" })) };
  expect(JSON.parse(readableJson(deep))).toEqual(deep);
});

test("a line of thousands of quote marks is converted like any other", () => {
  expect(markdown(">".repeat(11_000), 100)).toMatch(/^>/);
  expect(markdown("> > deep", 100)).toBe("> > deep");
});

test("a link without an end takes no longer than a text without links", () => {
  const open = `[a](https:${"a".repeat(11_000)}`;
  const texts = Array.from({ length: 100 }, (_each, n) => `${open}${n}`);

  // If each character of the address is tried as its end, this takes a minute.
  expect(texts.every((text) => isCut(text, 3_000))).toBe(true);
  expect(markdown("[a](https://x.example title) b", 100)).toBe("a (https://x.example) b");
});
