import type { SignIn } from "../../../../app/ports/task-store.ts";
import type { Db } from "../engine/tables.ts";

export async function getSignIn(db: Db, hash: string): Promise<SignIn | undefined> {
  return db
    .selectFrom("sign_ins")
    .select(["hash", "person_id as personId"])
    .select(["created_at as createdAt", "expires_at as expiresAt"])
    .where("hash", "=", hash)
    .executeTakeFirst();
}

export async function insertSignIn(db: Db, signIn: SignIn): Promise<void> {
  await db
    .insertInto("sign_ins")
    .values({
      hash: signIn.hash,
      person_id: signIn.personId,
      created_at: signIn.createdAt,
      expires_at: signIn.expiresAt,
    })
    .execute();
}

export async function deleteSignIn(db: Db, hash: string): Promise<void> {
  await db.deleteFrom("sign_ins").where("hash", "=", hash).execute();
}

export async function deleteSignInsExpiredAt(db: Db, now: number): Promise<void> {
  await db.deleteFrom("sign_ins").where("expires_at", "<=", now).execute();
}
