import type { Jobs, RunJob } from "../../app/ports/jobs.ts";
import type { Log } from "../../app/ports/world.ts";
import { retryUntilDone } from "../../base/retry-until-done.ts";
import { HOUR_MS } from "./hour.ts";

/**
 * For a daemon that has its database for itself: nothing is stored, a job that fails is retried until
 * it succeeds, and the next start derives from the rows what is due.
 */
export function createInProcessJobs(log: Pick<Log, "error">): Jobs {
  const running = new Set<Promise<void>>();
  let run: RunJob | undefined;
  return {
    start(next) {
      run = next;
      return async () => {
        if (run === next) run = undefined;
        await Promise.all(running);
      };
    },
    runSoon(job) {
      const first = retryUntilDone(
        async () => run?.(job),
        (error) => log.error("A job failed; trying again.", { ...job, error: String(error) }),
      ).finally(() => running.delete(first));
      running.add(first);
    },
    everyHour(_name, work) {
      void work();
      const timer = setInterval(() => void work(), HOUR_MS);
      timer.unref();
      return () => clearInterval(timer);
    },
    countDead: async () => ({}),
    listDead: async () => [],
  };
}
