import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { eventPage, renderEventPage } from "../../../scripts/event-reference.ts";
import { EVENT_MEANINGS } from "../../../scripts/words-ja/events.ts";
import { LOCALES } from "../../domain/locale.ts";
import { EVENTS } from "./events.ts";

test.each(LOCALES)(
  "the page of live events (%s) lists every event (else: node scripts/event-reference.ts)",
  (locale) => {
    const page = readFileSync(eventPage(locale), "utf8");

    expect(page).toBe(renderEventPage(page, locale));
  },
);

test("every event has a Japanese meaning in scripts/words-ja, and every meaning an event", () => {
  const types = EVENTS.map(({ type }) => type);

  expect(Object.keys(EVENT_MEANINGS).toSorted()).toEqual(types.toSorted());
});

test("no two events have the same name", () => {
  const types = EVENTS.map(({ type }) => type);

  expect(types).toEqual([...new Set(types)]);
});
