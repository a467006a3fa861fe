import type { Insertable, Selectable } from "kysely";
import type { ChangeComment } from "../../../../domain/changes/change.ts";
import type { CommentId, WorkspaceId } from "../../../../domain/ids.ts";
import { anyId } from "../engine/any-id.ts";
import type { Db } from "../engine/tables.ts";
import { updateChanged } from "../engine/update-changed.ts";
import { versionConflict } from "../engine/version-conflict.ts";
import type { ChangeCommentTable } from "../engine/workspace-tables.ts";

export async function listComments(db: Db, id: WorkspaceId): Promise<readonly ChangeComment[]> {
  const rows = await db
    .selectFrom("change_comments")
    .selectAll()
    .where("workspace_id", "=", id)
    .orderBy("seq")
    .execute();
  return rows.map(toComment);
}

export async function getComment(db: Db, id: string): Promise<ChangeComment | undefined> {
  const row = await db
    .selectFrom("change_comments")
    .selectAll()
    .where("id", "=", anyId<CommentId>(id))
    .executeTakeFirst();
  return row && toComment(row);
}

export async function insertComment(db: Db, comment: ChangeComment): Promise<void> {
  await db.insertInto("change_comments").values(toRow(comment)).execute();
}

const updateRow = updateChanged("change_comments", "revision");

export async function updateComment(
  db: Db,
  next: ChangeComment,
  { id, revision }: ChangeComment,
): Promise<ChangeComment> {
  const comment = { ...next, revision: revision + 1 };
  if (!(await updateRow(db, toRow(comment), id, revision))) {
    throw versionConflict("Comment", { id, version: revision });
  }
  return comment;
}

export async function deleteComment(db: Db, id: string): Promise<void> {
  await db.deleteFrom("change_comments").where("id", "=", anyId<CommentId>(id)).execute();
}

function toRow(comment: ChangeComment): Insertable<ChangeCommentTable> {
  return {
    id: comment.id,
    workspace_id: comment.workspaceId,
    version: comment.version,
    path: comment.path,
    side: comment.side,
    line: comment.line,
    end_line: comment.endLine,
    quote: comment.quote,
    body: comment.body,
    author: comment.author,
    status: comment.status,
    created_at: comment.createdAt,
    sent_at: comment.sentAt,
    sent_to: comment.sentTo,
    revision: comment.revision,
  };
}

function toComment(row: Selectable<ChangeCommentTable>): ChangeComment {
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    version: row.version,
    path: row.path,
    side: row.side,
    line: row.line,
    endLine: row.end_line,
    quote: row.quote,
    body: row.body,
    author: row.author,
    status: row.status,
    createdAt: row.created_at,
    sentAt: row.sent_at,
    sentTo: row.sent_to,
    revision: row.revision,
  };
}
