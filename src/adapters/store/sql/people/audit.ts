import { createHash } from "node:crypto";
import { type RawBuilder, type Selectable, sql } from "kysely";
import type { AuditPage, AuditQuery } from "../../../../app/ports/task-store.ts";
import {
  type AuditEntry,
  auditText,
  FIRST_HASH,
  type NewAudit,
} from "../../../../domain/people/audit.ts";
import { canonicalJson } from "../../../../domain/text/canonical.ts";
import { fromCursor, pageOf, type Position } from "../engine/cursor.ts";
import { tableBy } from "../engine/dialect.ts";
import { jsonColumn } from "../engine/json-column.ts";
import { prepared } from "../engine/prepared.ts";
import type { Db } from "../engine/tables.ts";
import type { AuditTable } from "../engine/task-tables.ts";

const ONE = sql.lit(1);
const DATA = jsonColumn<AuditEntry["data"]>();

/** Only one transaction at a time may append, so the last row stays the last until the commit. */
export async function appendAudit(db: Db, entry: NewAudit): Promise<void> {
  const [last] = (await selectLast(db)).rows;
  const data = canonicalJson(entry.data);
  const unhashed = {
    seq: (last?.seq ?? 0) + 1,
    at: entry.at,
    actor: storable(entry.actor),
    action: storable(entry.action),
    subject: storable(entry.subject),
    // Hash the row as it will be read back, so that a verifier computes the same hash.
    data: DATA.read(data),
    prevHash: last?.hash ?? FIRST_HASH,
  };
  const hash = createHash("sha256").update(auditText(unhashed)).digest("hex");
  const { prevHash, ...columns } = unhashed;
  await insertRow(db, { ...columns, data, prev_hash: prevHash, hash });
}

const selectLast = prepared(
  (db) => db.selectFrom("audit").select(["seq", "hash"]).orderBy("seq", "desc").limit(ONE),
  () => [],
);
const insertRow = prepared(
  (db, row: Selectable<AuditTable>) => db.insertInto("audit").values(row),
  (row) => Object.values(row),
);

/** Newest first. */
export async function listAudit(db: Db, query: AuditQuery): Promise<AuditPage> {
  const after = query.cursor === undefined ? null : fromCursor(query.cursor);
  const { rows } = await sql<Selectable<AuditTable>>`
    select * from ${tableBy(db, "audit", indexFor(query))}
      where ${sql.join(conditionsOf(query, after), sql` and `)}
      order by seq desc
      limit ${query.limit + 1}`.execute(db);
  const { page, nextCursor } = pageOf(rows, query.limit, (row) => row.at);
  return { entries: page.map(toEntry), nextCursor };
}

/** Counts all entries, whatever their numbers. */
export async function countAudit(db: Db): Promise<number> {
  const { n } = await db
    .selectFrom("audit")
    .select((select) => select.fn.countAll<number>().as("n"))
    .executeTakeFirstOrThrow();
  return n;
}

/** Numbers that JavaScript cannot hold are not read; `countAudit` counts them. */
export async function listAuditAfter(
  db: Db,
  seq: number,
  limit: number,
): Promise<readonly AuditEntry[]> {
  const rows = await db
    .selectFrom("audit")
    .selectAll()
    .where("seq", ">", seq)
    .where("seq", "<=", Number.MAX_SAFE_INTEGER)
    .orderBy("seq")
    .limit(limit)
    .execute();
  return rows.map(toEntry);
}

/** Names the index: a subject has few rows, an actor may have very many. */
function indexFor({ subject, actor }: AuditQuery): string | null {
  if (subject !== undefined) return "audit_by_subject";
  return actor !== undefined ? "audit_by_actor" : null;
}

function conditionsOf(
  { subject, actor }: AuditQuery,
  after: Position | null,
): readonly RawBuilder<unknown>[] {
  return [
    sql`seq < ${after?.seq ?? Number.MAX_SAFE_INTEGER}`,
    ...(subject === undefined ? [] : [sql`subject = ${subject}`]),
    ...(actor === undefined ? [] : [sql`actor = ${actor}`]),
  ];
}

/** Databases do not store a lone surrogate or a NUL unchanged; the hash would be of another text. */
function storable(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\ufffd");
}

function toEntry({ prev_hash, data, ...row }: Selectable<AuditTable>): AuditEntry {
  return { ...row, data: DATA.read(data), prevHash: prev_hash };
}
