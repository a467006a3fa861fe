import { sql } from "kysely";
import type { SlackCode, SlackInstallation, SlackLink } from "../../../../app/ports/slack-store.ts";
import { jsonColumn } from "../engine/json-column.ts";
import type { Db } from "../engine/tables.ts";

const SCOPES = jsonColumn<readonly string[]>();

export async function getSlackInstallation(
  db: Db,
  team: string,
): Promise<SlackInstallation | undefined> {
  const row = await selectInstallations(db).where("team", "=", team).executeTakeFirst();
  return row && { ...row, scopes: SCOPES.read(row.scopes) };
}

export async function listSlackInstallations(db: Db): Promise<readonly SlackInstallation[]> {
  const rows = await selectInstallations(db).orderBy("team").execute();
  return rows.map((row) => ({ ...row, scopes: SCOPES.read(row.scopes) }));
}

export async function putSlackInstallation(db: Db, given: SlackInstallation): Promise<void> {
  const { botUser, installedBy, scopes, ...rest } = given;
  const row = {
    ...rest,
    bot_user: botUser,
    installed_by: installedBy,
    scopes: SCOPES.write(scopes),
  };
  await db
    .insertInto("slack_installations")
    .values(row)
    .onConflict((conflict) => conflict.column("team").doUpdateSet(row))
    .execute();
}

export async function deleteSlackInstallation(db: Db, team: string): Promise<void> {
  await db.deleteFrom("slack_installations").where("team", "=", team).execute();
  await db
    .updateTable("slack_messages")
    // The sender looks for a post that was not answered, should the app be installed again.
    .set({
      status: "dead",
      error: sql`case status when 'posting' then 'uncertain:not_installed' else 'not_installed' end`,
    })
    .where("team", "=", team)
    .where("status", "<>", "dead")
    .execute();
}

export async function getSlackLink(
  db: Db,
  team: string,
  user: string,
): Promise<SlackLink | undefined> {
  return selectLinks(db).where("team", "=", team).where("user", "=", user).executeTakeFirst();
}

export async function listSlackLinks(db: Db, personId: string): Promise<readonly SlackLink[]> {
  return selectLinks(db)
    .where("person_id", "=", personId)
    .orderBy("team")
    .orderBy("user")
    .execute();
}

export async function putSlackLink(db: Db, { personId, ...rest }: SlackLink): Promise<void> {
  const row = { ...rest, person_id: personId };
  await db
    .insertInto("slack_links")
    .values(row)
    .onConflict((conflict) => conflict.columns(["team", "user"]).doUpdateSet(row))
    .execute();
}

export async function deleteSlackLink(db: Db, team: string, user: string): Promise<void> {
  await db.deleteFrom("slack_links").where("team", "=", team).where("user", "=", user).execute();
}

export async function insertSlackCode(db: Db, code: SlackCode): Promise<void> {
  const { expiresAt, ...row } = code;
  await db
    .insertInto("slack_codes")
    .values({ ...row, expires_at: expiresAt })
    .execute();
}

export async function takeSlackCode(
  db: Db,
  hash: string,
  now: number,
): Promise<SlackCode | undefined> {
  await db.deleteFrom("slack_codes").where("expires_at", "<=", now).execute();
  return db
    .deleteFrom("slack_codes")
    .where("hash", "=", hash)
    .returning(["hash", "purpose", "data", "expires_at as expiresAt"])
    .executeTakeFirst();
}

function selectInstallations(db: Db) {
  return db
    .selectFrom("slack_installations")
    .select(["team", "enterprise", "bot_user as botUser", "secret", "scopes"])
    .select(["installed_by as installedBy", "at"]);
}

function selectLinks(db: Db) {
  return db.selectFrom("slack_links").select(["team", "user", "person_id as personId", "at"]);
}
