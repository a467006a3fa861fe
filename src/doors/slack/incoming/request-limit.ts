import type { Clock } from "../../../app/ports/world.ts";

const MAX_REQUESTS = 10;
const WITHIN_MS = 60_000;

export type RequestLimit = { admits(sender: string): boolean };

/** Each task costs tokens, so one person may request only some per minute. */
export function createRequestLimit(clock: Clock): RequestLimit {
  const recent = new Map<string, readonly number[]>();
  return {
    admits(sender) {
      const now = clock.now();
      const times = (recent.get(sender) ?? []).filter((at) => now - at < WITHIN_MS);
      const isAdmitted = times.length < MAX_REQUESTS;
      recent.set(sender, isAdmitted ? [...times, now] : times);
      return isAdmitted;
    },
  };
}
