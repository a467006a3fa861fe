import { sql } from "kysely";
import type { Tables } from "../../sql/engine/tables.ts";
import type { Scope } from "../../sql/engine/transactions.ts";
import type { RowsOfUnit } from "../../sql/engine/unit-of-work.ts";
import { appendAudit } from "../../sql/people/audit.ts";
import { ADVISORY_LOCKS } from "./advisory-locks.ts";

/** Rows of these tables may belong to a task. */
const IN_TASKS: ReadonlySet<keyof Tables> = new Set([
  "executions",
  "agents",
  "approvals",
  "tool_calls",
]);

/**
 * A unit of work decides by the rows it reads, so it locks them: another server cannot change them
 * until the commit. `no key update` does not hold up rows that only refer to them. Use cases read the
 * rows of a task in different orders, which would end in deadlocks, so its own row is locked first.
 */
export function lockingReads(unit: RowsOfUnit, scope: () => Scope): Partial<RowsOfUnit> {
  const locked =
    <Row>(table: keyof Tables, read: (id: string) => Promise<Row>) =>
    async (id: string): Promise<Row> => {
      await scope().run((db) => lockRow(table, id).execute(db));
      return read(id);
    };
  return {
    getGroup: locked("groups", unit.getGroup),
    getTask: locked("tasks", unit.getTask),
    getExecution: locked("executions", unit.getExecution),
    getAgent: locked("agents", unit.getAgent),
    getApproval: locked("approvals", unit.getApproval),
    getNotification: locked("notifications", unit.getNotification),
    getToolCall: locked("tool_calls", unit.getToolCall),
    getAgentCall: locked("agent_calls", unit.getAgentCall),
    getSchedule: locked("schedules", unit.getSchedule),
    getWorkspace: locked("workspaces", unit.getWorkspace),
    getMerge: locked("merges", unit.getMerge),
    getComment: locked("change_comments", unit.getComment),
  };
}

function lockRow(table: keyof Tables, id: string) {
  const row = sql.table(table);
  if (!IN_TASKS.has(table)) return sql`select 1 from ${row} where id = ${id} for no key update`;
  // The aggregate makes PostgreSQL lock the row of the task before that of the outer query.
  return sql`
    with task as materialized (
      select id from tasks where id = (select task_id from ${row} where id = ${id})
        for no key update)
    select 1 from ${row} as mine, (select count(*) from task) as locked
      where mine.id = ${id} for no key update of mine`;
}

export function sharedLocks(
  scope: () => Scope,
): Pick<RowsOfUnit, "lockQueue" | "holdLease" | "holdEnd"> {
  return {
    async holdLease(workerId, epoch) {
      // Does not wait for the beats of the worker, only for the end of its lease.
      const { rows } = await scope().run((db) =>
        sql`
          select 1 from workers where id = ${workerId} and epoch = ${epoch} and seen <> 'infinity'
            for key share`.execute(db),
      );
      return rows.length === 1;
    },
    async holdEnd(host, id) {
      const { rows } = await scope().run((db) =>
        sql`
          select 1 from ${sql.table(host)} where id = ${id} and seen = 'infinity'
            for key share`.execute(db),
      );
      return rows.length === 1;
    },
    async lockQueue() {
      await scope().run((db) =>
        sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.queue})`.execute(db),
      );
    },
  };
}

/**
 * Each entry has the hash of the one before, so writers take turns. The entries are written last:
 * the lock is held only for the commit, and no other lock is taken after it.
 */
export function auditLast(scope: () => Scope): Pick<RowsOfUnit, "appendAudit"> {
  return {
    async appendAudit(entry) {
      const { admit, last } = scope();
      admit();
      last.push(async (db) => {
        await sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.audit})`.execute(db);
        await appendAudit(db, entry);
      });
    },
  };
}
