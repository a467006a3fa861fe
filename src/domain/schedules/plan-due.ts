import { lastTimes, nextTime, nextTimes } from "./cron.ts";
import type { Schedule } from "./schedule.ts";

/** A planned time is missed if no daemon handled it for this long. */
export const MISSED_AFTER_MS = 60_000;
/** With `run-all`, older missed times are skipped. */
export const MAX_CAUGHT_UP = 10;
/** Missed times are counted up to this number. */
export const MAX_COUNTED = 1_000;

export type SkipStep = {
  readonly kind: "skip";
  readonly first: number;
  readonly last: number;
  /** At most MAX_COUNTED. */
  readonly count: number;
  readonly nextAt: number | null;
};
export type DueStep =
  | SkipStep
  | { readonly kind: "start"; readonly plannedAt: number; readonly nextAt: number | null };

type Planned = Pick<Schedule, "cron" | "timeZone" | "missed"> & { readonly nextAt: number };

/**
 * The next thing to do for a schedule whose planned time has come. Each step is one transaction that
 * stores the new `nextAt`; a daemon that dies between two steps plans the rest again.
 */
export function planDue(schedule: Planned, now: number): DueStep {
  const { cron, timeZone, nextAt } = schedule;
  const firstKept = firstToStart(schedule, now);
  if (firstKept !== nextAt) return planSkip(schedule, now, firstKept);
  return { kind: "start", plannedAt: nextAt, nextAt: nextTime(cron, timeZone, nextAt) };
}

/** Skips the due times before `firstKept`; undefined: all of them. */
export function planSkip(
  schedule: Omit<Planned, "missed">,
  now: number,
  firstKept?: number,
): SkipStep {
  const { cron, timeZone, nextAt } = schedule;
  const end = firstKept ?? Number.POSITIVE_INFINITY;
  const skipped = [nextAt, ...nextTimes(cron, timeZone, nextAt, MAX_COUNTED)]
    .slice(0, MAX_COUNTED)
    .filter((time) => time <= now && time < end);
  return {
    kind: "skip",
    first: nextAt,
    last: lastBefore(schedule, Math.min(now, end - 1), skipped),
    count: skipped.length,
    nextAt: firstKept ?? nextTime(cron, timeZone, now),
  };
}

/** The first due time that is not skipped; undefined: all are. */
function firstToStart({ cron, timeZone, missed, nextAt }: Planned, now: number) {
  // The stored time comes first: the expression may not contain it, after a new release of the zones.
  const due = (n: number) => lastTimes(cron, timeZone, now, n).filter((time) => time > nextAt);
  switch (missed) {
    case "run-once":
      return due(1).at(-1) ?? nextAt;
    case "run-all": {
      const kept = due(MAX_CAUGHT_UP);
      return kept.length < MAX_CAUGHT_UP ? nextAt : kept[0];
    }
    case "skip": {
      const isFresh = (time: number) => now - time <= MISSED_AFTER_MS;
      return [nextAt, ...due(2)].find(isFresh);
    }
  }
}

function lastBefore(
  { cron, timeZone, nextAt }: Omit<Planned, "missed">,
  until: number,
  counted: number[],
): number {
  if (counted.length < MAX_COUNTED) return counted.at(-1) ?? nextAt;
  return lastTimes(cron, timeZone, until, 1)[0] ?? nextAt;
}

/**
 * The clock was set back if there are planned times before the stored one; then the stored time would
 * keep the schedule silent. Returns those times, nearest first; most were handled before.
 */
export function timesBefore(
  { cron, timeZone, nextAt }: Pick<Schedule, "cron" | "timeZone" | "nextAt">,
  now: number,
  max: number,
): readonly number[] {
  if (nextAt === null || nextAt <= now) return [];
  return nextTimes(cron, timeZone, now, max).filter((time) => time < nextAt);
}
