import { sql } from "kysely";
import type { AgentId, GroupId } from "../../../../domain/ids.ts";
import { tableBy } from "../engine/dialect.ts";
import type { Db } from "../engine/tables.ts";
import { deleteCountsOf } from "./agent-counts.ts";

/** A statement blocks all other work, so its size is limited; the next call deletes the rest. */
const MAX_EVENTS = 100_000;

/**
 * Deletes the longest ended first. Foreign keys delete the rows of an agent or a task with it.
 * Agents stay while their task may continue, and a task while it has agents. An agent also stays as
 * long as the row of its workspace, whose change names it: the retention of workspaces deletes that
 * row first. The audit stays.
 */
export async function purgeHistory(
  db: Db,
  endedBefore: number,
  limit: number,
): Promise<readonly AgentId[]> {
  const purged = await sql<{ id: AgentId }>`
    delete from agents where seq in (
      select seq from ${tableBy(db, "agents", "agents_past_view")}
        where process = 'ended' and in_view = 0 and ended_at < ${endedBefore}
          and not exists (
            select 1 from tasks where tasks.id = agents.task_id and not ${isPast(endedBefore)})
          and not exists (select 1 from workspaces where workspaces.id = agents.workspace_id)
        order by ended_at, agents.seq limit ${limit})
      returning id`.execute(db);
  await purgeTasks(db, endedBefore, limit);
  await purgeApprovals(db, endedBefore, limit);
  await purgeGroups(db, endedBefore);
  await purgeAlerts(db, endedBefore, limit);
  await purgeScheduleRuns(db, endedBefore, limit);
  await purgeSlackMessages(db, endedBefore, limit);
  await purgeEvents(db, endedBefore);
  return purged.rows.map(({ id }) => id);
}

async function purgeTasks(db: Db, endedBefore: number, limit: number): Promise<void> {
  await sql`
    delete from tasks where seq in (
      select seq from ${tableBy(db, "tasks", "tasks_past")}
        where ${isPast(endedBefore)}
          and not exists (select 1 from agents where agents.task_id = tasks.id)
        order by ended_at, seq limit ${limit})`.execute(db);
}

/** A task whose execution has not stopped is not past, whatever the task's status. */
function isPast(endedBefore: number) {
  return sql`(
    tasks.status in ('completed', 'failed', 'cancelled') and tasks.ended_at < ${endedBefore}
    and not exists (
      select 1 from executions where executions.task_id = tasks.id
        and executions.status not in ('completed', 'failed', 'blocked', 'cancelled')))`;
}

/** Approvals without a task are deleted after their agent. */
async function purgeApprovals(db: Db, before: number, limit: number): Promise<void> {
  await sql`
    delete from approvals where seq in (
      select seq from approvals
        where task_id is null and status <> 'pending' and created_at < ${before}
          and not exists (select 1 from agents where agents.id = approvals.agent_id)
        order by created_at limit ${limit})`.execute(db);
}

async function purgeAlerts(db: Db, before: number, limit: number): Promise<void> {
  await sql`
    delete from alerts where seq in (
      select seq from ${tableBy(db, "alerts", "alerts_past")}
        where status <> 'pending' and created_at < ${before}
        order by created_at limit ${limit})`.execute(db);
}

/** What happened at planned times; a queued one has not happened yet. */
async function purgeScheduleRuns(db: Db, before: number, limit: number): Promise<void> {
  await sql`
    delete from schedule_runs where seq in (
      select seq from ${tableBy(db, "schedule_runs", "schedule_runs_past")}
        where at < ${before} and status <> 'queued' order by at limit ${limit})`.execute(db);
}

/** Messages about groups, and alerts. Those of a task are deleted with it. */
async function purgeSlackMessages(db: Db, before: number, limit: number): Promise<void> {
  await sql`
    delete from slack_messages where seq in (
      select seq from ${tableBy(db, "slack_messages", "slack_messages_past")}
        where task_id is null and created_at < ${before}
          and status in ('posted', 'dead') and coalesce(sent_at, created_at) < ${before}
        order by created_at limit ${limit})`.execute(db);
}

/** Children must be deleted before their parents, so this repeats until none is left. */
async function purgeGroups(db: Db, deletedBefore: number): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ id: GroupId }>`
      delete from groups
        where status = 'deleted' and deleted_at < ${deletedBefore}
          and not exists (select 1 from agents where group_id = groups.id)
          and not exists (select 1 from tasks where tasks.group_id = groups.id)
          and not exists (select 1 from groups as child where child.parent_group_id = groups.id)
        returning id`.execute(db);
    if (rows.length === 0) return;
    await deleteCountsOf(
      db,
      rows.map(({ id }) => id),
    );
  }
}

/**
 * Deletes from the oldest event to the first that is not old, so that no index of times is needed.
 * The newest event always stays: readers continue from its number.
 */
async function purgeEvents(db: Db, before: number): Promise<void> {
  await sql`
    delete from events
      where seq < coalesce(
        (select seq from events
          where at >= ${before} or seq >= (select min(seq) + ${MAX_EVENTS} from events)
          order by seq limit 1),
        (select max(seq) from events))`.execute(db);
}
