import { Cron } from "croner";
import type { Texts } from "../locale.ts";
import { Refusal } from "../refusal.ts";

const EXAMPLE: Texts = {
  en: 'Example: "0 9 * * 1" is every Monday at 9:00.',
  ja: '例: "0 9 * * 1" は毎週月曜の 9:00 です。',
};

/** The fields in their order, with an expression that has only this one field. */
const FIELDS = [
  { name: "minute", inJapanese: "分", takes: "0-59", alone: (field: string) => `${field} * * * *` },
  { name: "hour", inJapanese: "時", takes: "0-23", alone: (field: string) => `* ${field} * * *` },
  {
    name: "day of month",
    inJapanese: "日",
    takes: "1-31 or L",
    alone: (field: string) => `* * ${field} * *`,
  },
  {
    name: "month",
    inJapanese: "月",
    takes: "1-12 or JAN-DEC",
    alone: (field: string) => `* * * ${field} *`,
  },
  {
    name: "day of week",
    inJapanese: "曜日",
    takes: "0-7 or SUN-SAT",
    alone: (field: string) => `* * * * ${field}`,
  },
] as const;

const NICKNAMES: Readonly<Record<string, string>> = {
  "@hourly": "0 * * * *",
  "@daily": "0 0 * * *",
  "@midnight": "0 0 * * *",
  "@weekly": "0 0 * * 0",
  "@monthly": "0 0 1 * *",
  "@yearly": "0 0 1 1 *",
  "@annually": "0 0 1 1 *",
};

const MAX_CRON_CHARS = 200;

/** What is wrong with a cron expression; doors have the words. */
export type CronProblem =
  | { readonly kind: "long" }
  | { readonly kind: "fields"; readonly count: number }
  /** `field` counts from 1. */
  | { readonly kind: "field"; readonly field: number; readonly value: string }
  | { readonly kind: "never" };

/** The expression with single spaces and without a nickname. */
export function tidyCron(given: string): string {
  const text = given.trim().replaceAll(/\s+/g, " ");
  return NICKNAMES[text.toLowerCase()] ?? text;
}

export function findCronProblem(cron: string): CronProblem | undefined {
  const fields = cron.split(" ");
  if (cron.length > MAX_CRON_CHARS) return { kind: "long" };
  if (fields.length !== FIELDS.length) {
    return { kind: "fields", count: cron === "" ? 0 : fields.length };
  }
  for (const [index, { alone }] of FIELDS.entries()) {
    const value = fields[index] ?? "";
    // croner replaces `?` by the time of the first call and reads `+` as a modifier.
    const isRight = !/[?+]/.test(value) && isCron(alone(value));
    if (!isRight) return { kind: "field", field: index + 1, value };
  }
  return nextTime(cron, "UTC", 0) === null ? { kind: "never" } : undefined;
}

/** Returns the tidy expression; refuses one that is wrong or never happens. */
export function requireCron(given: string): string {
  const cron = tidyCron(given);
  const problem = findCronProblem(cron);
  if (!problem) return cron;
  const message = explain(cron, problem);
  const hint = problem.kind === "never" ? EXISTING_DAY : EXAMPLE;
  throw new Refusal("INVALID_ARGUMENTS", {
    en: [message.en, hint.en],
    ja: [message.ja, hint.ja],
  });
}

const EXISTING_DAY: Texts = {
  en: 'Choose a day that exists, or L for the last day of a month: "0 9 L * *".',
  ja: '存在する日を選ぶか、月の最終日なら L を使ってください: "0 9 L * *"',
};

function explain(cron: string, problem: CronProblem): Texts {
  switch (problem.kind) {
    case "long":
      return { en: "The cron expression is too long.", ja: "cron 式が長すぎます。" };
    case "never":
      return {
        en: `"${cron}" never happens: no month has such a day.`,
        ja: `"${cron}" に当たる日はありません。`,
      };
    case "field":
      return explainField(problem.field, problem.value);
    case "fields":
      return explainCount(cron, problem.count);
  }
}

function explainField(field: number, value: string): Texts {
  const { name, inJapanese, takes } = FIELDS[field - 1] ?? FIELDS[0];
  return {
    en: `The ${name} (field ${field}) is "${value}"; it takes ${takes}, *, */2, a range such as 1-5, or a list such as 1,3.`,
    ja: `${field} 番目の項目（${inJapanese}）が "${value}" です。使えるのは ${takes.replace("or", "か")}、*、*/2、1-5 のような範囲、1,3 のような一覧です。`,
  };
}

function explainCount(cron: string, count: number): Texts {
  if (count === 6) {
    return {
      en: `"${cron}" has 6 fields. Seconds are not supported: a task starts at most once a minute.`,
      ja: `"${cron}" には項目が 6 つあります。秒は指定できません。タスクの開始は 1 分に 1 回までです。`,
    };
  }
  return {
    en: `"${cron}" has ${count === 1 ? "1 field" : `${count} fields`}; a cron expression has 5: minute, hour, day of month, month, day of week.`,
    ja: `"${cron}" の項目は ${count} 個です。cron 式には 5 個要ります: 分、時、日、月、曜日。`,
  };
}

function isCron(pattern: string): boolean {
  try {
    parse(pattern, "UTC");
    return true;
  } catch {
    return false;
  }
}

/**
 * The first planned time after the given one; null: there is none.
 *
 * Daylight saving time: an expression with one fixed time of day runs once a day, at the first of two
 * equal times, and right after the gap if its time does not exist. Any other expression follows the
 * clock on the wall: it runs at both equal times, and not in the gap.
 */
export function nextTime(cron: string, timeZone: string, after: number): number | null {
  return parse(cron, timeZone).nextRun(new Date(after))?.getTime() ?? null;
}

export function nextTimes(cron: string, timeZone: string, after: number, n: number): number[] {
  return parse(cron, timeZone)
    .nextRuns(n, new Date(after))
    .map((date) => date.getTime());
}

/** The newest planned times at or before the given one, oldest first. */
export function lastTimes(cron: string, timeZone: string, until: number, n: number): number[] {
  return parse(cron, timeZone)
    .previousRuns(n, new Date(until + 1_000))
    .map((date) => date.getTime())
    .filter((time) => time <= until)
    .toReversed();
}

function parse(cron: string, timeZone: string): Cron {
  return new Cron(cron, { timezone: timeZone, mode: "5-part", paused: true });
}
