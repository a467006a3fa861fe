import type { KeyedRequest } from "../../../../app/ports/task-store.ts";
import type { Db } from "./tables.ts";

export async function getKeyedRequest(db: Db, key: string): Promise<KeyedRequest | undefined> {
  const row = await db
    .selectFrom("keyed_requests")
    .selectAll()
    .where("key", "=", key)
    .executeTakeFirst();
  if (!row) return undefined;
  const { status, body, ...rest } = row;
  return { ...rest, answer: status === null || body === null ? null : { status, body } };
}

export async function putKeyedRequest(db: Db, { answer, ...rest }: KeyedRequest): Promise<void> {
  const row = { ...rest, status: answer?.status ?? null, body: answer?.body ?? null };
  await db
    .insertInto("keyed_requests")
    .values(row)
    .onConflict((conflict) => conflict.column("key").doUpdateSet(row))
    .execute();
}

export async function deleteKeyedRequest(db: Db, key: string): Promise<void> {
  await db.deleteFrom("keyed_requests").where("key", "=", key).execute();
}

export async function deleteKeyedRequestsBefore(db: Db, at: number): Promise<void> {
  await db.deleteFrom("keyed_requests").where("at", "<", at).execute();
}
