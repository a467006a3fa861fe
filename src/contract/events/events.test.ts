import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { EVENT_PAGE, renderEventPage } from "../../../scripts/event-reference.ts";
import { EVENTS } from "./events.ts";

test("docs/rest-and-live.md lists every event (else: node scripts/event-reference.ts)", () => {
  const page = readFileSync(EVENT_PAGE, "utf8");

  expect(page).toBe(renderEventPage(page));
});

test("no two events have the same name", () => {
  const types = EVENTS.map(({ type }) => type);

  expect(types).toEqual([...new Set(types)]);
});
