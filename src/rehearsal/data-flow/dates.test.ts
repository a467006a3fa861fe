import { expect, test } from "vitest";
import { findDates, writtenForms } from "./dates.ts";

const NOW = new Date(2026, 10, 15);

function usual(text: string): readonly (string | undefined)[] {
  return findDates(text, NOW).map((date) => writtenForms(date)[0]);
}

test.each([
  ["9月分をまとめて", ["2026-09"]],
  ["2025年9月分をまとめて", ["2025-09"]],
  ["9月と10月", ["2026-09", "2026-10"]],
  ["2025年度の9月から11月3日まで", ["2025-09", "2025-11-03"]],
  ["2026-09-01から2026/9/15まで", ["2026-09-01", "2026-09-15"]],
  ["2026-09 の分", ["2026-09"]],
  ["Sum up September", ["2026-09"]],
  ["Sum up Sep. 2024 and Oct", ["2024-09", "2024-10"]],
  ["先月の分", ["2026-10"]],
  ["昨日の分", ["2026-11-14"]],
])("findDates reads %s", (text, expected) => {
  expect(usual(text)).toEqual(expected);
});

test.each(["13月", "2026-02-30", "0月", "12026-09", "番号 2026-09-01-3", "march on", "Maybe", ""])(
  "findDates finds no date in %j",
  (text) => {
    expect(usual(text)).toEqual([]);
  },
);

test("last month in January belongs to the previous year", () => {
  const [date] = findDates("先月", new Date(2027, 0, 31));

  expect(date).toMatchObject({ year: 2026, month: 12, day: null });
});

test("isYearGiven is true only if the text names the year", () => {
  expect(findDates("9月", NOW)).toMatchObject([{ isYearGiven: false }]);
  expect(findDates("2026年9月", NOW)).toMatchObject([{ isYearGiven: true }]);
});
