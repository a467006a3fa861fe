import { randomUUID } from "node:crypto";
import { fromKysely, type Db as BossDb, type PgBoss } from "pg-boss";
import { z } from "zod";
import { jobsOfEvent } from "../../../app/jobs/jobs-of-event.ts";
import { type Job, JOB_KINDS } from "../../../app/ports/jobs.ts";
import type { AfterCommit } from "../../store/sql/engine/publisher.ts";
import type { Db } from "../../store/sql/engine/tables.ts";
import { HEAD_START_SECONDS, REACTIONS } from "./queues.ts";

/** A job of this process, as it is stored. */
export type StoredJob = { readonly id: string; readonly job: Job };

const jobShape = z.object({ kind: z.enum(JOB_KINDS), id: z.string() });

/** Undefined: a newer server has stored a kind that is not known here. */
export function readJob(data: unknown): Job | undefined {
  return jobShape.safeParse(data).data;
}

export function keyOf({ kind, id }: Job): string {
  return `${kind} ${id}`;
}

/**
 * Stores the jobs of a unit of work in its transaction, all in one statement. They are not due at
 * once: the process that commits them runs them itself.
 */
export async function storeJobs(
  boss: PgBoss,
  db: Db,
  { events }: AfterCommit,
): Promise<readonly StoredJob[]> {
  const jobs = new Map(
    events.flatMap(({ event }) => jobsOfEvent(event)).map((job) => [keyOf(job), job]),
  );
  if (jobs.size === 0) return [];
  const stored = [...jobs.values()].map((job) => ({ id: randomUUID(), job }));
  const rows = stored.map(({ id, job }) => ({ id, data: job, startAfter: HEAD_START_SECONDS }));
  await boss.insert(REACTIONS, rows, { db: inTransaction(db) });
  return stored;
}

export function inTransaction(db: Db): BossDb {
  return fromKysely(db);
}
