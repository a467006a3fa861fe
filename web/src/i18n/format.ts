import { type Locale, useLocale } from "./locale.ts";

const TAG: Record<Locale, string> = { ja: "ja-JP", en: "en-US" };

const UNITS = {
  ja: { hour: "時間", minute: "分", second: "秒" },
  en: { hour: "h", minute: "min", second: "s" },
} as const;

function durationWords(seconds: number, locale: Locale): string {
  const { hour, minute, second } = UNITS[locale];
  const hours = Math.floor(seconds / 3_600);
  const minutes = Math.floor(seconds / 60) % 60;
  if (hours > 0) return `${hours} ${hour} ${minutes} ${minute}`;
  if (minutes > 0) return `${minutes} ${minute} ${seconds % 60} ${second}`;
  return `${seconds} ${second}`;
}

export function createFormat(locale: Locale) {
  const tag = TAG[locale];
  const time = new Intl.DateTimeFormat(tag, {
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hour12: false,
  });
  const day = new Intl.DateTimeFormat(tag, { dateStyle: "medium" });
  const dateTime = new Intl.DateTimeFormat(tag, {
    month: "short",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    hour12: false,
  });
  const relative = new Intl.RelativeTimeFormat(tag, { numeric: "auto", style: "short" });
  const number = new Intl.NumberFormat(tag);
  const compact = new Intl.NumberFormat(tag, { notation: "compact", maximumFractionDigits: 1 });
  return {
    time: (at: string | number) => time.format(new Date(at)),
    day: (at: string | number) => day.format(new Date(at)),
    dateTime: (at: string | number) => dateTime.format(new Date(at)),
    number: (value: number) => number.format(value),
    compact: (value: number) => compact.format(value),
    money: (value: number, currency: string) =>
      new Intl.NumberFormat(tag, { style: "currency", currency, maximumFractionDigits: 4 }).format(
        value,
      ),
    /** Several currencies stay apart: $1.20 + ¥340. */
    amounts(amounts: readonly { readonly cost: number; readonly currency: string }[]): string {
      return amounts.map(({ cost, currency }) => this.money(cost, currency)).join(" + ");
    },
    ago(at: string | number, now: number): string {
      const seconds = Math.round((new Date(at).getTime() - now) / 1_000);
      const size = Math.abs(seconds);
      if (size < 60) return relative.format(seconds, "second");
      if (size < 3_600) return relative.format(Math.round(seconds / 60), "minute");
      if (size < 86_400) return relative.format(Math.round(seconds / 3_600), "hour");
      return relative.format(Math.round(seconds / 86_400), "day");
    },
    /** Whole seconds, for what still counts: 15 s, 1 min 45 s, 2 h 5 min. */
    duration: (ms: number) => durationWords(Math.max(0, Math.floor(ms / 1_000)), locale),
    /** For what has ended: with tenths below a minute, so that short steps can be told apart. */
    took(ms: number): string {
      const tenths = Math.round(Math.max(0, ms) / 100);
      return tenths < 600
        ? `${(tenths / 10).toFixed(1)} ${UNITS[locale].second}`
        : durationWords(Math.round(tenths / 10), locale);
    },
  };
}
export type Format = ReturnType<typeof createFormat>;

const FORMATS: Record<Locale, Format> = { ja: createFormat("ja"), en: createFormat("en") };

export function useFormat(): Format {
  return FORMATS[useLocale(({ locale }) => locale)];
}
