import { type Insertable, type Selectable, sql } from "kysely";
import type { AlertQuery } from "../../../../app/ports/alert-store.ts";
import type { Alert } from "../../../../domain/alerts/alert.ts";
import { jsonColumn } from "../engine/json-column.ts";
import type { AlertTable, Db } from "../engine/tables.ts";
import { updateChanged } from "../engine/update-changed.ts";
import { versionConflict } from "../engine/version-conflict.ts";

const RECIPIENTS = jsonColumn<readonly string[]>();

export async function listAlerts(
  db: Db,
  { statuses, target, limit }: AlertQuery,
): Promise<readonly Alert[]> {
  const [one, ...others] = statuses ?? [];
  const all = db.selectFrom("alerts").selectAll().orderBy("seq", "desc").limit(limit);
  if (one === undefined) {
    const rows = await (target === undefined ? all : all.where("target", "=", target)).execute();
    return rows.map(toAlert);
  }
  // One status after the other: each is read in the order of its index.
  const found = await Promise.all(
    [one, ...others].map((status) => all.where("status", "=", status).execute()),
  );
  const newest = found.flat().toSorted((a, b) => b.seq - a.seq);
  return newest.slice(0, limit).map(toAlert);
}

export async function listDueAlerts(
  db: Db,
  now: number,
  limit: number,
  target?: string,
): Promise<readonly Alert[]> {
  const due = db
    .selectFrom("alerts")
    .selectAll()
    .where("due_at", "<=", now)
    .orderBy("due_at")
    .orderBy("seq")
    .limit(limit);
  const rows = await (target === undefined ? due : due.where("target", "=", target)).execute();
  return rows.map(toAlert);
}

export async function nextAlertDue(
  db: Db,
  after: number,
  target?: string,
): Promise<number | undefined> {
  const next = db
    .selectFrom("alerts")
    .select("due_at")
    .where("due_at", ">", after)
    .orderBy("due_at")
    .limit(1);
  const untried = (of: string) => next.where("target", "=", of).where("message_id", "is", null);
  const row = await (target === undefined ? next : untried(target)).executeTakeFirst();
  return row?.due_at ?? undefined;
}

export async function insertAlert(db: Db, alert: Alert): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("alerts")
    .values(toRow(alert))
    .onConflict((conflict) => conflict.columns(["key", "target"]).doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

const updateRow = updateChanged("alerts");

export async function updateAlert(db: Db, next: Alert, expected: Alert): Promise<Alert> {
  const alert = { ...next, version: expected.version + 1 };
  if (!(await updateRow(db, toRow(alert), expected.id, expected.version))) {
    throw versionConflict("Alert", expected);
  }
  return alert;
}

export async function getAlertCursor(db: Db): Promise<number | undefined> {
  const row = await db.selectFrom("alert_cursor").select("seq").executeTakeFirst();
  return row?.seq;
}

export async function putAlertCursor(db: Db, seq: number | undefined): Promise<void> {
  if (seq === undefined) return void (await db.deleteFrom("alert_cursor").execute());
  await sql`
    insert into alert_cursor (id, seq) values (1, ${seq})
      on conflict (id) do update set seq = excluded.seq`.execute(db);
}

function toRow(alert: Alert): Insertable<AlertTable> {
  return {
    id: alert.id,
    key: alert.key,
    target: alert.target,
    kind: alert.kind,
    task_id: alert.taskId,
    group_id: alert.groupId,
    agent_id: alert.agentId,
    approval_id: alert.approvalId,
    title: alert.title,
    detail: alert.detail,
    requester: alert.requester,
    recipients: alert.recipients && RECIPIENTS.write(alert.recipients),
    status: alert.status,
    due_at: alert.dueAt,
    message_id: alert.messageId,
    tries: alert.tries,
    error: alert.error,
    created_at: alert.createdAt,
    ended_at: alert.endedAt,
    version: alert.version,
  };
}

function toAlert(row: Selectable<AlertTable>): Alert {
  return {
    id: row.id,
    key: row.key,
    target: row.target,
    kind: row.kind,
    taskId: row.task_id,
    groupId: row.group_id,
    agentId: row.agent_id,
    approvalId: row.approval_id,
    title: row.title,
    detail: row.detail,
    requester: row.requester,
    recipients: row.recipients === null ? null : RECIPIENTS.read(row.recipients),
    status: row.status,
    dueAt: row.due_at,
    messageId: row.message_id,
    tries: row.tries,
    error: row.error,
    createdAt: row.created_at,
    endedAt: row.ended_at,
    version: row.version,
  };
}
