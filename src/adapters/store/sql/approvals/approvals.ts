import { sql } from "kysely";
import type { Approval } from "../../../../domain/approvals/approval.ts";
import type { ApprovalId } from "../../../../domain/ids.ts";
import { anyId } from "../engine/any-id.ts";
import { prepared } from "../engine/prepared.ts";
import type { Db } from "../engine/tables.ts";
import { updateChanged } from "../engine/update-changed.ts";
import { versionConflict } from "../engine/version-conflict.ts";
import { toApproval, toApprovalRow } from "./approval-row.ts";

// A literal: a partial index is not used for a bound parameter.
const PENDING = sql<"pending">`'pending'`;

const selectRow = prepared(
  (db, id: string) =>
    db.selectFrom("approvals").selectAll().where("id", "=", anyId<ApprovalId>(id)),
  (id) => [id],
);

export async function getApproval(db: Db, id: string): Promise<Approval | undefined> {
  const [row] = (await selectRow(db, id)).rows;
  return row && toApproval(row);
}

export async function countPendingApprovals(db: Db): Promise<number> {
  const [count] = (await selectPendingCount(db)).rows;
  return count?.n ?? 0;
}

/** Runs at the end of every agent, so it must be fast. */
const selectPendingCount = prepared(
  (db) =>
    db
      .selectFrom("approvals")
      .select((select) => select.fn.countAll<number>().as("n"))
      .where("status", "=", PENDING),
  () => [],
);

/** Newest first: a repeated call refers to its latest approval. */
export async function listApprovalsByBinding(
  db: Db,
  binding: string,
): Promise<readonly Approval[]> {
  const { rows } = await selectByBinding(db, binding);
  return rows.map(toApproval);
}

/** Runs with every call in an execution, so it must be fast. */
const selectByBinding = prepared(
  (db, binding: string) =>
    db.selectFrom("approvals").selectAll().where("binding", "=", binding).orderBy("seq", "desc"),
  (binding) => [binding],
);

/** The longest due first; only pending approvals have a due time. */
export async function listDueApprovals(
  db: Db,
  now: number,
  limit: number,
): Promise<readonly Approval[]> {
  const rows = await db
    .selectFrom("approvals")
    .selectAll()
    .where("due_at", "<=", now)
    .orderBy("due_at")
    .orderBy("seq")
    .limit(limit)
    .execute();
  return rows.map(toApproval);
}

export async function nextApprovalDue(db: Db): Promise<number | undefined> {
  const row = await db
    .selectFrom("approvals")
    .select("due_at")
    .where("due_at", "is not", null)
    .orderBy("due_at")
    .limit(1)
    .executeTakeFirst();
  return row?.due_at ?? undefined;
}

export async function insertApproval(db: Db, approval: Approval): Promise<void> {
  await db.insertInto("approvals").values(toApprovalRow(approval)).execute();
}

const updateRow = updateChanged("approvals", "revision");

export async function updateApproval(
  db: Db,
  next: Approval,
  expected: Approval,
): Promise<Approval> {
  const approval = { ...next, revision: expected.revision + 1 };
  if (!(await updateRow(db, toApprovalRow(approval), expected.id, expected.revision))) {
    throw versionConflict("Approval", expected);
  }
  return approval;
}
