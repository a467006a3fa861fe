import { expect, test } from "vitest";
import { readText } from "./read-text.ts";

test.each([
  ["<@UBOT> 集計して", "集計して"],
  [" <@UBOT|kuro>: <@UBOT>、集計して ", "集計して"],
  ["<@U1|aoi> に <@UBOT> が送る", "@aoi に @UBOT が送る"],
  ["<#C1|general> と <#C2>", "#general と #C2"],
  ["<!channel> <!subteam^S1|@hr> <!date^1^{date}|昨日>", "@channel hr 昨日"],
  [
    "<https://a.example/x|資料> <https://a.example>",
    "資料 (https://a.example/x) https://a.example",
  ],
  ["<mailto:a@b.example|a@b.example>", "a@b.example"],
  ["a &lt; b &amp;&amp; c &gt; d, &amp;lt;", "a < b && c > d, &lt;"],
  ["1 < 2\n3 > 2", "1 < 2\n3 > 2"],
])("the Slack text %j is read as %j", (text, readable) => {
  expect(readText(text, "UBOT")).toBe(readable);
});
