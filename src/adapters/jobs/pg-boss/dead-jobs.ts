import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type pg from "pg";
import type { PgBoss } from "pg-boss";
import { z } from "zod";
import type { DeadJob, DeadJobName, DeadJobs } from "../../../app/ports/jobs.ts";
import type { Log } from "../../../app/ports/world.ts";
import { fieldsOf, textOf } from "../../../base/narrow.ts";
import { throwFault } from "../../store/postgres/engine/faults.ts";
import type { Db } from "../../store/sql/engine/tables.ts";
import { DEAD_LETTERS, JOBS_SCHEMA, REACTIONS } from "./queues.ts";
import { inTransaction } from "./stored-jobs.ts";

const AT_A_TIME = 20;

/** Logs each dead letter on one server. Completed ones stay for some days, to be shown. */
export async function reportDeadJobs(boss: PgBoss, log: Log | undefined): Promise<void> {
  for (;;) {
    const dead = await boss.fetch(DEAD_LETTERS, { batchSize: AT_A_TIME, includeMetadata: true });
    for (const { data, sourceOutput } of dead) {
      const { kind, subjectId } = nameOf(data);
      log?.error(
        "A job failed too often and was given up. `kuromajutsu jobs retry` tries it again.",
        { kind, id: subjectId, error: errorOf(sourceOutput) },
      );
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

const letters = z.array(
  z.object({
    id: z.string(),
    data: z.unknown(),
    created_on: z.date(),
    source_retry_count: z.number().nullable(),
    source_output: z.unknown(),
  }),
);

export async function listDeadJobs(pool: pg.Pool, limit: number): Promise<readonly DeadJob[]> {
  const { rows } = await pool
    .query(
      `select id, data, created_on, source_retry_count, source_output
         from ${JOBS_SCHEMA}.job where name = $1 order by created_on desc, id limit $2`,
      [DEAD_LETTERS, limit],
    )
    .catch(throwFault);
  return letters.parse(rows).map((letter) => ({
    id: letter.id,
    ...nameOf(letter.data),
    givenUpAt: letter.created_on.getTime(),
    tries: (letter.source_retry_count ?? 0) + 1,
    error: errorOf(letter.source_output),
  }));
}

const taken = z.array(z.object({ data: z.unknown() }));

/**
 * Deletes the dead letters and stores their jobs again, in the transaction of the caller. `redrive`
 * of pg-boss would leave out those that were logged. A second transaction waits for the first one's
 * locks, and then finds nothing to delete.
 */
export async function retryDeadJobs(
  boss: PgBoss,
  db: Db,
  id: string | undefined,
): Promise<readonly DeadJobName[]> {
  const wanted = id === undefined ? sql`true` : sql`id::text = ${id}`;
  const { rows } = await sql`
    delete from ${sql.table(`${JOBS_SCHEMA}.job`)}
      where name = ${DEAD_LETTERS} and ${wanted} returning data`.execute(db);
  const dead = taken.parse(rows);
  if (dead.length === 0) return [];
  const jobs = dead.map(({ data }) => ({ id: randomUUID(), data: fieldsOf(data) }));
  await boss.insert(REACTIONS, jobs, { db: inTransaction(db) });
  return dead.map(({ data }) => nameOf(data));
}

function nameOf(data: unknown): DeadJobName {
  const { kind, id } = fieldsOf(data);
  return { kind: textOf(kind) ?? "", subjectId: textOf(id) ?? "" };
}

/** pg-boss writes its own errors, such as an expired attempt, one level deeper than we do. */
function errorOf(output: unknown): string {
  const { message, value } = fieldsOf(output);
  return textOf(message) ?? textOf(fieldsOf(value)["message"]) ?? "";
}
