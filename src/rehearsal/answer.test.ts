import { expect, test } from "vitest";
import { NOTIFICATION_LINE } from "../domain/notifications/notification.ts";
import { readAnswer } from "./answer.ts";

const text = (words: string) => ({ type: "text", text: words });

test.each([
  ["structured content", { content: [], structuredContent: { notification: NOTIFICATION_LINE } }],
  ["JSON text", { content: [text(JSON.stringify({ a: 1, notification: NOTIFICATION_LINE }))] }],
  [
    "a refusal",
    {
      isError: true,
      content: [text(JSON.stringify({ code: "X", notification: NOTIFICATION_LINE }))],
    },
  ],
  ["a block of its own", { content: [text(NOTIFICATION_LINE), text("upstream")] }],
])("readAnswer finds the notification line in %s", (_where, result) => {
  expect(readAnswer(result).isNotifying).toBe(true);
});

test.each([
  ["nothing", { content: [] }],
  ["another text of that name", { content: [text('{"notification":"at noon"}')] }],
  ["an empty one", { content: [text('{"notification":""}')] }],
  ["one of another type", { content: [text('{"notification":true}')] }],
  ["a quotation", { content: [text(`「${NOTIFICATION_LINE}」`)] }],
])("readAnswer does not take %s for the notification line", (_what, result) => {
  expect(readAnswer(result).isNotifying).toBe(false);
});

test("readAnswer reads fields from structured content, else from the first text that is an object", () => {
  const content = [text("note"), { type: "image" }, text("[1]"), text('{"a":1}'), text('{"b":2}')];

  expect(readAnswer({ content }).fields).toEqual({ a: 1 });
  expect(readAnswer({ content, structuredContent: { c: 3 } }).fields).toEqual({ c: 3 });
  expect(readAnswer({ content: [text("no data")] })).toMatchObject({ text: "no data", fields: {} });
});
