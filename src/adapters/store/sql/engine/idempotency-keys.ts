import type { IdempotencyRecord } from "../../../../app/ports/task-store.ts";
import type { Db } from "./tables.ts";

export async function getIdempotencyRecord(
  db: Db,
  key: string,
): Promise<IdempotencyRecord | undefined> {
  const row = await db
    .selectFrom("keyed_requests")
    .selectAll()
    .where("key", "=", key)
    .executeTakeFirst();
  if (!row) return undefined;
  const { status, body, ...rest } = row;
  return { ...rest, answer: status === null || body === null ? null : { status, body } };
}

export async function insertIdempotencyRecord(
  db: Db,
  { answer, ...rest }: IdempotencyRecord,
  expired: number,
): Promise<boolean> {
  const row = { ...rest, status: answer?.status ?? null, body: answer?.body ?? null };
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("keyed_requests")
    .values(row)
    .onConflict((conflict) =>
      conflict.column("key").doUpdateSet(row).where("keyed_requests.at", "<", expired),
    )
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

export async function putIdempotencyRecord(
  db: Db,
  { answer, ...rest }: IdempotencyRecord,
): Promise<void> {
  const row = { ...rest, status: answer?.status ?? null, body: answer?.body ?? null };
  await db
    .insertInto("keyed_requests")
    .values(row)
    .onConflict((conflict) => conflict.column("key").doUpdateSet(row))
    .execute();
}

export async function deleteIdempotencyRecord(db: Db, key: string): Promise<void> {
  await db.deleteFrom("keyed_requests").where("key", "=", key).execute();
}

export async function deleteIdempotencyRecordsBefore(db: Db, at: number): Promise<void> {
  await db.deleteFrom("keyed_requests").where("at", "<", at).execute();
}
