import { Refusal, type RefusalCode } from "../../domain/refusal.ts";
import type { Core } from "../core.ts";

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 2_000;
/** The limit for errors that freeing disk space does not fix. */
const MAX_TRIES = 10;
/** A person can fix these, so the end of the call is kept in memory until then. */
const CURABLE: readonly RefusalCode[] = ["STORE_FULL", "STORE_READ_ONLY", "STORE_UNAVAILABLE"];

type Recording = {
  readonly tool: string;
  readonly key: string;
  readonly beat: (message: string) => void;
  readonly record: () => Promise<void>;
};

/**
 * Retries storing the end of a call, with back-off. The call stays in flight meanwhile, so that a
 * repeated call waits and is not sent. The caller's signal does not end it, because the call was made
 * even if the caller has disconnected. Gives up on an error that free disk space will not cure.
 */
export async function untilRecorded(
  { log }: Pick<Core, "log">,
  { tool, key, beat, record }: Recording,
): Promise<void> {
  for (let tries = 1, pauseMs = FIRST_PAUSE_MS; ; tries++) {
    try {
      return await record();
    } catch (error) {
      const facts = { tool, key, error: String(error) };
      if (tries === 1) log.warn("The end of a call could not be stored; retrying.", facts);
      if (!isCurable(error) && tries >= MAX_TRIES) {
        log.error("The end of a call could not be stored. A person is asked about it.", facts);
        return;
      }
    }
    beat("waiting until the answer can be stored");
    await pause(pauseMs);
    pauseMs = Math.min(LONGEST_PAUSE_MS, 2 * pauseMs);
  }
}

function isCurable(error: unknown): boolean {
  return error instanceof Refusal && CURABLE.includes(error.code);
}

/** Does not keep the process alive. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms).unref());
}
