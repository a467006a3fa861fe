import { expect, test } from "vitest";
import { createRareWarning } from "./rare-warning.ts";

test("a warning that strangers cause is logged once a minute, with how many there were", () => {
  const lines: unknown[] = [];
  let now = 0;
  const log = { debug() {}, info() {}, error() {}, warn: (...line: unknown[]) => lines.push(line) };
  const warn = createRareWarning({ clock: { now: () => now }, log });

  for (let n = 0; n < 1_000; n++) warn("Refused.", { why: n });
  now = 60_000;
  warn("Refused.", { why: 1_000 });

  expect(lines).toEqual([
    ["Refused.", { why: 0 }],
    ["Refused.", { why: 1_000, notLogged: 999 }],
  ]);
});
