import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { HASHES_FILE, hashesOf, pictures } from "../../../../scripts/slack-pictures.ts";
import { mrkdwnHtml } from "./mrkdwn.ts";

const LOOK = { locale: "en", people: { U1: "hana" } } as const;

test.each([
  ["*bold* _italic_ ~gone~", "<b>bold</b> <i>italic</i> <s>gone</s>"],
  ["これは*太字*です", "これは*太字*です"],
  ["これは\u200b*太字*\u200bです", "これは\u200b<b>太字</b>\u200bです"],
  ["`a*b*` c", "<code>a*b*</code> c"],
  ["a\n```\n*x*\n```\nb", "a<br><pre>*x*</pre>b"],
  ["<@U1> &lt;@U1&gt;", '<span class="mention">@hana</span> &lt;@U1&gt;'],
  ["<!date^1776663192^{date}|x>", "Apr 20, 2026 2:33:12 PM"],
  ["> quoted\nafter", "<blockquote>quoted</blockquote>after"],
  ["✅ 1", '<span class="emoji">✅</span> 1'],
])("mrkdwn %j is shown as Slack shows it", (text, html) => {
  expect(mrkdwnHtml(text, LOOK)).toBe(html);
});

test("the pictures show the cards of this version: node scripts/slack-pictures.ts", () => {
  const all = pictures();
  expect(readFileSync(HASHES_FILE, "utf8")).toBe(hashesOf(all));
  expect(all.filter(({ name }) => !existsSync(new URL(`${name}.png`, HASHES_FILE)))).toEqual([]);
});

test("the page of the cards shows every picture", () => {
  const page = readFileSync(new URL("../../slack-cards.md", HASHES_FILE), "utf8");
  const missing = pictures().filter(({ name }) => !page.includes(`(images/slack/${name}.png)`));
  expect(missing.map(({ name }) => name)).toEqual([]);
});
