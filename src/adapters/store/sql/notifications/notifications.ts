import { type Insertable, type Selectable, sql } from "kysely";
import type { AgentId, TaskId } from "../../../../domain/ids.ts";
import type {
  Notification,
  NotificationId,
  NotificationStatus,
  NotificationType,
} from "../../../../domain/notifications/notification.ts";
import { anyId } from "../engine/any-id.ts";
import { prepared } from "../engine/prepared.ts";
import type { Db, NotificationTable } from "../engine/tables.ts";
import { updateChanged } from "../engine/update-changed.ts";
import { versionConflict } from "../engine/version-conflict.ts";

// A literal: a partial index is not used for a bound parameter.
const OPEN = sql<NotificationStatus>`('pending', 'announced')`;
const STOP = sql<NotificationType>`('blocked', 'cancelled')`;
const CLEARED = sql<NotificationStatus>`'cleared'`;

export async function getNotification(db: Db, id: string): Promise<Notification | undefined> {
  const row = await db
    .selectFrom("notifications")
    .selectAll()
    .where("id", "=", anyId<NotificationId>(id))
    .executeTakeFirst();
  return row && toNotification(row);
}

export async function listOpenNotifications(
  db: Db,
  agentId: AgentId,
): Promise<readonly Notification[]> {
  const { rows } = await selectOpen(db, agentId);
  return rows.map(toNotification);
}

/** Runs with every tool call of an agent, so it must be fast. */
const selectOpen = prepared(
  (db, agentId: AgentId) =>
    db
      .selectFrom("notifications")
      .selectAll()
      .where("agent_id", "=", agentId)
      .where("status", "in", OPEN)
      .orderBy("seq"),
  (agentId) => [agentId],
);

export async function listNotifications(
  db: Db,
  agentId: string | undefined,
  limit: number,
): Promise<readonly Notification[]> {
  const all = db.selectFrom("notifications").selectAll().orderBy("seq", "desc").limit(limit);
  const rows = await (
    agentId === undefined ? all : all.where("agent_id", "=", anyId<AgentId>(agentId))
  ).execute();
  return rows.map(toNotification);
}

export async function listStopNotifications(
  db: Db,
  agentId: AgentId,
): Promise<readonly Notification[]> {
  const { rows } = await selectStopsOf(db, agentId);
  return rows.map(toNotification);
}

const selectStopsOf = prepared(
  (db, agentId: AgentId) => selectStopNotifications(db).where("agent_id", "=", agentId),
  (agentId) => [agentId],
);

export async function listAllStopNotifications(db: Db): Promise<readonly Notification[]> {
  const rows = await selectStopNotifications(db).execute();
  return rows.map(toNotification);
}

export async function listTaskNotifications(
  db: Db,
  taskId: TaskId,
): Promise<readonly Notification[]> {
  const rows = await db
    .selectFrom("notifications")
    .selectAll()
    .where("task_id", "=", taskId)
    .orderBy("seq")
    .execute();
  return rows.map(toNotification);
}

function selectStopNotifications(db: Db) {
  return db
    .selectFrom("notifications")
    .selectAll()
    .where("type", "in", STOP)
    .where("status", "<>", CLEARED)
    .orderBy("agent_id")
    .orderBy("seq");
}

export async function insertNotification(db: Db, notification: Notification): Promise<void> {
  await db.insertInto("notifications").values(toRow(notification)).execute();
}

const updateRow = updateChanged("notifications");

export async function updateNotification(
  db: Db,
  next: Notification,
  expected: Notification,
): Promise<Notification> {
  const notification = { ...next, version: expected.version + 1 };
  if (!(await updateRow(db, toRow(notification), expected.id, expected.version))) {
    throw versionConflict("Notification", expected);
  }
  return notification;
}

function toRow(notification: Notification): Insertable<NotificationTable> {
  return {
    id: notification.id,
    agent_id: notification.agentId,
    type: notification.type,
    status: notification.status,
    text: notification.text,
    task_id: notification.taskId,
    sender: notification.from,
    created_at: notification.createdAt,
    announced_at: notification.announcedAt,
    read_at: notification.readAt,
    clear_reason: notification.clearReason,
    version: notification.version,
  };
}

function toNotification(row: Selectable<NotificationTable>): Notification {
  return {
    id: row.id,
    agentId: row.agent_id,
    type: row.type,
    status: row.status,
    text: row.text,
    taskId: row.task_id,
    from: row.sender,
    createdAt: row.created_at,
    announcedAt: row.announced_at,
    readAt: row.read_at,
    clearReason: row.clear_reason,
    version: row.version,
  };
}
