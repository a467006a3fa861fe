import type { SlackDelivery } from "../../../../app/ports/slack-store.ts";
import type { Db } from "../engine/tables.ts";

export async function getSlackDelivery(db: Db, key: string): Promise<SlackDelivery | undefined> {
  return selectDeliveries(db).where("key", "=", key).executeTakeFirst();
}

export async function listDueSlackDeliveries(
  db: Db,
  now: number,
  limit: number,
): Promise<readonly SlackDelivery[]> {
  return selectDeliveries(db)
    .where("status", "=", "new")
    .where("next_at", "<=", now)
    .orderBy("next_at")
    .limit(limit)
    .execute();
}

export async function insertSlackDelivery(db: Db, delivery: SlackDelivery): Promise<boolean> {
  const { nextAt, ...row } = delivery;
  const inserted = await db
    .insertInto("slack_deliveries")
    .values({ ...row, next_at: nextAt })
    .onConflict((conflict) => conflict.column("key").doNothing())
    .executeTakeFirst();
  return inserted.numInsertedOrUpdatedRows === 1n;
}

export async function updateSlackDelivery(
  db: Db,
  key: string,
  { nextAt, ...change }: Pick<SlackDelivery, "status" | "tries" | "error" | "nextAt">,
): Promise<void> {
  await db
    .updateTable("slack_deliveries")
    .set({ ...change, next_at: nextAt })
    .where("key", "=", key)
    .execute();
}

export async function deleteSlackDeliveriesBefore(db: Db, at: number): Promise<void> {
  await db
    .deleteFrom("slack_deliveries")
    .where("status", "<>", "new")
    .where("at", "<", at)
    .execute();
}

function selectDeliveries(db: Db) {
  return db
    .selectFrom("slack_deliveries")
    .select(["key", "team", "body", "status", "tries", "error", "next_at as nextAt", "at"]);
}
