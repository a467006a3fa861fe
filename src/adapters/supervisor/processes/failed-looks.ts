import type { Log } from "../../../app/ports/world.ts";
import { explainExhausted } from "../../exhausted.ts";

const LOG_EVERY_MS = 60_000;

export type FailedLooks = (error: unknown, fields?: Readonly<Record<string, unknown>>) => void;

/**
 * Logs that agents could not be looked at. A daemon without descriptors fails to look at every
 * agent every second, so at most one line a minute is written, with the count of those left out.
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
    log.error(
      `Agents could not be looked at; they are left as they are and looked at again: ${explainExhausted(error)}.`,
      { ...fields, ...(leftOut > 0 && { leftOut }) },
    );
    leftOut = 0;
  };
}
