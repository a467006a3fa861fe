import { sql } from "kysely";
import type { SlackMessage, SlackThread } from "../../../../app/ports/slack-store.ts";
import type { TaskId } from "../../../../domain/ids.ts";
import { anyId } from "../engine/any-id.ts";
import type { Db } from "../engine/tables.ts";

export async function getSlackThread(
  db: Db,
  team: string,
  channel: string,
  threadTs: string,
): Promise<SlackThread | undefined> {
  return selectThreads(db)
    .where("team", "=", team)
    .where("channel", "=", channel)
    .where("thread_ts", "=", threadTs)
    .orderBy("at", "desc")
    .orderBy("message_ts", "desc")
    .executeTakeFirst();
}

export async function getSlackRequest(
  db: Db,
  team: string,
  channel: string,
  messageTs: string,
): Promise<SlackThread | undefined> {
  return selectThreads(db)
    .where("team", "=", team)
    .where("channel", "=", channel)
    .where("message_ts", "=", messageTs)
    .executeTakeFirst();
}

export async function listSlackThreadsOfTask(
  db: Db,
  taskId: string,
): Promise<readonly SlackThread[]> {
  return selectThreads(db).where("task_id", "=", anyId<TaskId>(taskId)).execute();
}

export async function insertSlackThread(db: Db, thread: SlackThread): Promise<boolean> {
  const { threadTs, messageTs = threadTs, taskId, ...row } = thread;
  const inserted = await db
    .insertInto("slack_threads")
    .values({ ...row, thread_ts: threadTs, message_ts: messageTs, task_id: taskId })
    .onConflict((conflict) => conflict.columns(["team", "channel", "message_ts"]).doNothing())
    .executeTakeFirst();
  return inserted.numInsertedOrUpdatedRows === 1n;
}

export async function listOpenSlackThreads(db: Db): Promise<readonly SlackThread[]> {
  return selectThreads(db)
    .where(sql<boolean>`settled = 0`)
    .orderBy("at")
    .execute();
}

export async function settleSlackThread(db: Db, taskId: TaskId, isSettled: boolean): Promise<void> {
  await db
    .updateTable("slack_threads")
    .set({ settled: isSettled ? 1 : 0 })
    .where("task_id", "=", taskId)
    .execute();
}

export async function getSlackMessage(db: Db, key: string): Promise<SlackMessage | undefined> {
  return selectMessages(db).where("key", "=", key).executeTakeFirst();
}

export async function findSlackMessage(
  db: Db,
  team: string,
  channel: string,
  ts: string,
): Promise<SlackMessage | undefined> {
  return selectMessages(db)
    .where("team", "=", team)
    .where("channel", "=", channel)
    .where("ts", "=", ts)
    .executeTakeFirst();
}

export async function listSlackMessagesOfTask(
  db: Db,
  taskId: string,
): Promise<readonly SlackMessage[]> {
  return selectMessages(db).where("task_id", "=", anyId<TaskId>(taskId)).orderBy("seq").execute();
}

export async function listUnsentSlackMessages(
  db: Db,
  limit: number,
): Promise<readonly SlackMessage[]> {
  return (
    selectMessages(db)
      // Literals, as in the partial index: SQLite does not compare parameters with it.
      .where(sql<boolean>`status <> 'dead' and desired_hash is distinct from sent_hash`)
      .orderBy("priority")
      .orderBy("seq")
      .limit(limit)
      .execute()
  );
}

export async function listOpenSlackBoards(db: Db): Promise<readonly SlackMessage[]> {
  return selectMessages(db)
    .where(sql<boolean>`group_id is not null and priority <> 1 and status <> 'dead'`)
    .orderBy("seq")
    .execute();
}

export async function putSlackMessage(db: Db, message: SlackMessage): Promise<void> {
  const { threadTs, taskId, groupId, desiredHash, sentHash, nextAt, sentAt, createdAt, ...rest } =
    message;
  const row = {
    ...rest,
    thread_ts: threadTs,
    task_id: taskId,
    group_id: groupId,
    desired_hash: desiredHash,
    sent_hash: sentHash,
    next_at: nextAt,
    sent_at: sentAt,
    created_at: createdAt,
  };
  await db
    .insertInto("slack_messages")
    .values(row)
    .onConflict((conflict) => conflict.column("key").doUpdateSet(row))
    .execute();
}

function selectThreads(db: Db) {
  return db
    .selectFrom("slack_threads")
    .select(["team", "channel", "thread_ts as threadTs", "task_id as taskId"])
    .select(["user", "locale", "at"]);
}

function selectMessages(db: Db) {
  return db
    .selectFrom("slack_messages")
    .select(["key", "team", "channel", "thread_ts as threadTs", "ts", "task_id as taskId"])
    .select(["group_id as groupId", "priority", "desired", "desired_hash as desiredHash"])
    .select(["sent_hash as sentHash", "status", "tries", "reposts", "error"])
    .select(["next_at as nextAt", "sent_at as sentAt", "created_at as createdAt"]);
}
