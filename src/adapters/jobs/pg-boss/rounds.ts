import type { Log } from "../../../app/ports/world.ts";
import { runCoalesced } from "../../../base/run-coalesced.ts";

type Round = { readonly everyMs: number; readonly work: () => Promise<void> };

export type Rounds = ReturnType<typeof startRounds>;

/** Repeats each work, also while the database is away: its first failure is logged. */
export function startRounds(log: Log | undefined, rounds: readonly Round[]) {
  let isStopped = false;
  const started = rounds.map(({ everyMs, work }) => {
    let hasFailed = false;
    const run = runCoalesced(async () => {
      if (isStopped) return;
      try {
        await work();
        hasFailed = false;
      } catch (error) {
        if (!hasFailed) log?.warn("Jobs could not be read; retrying.", { error: String(error) });
        hasFailed = true;
      }
    });
    const timer = setInterval(() => void run(), everyMs);
    timer.unref();
    return { timer, run };
  });
  return {
    async stop(): Promise<void> {
      isStopped = true;
      for (const { timer } of started) clearInterval(timer);
      // Resolves after the rounds that run now.
      await Promise.all(started.map(({ run }) => run()));
    },
  };
}
