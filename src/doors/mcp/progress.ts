import type { UpstreamProgress } from "../../app/ports/upstream.ts";

/** Throttles progress of upstream servers, which may report any number of times. */
const EVERY_MS = 20;

/**
 * The progress of one call: our own beats and the progress of an upstream server. The protocol wants
 * the number to grow with every notification, so upstream progress continues from the beats.
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
