import type { Locale } from "../locale.ts";

const LANGUAGES = { ja: "ja-JP", en: "en-GB" } as const;

/** A planned time on the clock of its time zone: `11/23(月) 9:00`, `Mon 23 Nov 9:00`. */
export function plannedTimeText(at: number, timeZone: string, locale: Locale): string {
  const parts = new Map(
    new Intl.DateTimeFormat(LANGUAGES[locale], {
      timeZone,
      weekday: "short",
      year: "numeric",
      month: locale === "ja" ? "numeric" : "short",
      day: "numeric",
      hour: "numeric",
      minute: "2-digit",
      hourCycle: "h23",
    })
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? "";
  const time = `${Number(part("hour"))}:${part("minute")}`;
  const date = `${part("year")}/${part("month")}/${part("day")}`;
  return locale === "ja"
    ? `${date}(${part("weekday")}) ${time}`
    : `${part("weekday")} ${part("day")} ${part("month")} ${part("year")} ${time}`;
}
