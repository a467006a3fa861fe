import type pg from "pg";
import { isCode } from "../../../base/error-code.ts";
import { dayOf } from "../../../domain/ids.ts";
import { ADVISORY_LOCKS } from "./engine/advisory-locks.ts";
import { isQueryTimeout } from "./engine/connect.ts";
import { throwFault } from "./engine/faults.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;
/** Days are created this long before they are needed: a server may be stopped meanwhile. */
const DAYS_AHEAD = 3;
/** The id of an agent and its row are made from the same clock, but not from the same reading. */
const SLACK_MS = 60 * 60 * 1_000;

const NOT_ALLOWED = "42501";
/** The default partition already has rows of that day, which stay there. */
const IN_DEFAULT = "23514";
const LOCK_TIMEOUT = "55P03";
const GONE = "42P01";

/**
 * Creates the partitions of today and of the next days that are missing. Returns why some could not
 * be created; the default partition takes their rows.
 */
export async function createDays(pool: pg.Pool, now: number): Promise<string | undefined> {
  const days = Array.from({ length: DAYS_AHEAD + 1 }, (_, index) => dayOf(now + index * DAY_MS));
  const known = new Set(await listDays(pool));
  for (const day of days) {
    if (known.has(day)) continue;
    const reason = await createDay(pool, day);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

async function createDay(pool: pg.Pool, day: string): Promise<string | undefined> {
  const client = await pool.connect().catch(throwFault);
  let isStuck = false;
  try {
    await client.query("begin");
    // Two servers that create the same table at once would fail, even with `if not exists`.
    await client.query("select pg_advisory_xact_lock($1)", [ADVISORY_LOCKS.days]);
    await client.query(
      `create table if not exists ${tableOf(day)} partition of transcript_chunks
        for values from ('${day}') to ('${dayAfter(day)}')`,
    );
    await client.query("commit");
    return undefined;
  } catch (error) {
    isStuck = isQueryTimeout(error);
    if (!isStuck) await client.query("rollback").catch(() => undefined);
    if (isCode(error, IN_DEFAULT)) return undefined;
    if (isCode(error, NOT_ALLOWED, LOCK_TIMEOUT)) return String(error);
    return throwFault(error);
  } finally {
    client.release(isStuck);
  }
}

/** Drops the partitions before this day whose agents have all left the lists. */
export async function dropDays(pool: pg.Pool, before: string): Promise<void> {
  for (const day of await listDays(pool)) {
    if (day >= before || (await hasAgents(pool, day))) continue;
    try {
      await pool.query(`drop table if exists ${tableOf(day)}`);
    } catch (error) {
      if (isCode(error, GONE)) continue;
      if (!isCode(error, NOT_ALLOWED)) throwFault(error);
      await pool.query("delete from transcript_chunks where day = $1", [day]).catch(throwFault);
    }
  }
  // An index finds the agents; the rows that are kept are few, because each day has a partition.
  await pool
    .query(
      `delete from transcript_chunks_default as chunk where day < $1 and not exists (
        select 1 from agents where agents.id = chunk.agent_id and agents.in_view = 1)`,
      [before],
    )
    .catch(throwFault);
}

/** An agent that has left the lists never comes back, so no chunk of that day is needed any more. */
async function hasAgents(pool: pg.Pool, day: string): Promise<boolean> {
  const from = Date.parse(day) - SLACK_MS;
  const to = Date.parse(dayAfter(day)) + SLACK_MS;
  const { rowCount } = await pool
    .query(
      "select 1 from agents where in_view = 1 and created_at >= $1 and created_at < $2 limit 1",
      [from, to],
    )
    .catch(throwFault);
  return rowCount !== 0;
}

async function listDays(pool: pg.Pool): Promise<readonly string[]> {
  const { rows } = await pool
    .query<{ name: string }>(
      `select relname as name from pg_inherits join pg_class on pg_class.oid = inhrelid
        where inhparent = 'transcript_chunks'::regclass order by relname`,
    )
    .catch(throwFault);
  return rows.flatMap(({ name }) => {
    const [, year, month, date] = /_(\d{4})(\d{2})(\d{2})$/.exec(name) ?? [];
    return year === undefined ? [] : [`${year}-${month}-${date}`];
  });
}

function tableOf(day: string): string {
  return `transcript_chunks_${day.replaceAll("-", "")}`;
}

function dayAfter(day: string): string {
  return dayOf(Date.parse(day) + DAY_MS);
}
