/** A day or a month that a text mentions. */
export type FoundDate = {
  readonly year: number;
  readonly month: number;
  readonly day: number | null;
  /** The text states the year; otherwise it is the current one. */
  readonly isYearGiven: boolean;
};

const MONTH_NAMES = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

/** Words for a month or a day relative to today, with the number of months or days. */
const MONTHS_AWAY: readonly (readonly [RegExp, number])[] = [
  [/今月|\bthis month\b/i, 0],
  [/先月|\blast month\b/i, -1],
  [/来月|\bnext month\b/i, 1],
];
const DAYS_AWAY: readonly (readonly [RegExp, number])[] = [
  [/今日|本日|\btoday\b/i, 0],
  [/昨日|\byesterday\b/i, -1],
  [/明日|\btomorrow\b/i, 1],
];

const ISO_LIKE = /(?<![\d-])(\d{4})[-/](\d{1,2})(?:[-/](\d{1,2}))?(?![\d-])/g;
const JAPANESE = /(?:(\d{4})年\s*)?(?<!\d)(\d{1,2})月(?:\s*(\d{1,2})日)?/g;
const NAMED = new RegExp(
  `\\b(${MONTH_NAMES.map((name) => `${name}|${name.slice(0, 3)}\\.?`).join("|")})(?![a-z])(?:,?\\s+(\\d{4})\\b)?`,
  "g",
);

/**
 * In the order of the text, relative dates last. A month without a year is in the current year,
 * unless the text names a year anywhere.
 */
export function findDates(text: string, now: Date): readonly FoundDate[] {
  const yearOfText = /(?<!\d)((?:19|20)\d{2})(?:年|\b)/.exec(text)?.[1];
  const year = Number(yearOfText ?? now.getFullYear());
  function found(y: string | undefined, month: number, day: string | undefined): FoundDate {
    const isYearGiven = y !== undefined || yearOfText !== undefined;
    return {
      year: Number(y ?? year),
      month,
      day: day === undefined ? null : Number(day),
      isYearGiven,
    };
  }
  const all = [
    ...[...text.matchAll(ISO_LIKE)].map((match) => ({
      index: match.index,
      date: found(match[1], Number(match[2]), match[3]),
    })),
    ...[...text.matchAll(JAPANESE)].map((match) => ({
      index: match.index,
      date: found(match[1], Number(match[2]), match[3]),
    })),
    ...[...text.matchAll(NAMED)].map((match) => ({
      index: match.index,
      date: found(match[2], monthOf(match[1] ?? ""), undefined),
    })),
  ];
  const inOrder = all.sort((a, b) => a.index - b.index).map(({ date }) => date);
  return [...inOrder, ...relativeDates(text, now)].filter(isReal);
}

function relativeDates(text: string, now: Date): readonly FoundDate[] {
  const months = MONTHS_AWAY.filter(([words]) => words.test(text)).map(([, away]) => ({
    ...partsOf(new Date(now.getFullYear(), now.getMonth() + away, 1)),
    day: null,
  }));
  const days = DAYS_AWAY.filter(([words]) => words.test(text)).map(([, away]) =>
    partsOf(new Date(now.getFullYear(), now.getMonth(), now.getDate() + away)),
  );
  return [...months, ...days];
}

function partsOf(date: Date): FoundDate {
  return {
    year: date.getFullYear(),
    month: date.getMonth() + 1,
    day: date.getDate(),
    isYearGiven: true,
  };
}

function monthOf(name: string): number {
  return MONTH_NAMES.findIndex((known) => known.startsWith(name.replace(".", ""))) + 1;
}

function isReal({ year, month, day }: FoundDate): boolean {
  const date = new Date(year, month - 1, day ?? 1);
  return date.getMonth() === month - 1 && date.getDate() === (day ?? 1);
}

/** The ways to write the date, the most common first. A day also stands for its month. */
export function writtenForms({ year, month, day }: FoundDate): readonly string[] {
  const mm = String(month).padStart(2, "0");
  const months = [`${year}-${mm}`, `${year}/${mm}`, `${year}${mm}`, `${year}年${month}月`];
  if (day === null) return months;
  const dd = String(day).padStart(2, "0");
  const days = [
    `${year}-${mm}-${dd}`,
    `${year}/${mm}/${dd}`,
    `${year}${mm}${dd}`,
    `${year}年${month}月${day}日`,
  ];
  return [...days, ...months];
}
