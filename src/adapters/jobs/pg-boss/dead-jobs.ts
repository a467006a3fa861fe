import type pg from "pg";
import type { PgBoss } from "pg-boss";
import { z } from "zod";
import type { DeadJobs } from "../../../app/ports/jobs.ts";
import type { Log } from "../../../app/ports/world.ts";
import { fieldsOf } from "../../../base/narrow.ts";
import { throwFault } from "../../store/postgres/engine/faults.ts";
import { DEAD_LETTERS, JOBS_SCHEMA } from "./queues.ts";

const AT_A_TIME = 20;

/** Logs each dead letter on one server. Completed ones stay for some days, to be counted. */
export async function reportDeadJobs(boss: PgBoss, log: Log | undefined): Promise<void> {
  for (;;) {
    const dead = await boss.fetch(DEAD_LETTERS, { batchSize: AT_A_TIME, includeMetadata: true });
    for (const { data, sourceOutput } of dead) {
      const { kind, id } = fieldsOf(data);
      const error = fieldsOf(sourceOutput)["message"];
      log?.error("A job failed too often and was given up. The next start of a server does it.", {
        kind,
        id,
        error,
      });
    }
    if (dead.length > 0) await boss.complete(DEAD_LETTERS, dead);
    if (dead.length < AT_A_TIME) return;
  }
}

const counts = z.array(z.object({ kind: z.string(), jobs: z.number() }));

export async function countDeadJobs(pool: pg.Pool): Promise<DeadJobs> {
  const { rows } = await pool
    .query(
      `select coalesce(data ->> 'kind', '') as kind, count(*) as jobs
         from ${JOBS_SCHEMA}.job where name = $1 group by 1`,
      [DEAD_LETTERS],
    )
    .catch(throwFault);
  return Object.fromEntries(counts.parse(rows).map(({ kind, jobs }) => [kind, jobs]));
}
