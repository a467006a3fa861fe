import type { Log } from "../../../app/ports/world.ts";
import { explainExhausted } from "../../exhausted.ts";

const LOG_EVERY_MS = 60_000;

export type FailedLooks = (error: unknown, fields?: Readonly<Record<string, unknown>>) => void;

/**
 * Logs that agents could not be looked at. A daemon without descriptors fails for every agent, every
 * second, so this writes at most one line a minute, with the number of those it left out.
 */
export function createFailedLooks(log: Log, now = () => performance.now()): FailedLooks {
  let nextAt = 0;
  let leftOut = 0;
  return (error, fields = {}) => {
    if (now() < nextAt) {
      leftOut += 1;
      return;
    }
    nextAt = now() + LOG_EVERY_MS;
    log.error("Could not check on agents; nothing is concluded from that, trying again.", {
      reason: explainExhausted(error),
      ...fields,
      ...(leftOut > 0 && { leftOut }),
    });
    leftOut = 0;
  };
}
