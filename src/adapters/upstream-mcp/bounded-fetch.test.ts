import { expect, test } from "vitest";
import { createEventCutter } from "./bounded-fetch.ts";

test("server-sent events come out whole, however the stream was cut into chunks", () => {
  const bytes = Buffer.from(
    ": hi\n\nevent: message\r\ndata: 一\r\n\r\ndata: 2\ndata: 3\n\ndata: half",
  );
  const cutter = createEventCutter(1_000);
  const parts = Array.from(bytes, (_, at) => cutter.push(bytes.subarray(at, at + 1)).whole);
  const events = parts
    .filter(({ length }) => length > 0)
    .map((part) => Buffer.from(part).toString());
  expect(events).toEqual([
    ": hi\n\n",
    "event: message\r\ndata: 一\r\n\r\n",
    "data: 2\ndata: 3\n\n",
  ]);
});

test("an event over the limit is left out and reported, and the next one passes", () => {
  const cutter = createEventCutter(100);
  expect(cutter.push(Buffer.from(`data: ${"x".repeat(500)}`)).tooLarge).toBe(false);
  const { whole, tooLarge } = cutter.push(Buffer.from(`${"x".repeat(500)}\n\ndata: ok\n\n`));
  expect(tooLarge).toBe(true);
  expect(Buffer.from(whole).toString()).toBe("data: ok\n\n");
});

test("a stream whose events have ids is recognised as resumable", () => {
  const plain = createEventCutter(100);
  plain.push(Buffer.from("data: id: 1\n\n"));
  expect(plain.hasIds()).toBe(false);
  const resumable = createEventCutter(100);
  resumable.push(Buffer.from("id: 1\ndata: x\n\n"));
  expect(resumable.hasIds()).toBe(true);
});
