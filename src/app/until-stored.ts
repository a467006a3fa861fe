import { Refusal } from "../domain/refusal.ts";
import type { Core } from "./core.ts";

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 2_000;

/** How long the caller of a tool waits for its answer. */
export type ReportPatience = {
  readonly signal: AbortSignal;
  readonly patienceMs: number;
  beat(message: string): void;
};

/**
 * Retries a report with back-off while the disk is full: the agent waits, and its result is not
 * lost. After the time limit, the refusal asks the caller to call again. The limit counts the
 * pauses, so that a changed clock neither shortens nor prolongs the wait.
 */
export async function untilStored<T>(
  core: Pick<Core, "log">,
  tool: string,
  patience: ReportPatience,
  report: () => Promise<T>,
): Promise<T> {
  const { signal, patienceMs } = patience;
  for (let waited = 0, pauseMs = FIRST_PAUSE_MS; ;) {
    try {
      return await report();
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== "STORE_FULL") throw error;
      if (waited === 0) core.log.warn("The disk is full; retrying to store a report.", { tool });
      if (signal.aborted || waited + pauseMs > patienceMs) throw callAgain(tool, error);
    }
    patience.beat("waiting for space on the disk");
    await pause(pauseMs, signal);
    waited += pauseMs;
    pauseMs = Math.min(LONGEST_PAUSE_MS, 2 * pauseMs);
  }
}

function callAgain(tool: string, { texts }: Refusal): Refusal {
  const { en, ja } = texts;
  return new Refusal("STORE_FULL", {
    en: [
      en[0],
      `Do not end yet: call ${tool} again with the same arguments until it is registered. ${en[1]}`,
    ],
    ja: [ja[0], `まだ終わらずに、登録されるまで同じ引数で ${tool} を呼び続けてください。${ja[1]}`],
  });
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    }
    signal.addEventListener("abort", done);
  });
}
