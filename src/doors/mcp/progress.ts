import type { UpstreamProgress } from "../../app/ports/upstream.ts";

/** Upstream servers may tell as often as they like; clients hear of it this often at most. */
const EVERY_MS = 20;

/**
 * One call's progress: our own beats, and what an upstream server tells. The protocol wants the
 * number to grow with every notification, so what comes from upstream is counted on from the beats.
 */
export function createProgress(
  tell: (progress: UpstreamProgress) => void,
  now: () => number = () => performance.now(),
) {
  let last = 0;
  let base: number | undefined;
  let toldAt = -Infinity;
  return {
    beat: (message: string): void => {
      last++;
      tell({ progress: last, message });
    },
    passOn: ({ progress, total, message }: UpstreamProgress): void => {
      base ??= last;
      const at = now();
      const sum = base + progress;
      const isFirst = toldAt === -Infinity;
      if (!(sum > last || (isFirst && sum === last)) || at - toldAt < EVERY_MS) return;
      toldAt = at;
      last = sum;
      tell({
        progress: sum,
        ...(total === undefined ? {} : { total: base + total }),
        ...(message === undefined ? {} : { message }),
      });
    },
  };
}
