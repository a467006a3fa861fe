import type pg from "pg";
import type { PgBoss } from "pg-boss";
import type { DeadJobName, Jobs, RunJob } from "../../../app/ports/jobs.ts";
import type { Log } from "../../../app/ports/world.ts";
import type { AfterCommit } from "../../store/sql/engine/publisher.ts";
import type { Db } from "../../store/sql/engine/tables.ts";
import { countDeadJobs, listDeadJobs, reportDeadJobs, retryDeadJobs } from "./dead-jobs.ts";
import { createGatherer } from "./gather.ts";
import { createHourlyWork } from "./hourly-work.ts";
import { runLeftJobs } from "./left-jobs.ts";
import { createOwnJobs } from "./own-jobs.ts";
import { REACTIONS } from "./queues.ts";
import { type Rounds, startRounds } from "./rounds.ts";
import { storeJobs } from "./stored-jobs.ts";

/** Jobs of servers that died are found by polling; a server's own jobs do not wait for it. */
const POLL_MS = 2_000;
const SUPERVISE_MS = 10_000;
const RARE_POLL_MS = 30_000;
const COMPLETE_WITHIN_MS = 200;

export type PgBossJobs = Jobs & {
  /** Stores the jobs of a unit of work; call it in its transaction. */
  store(db: Db, after: AfterCommit): Promise<void>;
  /** Call it in the transaction of a unit of work. */
  retryDead(db: Db, id: string | undefined): Promise<readonly DeadJobName[]>;
  close(): Promise<void>;
};

export type CreatePgBossJobs = {
  readonly boss: PgBoss;
  readonly pool: pg.Pool;
  readonly log?: Log | undefined;
};

/**
 * The process that commits a job runs it at once and completes its row. A row that is not completed
 * is due a few seconds later, for any server. So a job costs a statement in a transaction that
 * commits anyway and a share of a gathered one, and other servers do not wait for a lease.
 */
export function createPgBossJobs({ boss, pool, log }: CreatePgBossJobs): PgBossJobs {
  const own = createOwnJobs();
  const running = new Set<Promise<void>>();
  const hourly = createHourlyWork(boss, log);
  let run: RunJob | undefined;
  let rounds: Rounds | undefined;

  // If it fails, the rows become due and the jobs run again.
  const done = createGatherer<string>(COMPLETE_WITHIN_MS, (ids) =>
    boss.complete(REACTIONS, [...ids], null, { includeQueued: true }).then(
      () => undefined,
      () => undefined,
    ),
  );
  function follow(work: Promise<void>): void {
    const followed = work.finally(() => running.delete(followed));
    running.add(followed);
  }
  async function runOwn(job: Parameters<RunJob>[0], begun: RunJob): Promise<void> {
    const ids = own.begin(job);
    try {
      await begun(job);
      done.add(ids);
    } catch (error) {
      log?.warn("A job failed; it is tried again.", { ...job, error: String(error) });
    } finally {
      own.end(ids);
    }
  }
  const reportDead = () => reportDeadJobs(boss, log);
  const lookForLeft = (begun: RunJob) =>
    runLeftJobs({
      boss,
      log,
      run: begun,
      isOwn: own.isRunning,
      follow,
      isEnding: () => run !== begun,
      onDead: reportDead,
    });

  return {
    async store(db, after) {
      const stored = await storeJobs(boss, db, after);
      if (stored.length > 0 && run) after.callbacks.push(() => own.add(stored));
    },
    start(begun) {
      run = begun;
      const mine = startRounds(log, [
        { everyMs: POLL_MS, work: () => lookForLeft(begun) },
        { everyMs: SUPERVISE_MS, work: () => boss.supervise() },
        { everyMs: RARE_POLL_MS, work: reportDead },
        { everyMs: RARE_POLL_MS, work: () => hourly.look() },
      ]);
      rounds = mine;
      return async () => {
        if (run === begun) run = undefined;
        await mine.stop();
        await Promise.all(running);
        await done.flush();
      };
    },
    runSoon(job) {
      if (run) follow(runOwn(job, run));
    },
    everyHour: hourly.begin,
    countDead: () => countDeadJobs(pool),
    listDead: (limit) => listDeadJobs(pool, limit),
    retryDead: (db, id) => retryDeadJobs(boss, db, id),
    async close() {
      await rounds?.stop();
      await boss.stop({ graceful: false });
    },
  };
}
