import type { Locale } from "../../../domain/locale.ts";

const UNITS = {
  ja: { hours: " 時間", minutes: " 分", seconds: " 秒" },
  en: { hours: " h", minutes: " min", seconds: " s" },
} as const;

/** 15.2 秒, 1 分 45 秒; 15.2 s, 1 min 45 s. */
export function durationText(ms: number, locale: Locale): string {
  const units = UNITS[locale];
  const tenths = Math.max(0, Math.round(ms / 100));
  if (tenths < 600) return `${(tenths / 10).toFixed(1)}${units.seconds}`;
  return longDuration(Math.round(ms / 1_000), units);
}

/** Without tenths, for a number that changes while a person looks at it. */
export function runningText(ms: number, locale: Locale): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  return seconds < 60 ? `${seconds}${UNITS[locale].seconds}` : longDuration(seconds, UNITS[locale]);
}

function longDuration(seconds: number, units: (typeof UNITS)[Locale]): string {
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}${units.minutes} ${seconds % 60}${units.seconds}`;
  return `${Math.floor(minutes / 60)}${units.hours} ${minutes % 60}${units.minutes}`;
}
