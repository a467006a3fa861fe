export const WEEKDAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** A time of day in which nothing is sent. */
export type QuietHours = {
  /** `HH:MM`. A time after `to` begins on the day before. */
  readonly from: string;
  /** `HH:MM`, up to `24:00`. */
  readonly to: string;
  /** An IANA name; undefined: the time zone of this machine. */
  readonly timeZone: string | undefined;
  /** The days on which they begin. */
  readonly days: readonly Weekday[];
};

const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;
/** A week that is quiet all day, every day, never ends. */
const MAX_STEPS = 8;

/** The first time at or after `at` that is in no quiet hours. */
export function afterQuietHours(all: readonly QuietHours[], at: number): number {
  let time = at;
  for (let step = 0; step < MAX_STEPS * all.length; step++) {
    const end = all.map((hours) => endOf(hours, time)).find((found) => found !== undefined);
    if (end === undefined) return time;
    time = end;
  }
  return time;
}

/** When the quiet hours end that `at` is in; undefined: it is in none. */
function endOf(hours: QuietHours, at: number): number | undefined {
  const from = minutesOf(hours.from);
  const to = minutesOf(hours.to);
  const { day, minute } = localTime(at, hours.timeZone);
  const isDay = (index: number) => hours.days.some((name) => name === WEEKDAYS[(index + 7) % 7]);
  const spansMidnight = to <= from;
  const sinceFrom = minute >= from && (spansMidnight || minute < to) && isDay(day);
  const sinceYesterday = spansMidnight && minute < to && isDay(day - 1);
  if (!sinceFrom && !sinceYesterday) return undefined;
  const left = sinceYesterday ? to - minute : to - minute + (spansMidnight ? DAY_MINUTES : 0);
  const end = Math.floor(at / MINUTE_MS) * MINUTE_MS + left * MINUTE_MS;
  // Where the clock is changed in between, the local time of the end counts.
  return end - (offsetOf(end, hours.timeZone) - offsetOf(at, hours.timeZone));
}

export function minutesOf(time: string): number {
  const [hour = "", minute = ""] = time.split(":");
  return Number(hour) * 60 + Number(minute);
}

function localTime(at: number, timeZone: string | undefined) {
  const local = new Date(at + offsetOf(at, timeZone));
  return { day: local.getUTCDay(), minute: local.getUTCHours() * 60 + local.getUTCMinutes() };
}

/** How far the local time is ahead of UTC, in ms. */
function offsetOf(at: number, timeZone: string | undefined): number {
  const parts = formatter(timeZone).formatToParts(at);
  const part = (type: string) => Number(parts.find((each) => each.type === type)?.value);
  const local = Date.UTC(
    part("year"),
    part("month") - 1,
    part("day"),
    part("hour"),
    part("minute"),
    part("second"),
  );
  return local - Math.floor(at / 1_000) * 1_000;
}

function formatter(timeZone: string | undefined): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
}

export function isTimeZone(name: string): boolean {
  try {
    formatter(name);
    return true;
  } catch {
    return false;
  }
}
