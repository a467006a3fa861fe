import type { Locale } from "../locale.ts";

type Fields = {
  readonly minute: string;
  readonly hour: string;
  readonly day: string;
  readonly month: string;
  readonly weekday: string;
};

/** The common forms of a cron expression in words; any other form is returned as it is. */
export function describeCron(cron: string, locale: Locale): string {
  const [minute = "", hour = "", day = "", month = "", weekday = ""] = cron.split(" ");
  const fields = { minute, hour, day, month, weekday: weekday.toUpperCase() };
  return describeInterval(fields, locale) ?? describeTimes(fields, locale) ?? cron;
}

function describeInterval(fields: Fields, locale: Locale): string | undefined {
  const { minute, hour, day, month, weekday } = fields;
  if ([day, month, weekday].some((field) => field !== "*")) return undefined;
  const everyMinutes = hour === "*" ? stepOf(minute, 60) : undefined;
  if (everyMinutes === 1) return { ja: "毎分", en: "Every minute" }[locale];
  if (everyMinutes) {
    return { ja: `${everyMinutes} 分ごと`, en: `Every ${everyMinutes} minutes` }[locale];
  }
  const at = numberOf(minute);
  if (at === undefined) return undefined;
  const everyHours = stepOf(hour, 24);
  if (everyHours === 1) return { ja: `毎時 ${at} 分`, en: `Every hour at minute ${at}` }[locale];
  if (!everyHours) return undefined;
  return {
    ja: `${everyHours} 時間ごと（${at} 分）`,
    en: `Every ${everyHours} hours at minute ${at}`,
  }[locale];
}

/** `*` is a step of 1. A step that does not divide the whole is not regular. */
function stepOf(field: string, whole: number): number | undefined {
  if (field === "*") return 1;
  const step = /^\*\/(\d+)$/.exec(field)?.[1];
  return step && whole % Number(step) === 0 ? Number(step) : undefined;
}

function numberOf(field: string): number | undefined {
  return /^\d+$/.test(field) ? Number(field) : undefined;
}

function describeTimes(fields: Fields, locale: Locale): string | undefined {
  const times = timesOf(fields);
  const days = times && describeDays(fields, locale);
  if (!days) return undefined;
  return locale === "ja" ? `${days} ${times.join("、")}` : `${days} at ${joinEn(times)}`;
}

function timesOf({ minute, hour }: Fields): string[] | undefined {
  const at = numberOf(minute);
  const hours = hour.split(",").map(numberOf);
  if (at === undefined || hours.length > 4) return undefined;
  const times = hours.flatMap((each) =>
    each === undefined ? [] : [`${each}:${String(at).padStart(2, "0")}`],
  );
  return times.length === hours.length ? times : undefined;
}

function describeDays({ day, month, weekday }: Fields, locale: Locale): string | undefined {
  if (month !== "*") return weekday === "*" ? yearly(day, month, locale) : undefined;
  if (day === "*") return weekday === "*" ? EVERY_DAY[locale] : weekly(weekday, locale);
  if (weekday !== "*") return undefined;
  if (day.toUpperCase() === "L") {
    return { ja: "毎月末日", en: "On the last day of every month" }[locale];
  }
  const date = numberOf(day);
  if (date === undefined) return undefined;
  return { ja: `毎月 ${date} 日`, en: `On day ${date} of every month` }[locale];
}

const EVERY_DAY = { ja: "毎日", en: "Every day" };

function yearly(day: string, month: string, locale: Locale): string | undefined {
  const [date, number] = [numberOf(day), numberOf(month)];
  if (date === undefined || number === undefined) return undefined;
  const name = MONTHS[number - 1];
  return { ja: `毎年 ${number} 月 ${date} 日`, en: `Every year on ${name} ${date}` }[locale];
}

function weekly(weekday: string, locale: Locale): string | undefined {
  if (weekday === "1-5" || weekday === "MON-FRI") {
    return { ja: "平日", en: "Every weekday" }[locale];
  }
  const days = weekday.split(",").map(weekdayOf);
  const [first, ...others] = days.flatMap((each) => (each === undefined ? [] : [each]));
  if (first === undefined || others.length + 1 !== days.length) return undefined;
  const names = [first, ...others].map((each) => each[locale]);
  return locale === "ja" ? `毎週${names.join("・")}曜日` : `Every ${joinEn(names)}`;
}

function weekdayOf(field: string) {
  const number = numberOf(field);
  return number === undefined
    ? WEEKDAYS.find(({ en }) => en.slice(0, 3).toUpperCase() === field)
    : WEEKDAYS[number % 7];
}

function joinEn(words: readonly string[]): string {
  if (words.length < 2) return words.join("");
  return `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

const WEEKDAYS = [
  { ja: "日", en: "Sunday" },
  { ja: "月", en: "Monday" },
  { ja: "火", en: "Tuesday" },
  { ja: "水", en: "Wednesday" },
  { ja: "木", en: "Thursday" },
  { ja: "金", en: "Friday" },
  { ja: "土", en: "Saturday" },
] as const;

const MONTHS = [
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
] as const;
