import type { Locale } from "../../../domain/locale.ts";

const UNITS = {
  ja: { days: " 日", hours: " 時間", minutes: " 分", seconds: " 秒" },
  en: { days: " d", hours: " h", minutes: " min", seconds: " s" },
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

const HOURS_PER_DAY = 24;

/** How long ago, in one unit: 5 分, 3 時間, 12 日; 5 min, 3 h, 12 d. */
export function ageText(ms: number, locale: Locale): string {
  const units = UNITS[locale];
  const minutes = Math.max(0, Math.floor(ms / 60_000));
  if (minutes < 60) return `${minutes}${units.minutes}`;
  const hours = Math.floor(minutes / 60);
  if (hours < 2 * HOURS_PER_DAY) return `${hours}${units.hours}`;
  return `${Math.floor(hours / HOURS_PER_DAY)}${units.days}`;
}

function longDuration(seconds: number, units: (typeof UNITS)[Locale]): string {
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}${units.minutes} ${seconds % 60}${units.seconds}`;
  return `${Math.floor(minutes / 60)}${units.hours} ${minutes % 60}${units.minutes}`;
}
