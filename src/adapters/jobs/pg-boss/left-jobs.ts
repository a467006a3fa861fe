import type { JobWithMetadata, PgBoss } from "pg-boss";
import type { RunJob } from "../../../app/ports/jobs.ts";
import type { Log } from "../../../app/ports/world.ts";
import { REACTIONS } from "./queues.ts";
import { keyOf, readJob } from "./stored-jobs.ts";

const AT_A_TIME = 20;

type Fetched = JobWithMetadata<unknown>;

export type RunLeftJobs = {
  readonly boss: PgBoss;
  readonly log: Log | undefined;
  readonly run: RunJob;
  /** This process still runs it since its commit. */
  readonly isOwn: (id: string) => boolean;
  readonly follow: (work: Promise<void>) => void;
  readonly isEnding: () => boolean;
  /** A job has failed for the last time. */
  readonly onDead: () => Promise<void>;
};

/**
 * Begins jobs that are due: their server died, was too slow, or failed. Resolves when all of them
 * have begun: a slow job does not hold up those of the next look. Each is completed or failed as the
 * attempt that was fetched, so a server that was paused meanwhile changes nothing.
 */
export async function runLeftJobs(options: RunLeftJobs): Promise<void> {
  const { boss, isOwn, follow } = options;
  while (!options.isEnding()) {
    const fetched = await boss.fetch<unknown>(REACTIONS, {
      batchSize: AT_A_TIME,
      includeMetadata: true,
    });
    const left = fetched.filter(({ id }) => !isOwn(id));
    const begun = groupBySubject(left).map((same) => runFetched(options, same));
    begun.forEach(follow);
    if (fetched.length < AT_A_TIME) return;
    // After an outage there may be thousands of jobs; more at once would only wait for connections.
    await Promise.all(begun);
  }
}

/** Jobs about the same subject are done by one run. */
function groupBySubject(fetched: readonly Fetched[]): readonly (readonly Fetched[])[] {
  const groups = Map.groupBy(fetched, ({ id, data }) => {
    const job = readJob(data);
    return job ? keyOf(job) : id;
  });
  return [...groups.values()];
}

/** Never rejects: nothing waits for it while the server runs. */
async function runFetched(
  { boss, log, run, onDead }: RunLeftJobs,
  fetched: readonly Fetched[],
): Promise<void> {
  const attempts = fetched.map(({ id, retryCount }) => ({ id, retryCount }));
  try {
    const job = readJob(fetched[0]?.data);
    if (!job) throw new Error("This version does not know this kind of job.");
    await run(job);
    await boss.complete(REACTIONS, attempts);
  } catch (error) {
    log?.warn("A job failed; it is tried again.", {
      job: JSON.stringify(fetched[0]?.data),
      error: String(error),
    });
    // If that fails, too, the job expires, and is tried again.
    await boss.fail(REACTIONS, attempts, { message: String(error) }).catch(() => undefined);
    if (!fetched.some(({ retryCount, retryLimit }) => retryCount >= retryLimit)) return;
    // The next look at dead letters finds it, too.
    await onDead().catch(() => undefined);
  }
}
