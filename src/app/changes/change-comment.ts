import type { ChangeComment } from "../../domain/changes/change.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { Core, Identity } from "../core.ts";
import { requirePerson } from "../people/require-person.ts";
import type { Queries } from "../ports/store.ts";
import { requireWorkspace } from "../workspaces/require-workspace.ts";
import { emitCommented } from "./comment-event.ts";

export type EditComment = {
  readonly id: string;
  readonly body?: string | undefined;
  readonly status?: "draft" | "resolved" | undefined;
};

/** The text of a sent comment stays as the agent got it; a comment can be resolved and reopened. */
export async function changeComment(
  core: Core,
  identity: Identity,
  { id, body, status }: EditComment,
): Promise<ChangeComment> {
  const person = requirePerson(identity, "operator");
  return core.store.transaction(async (unit) => {
    const comment = await requireComment(unit, id);
    if (body !== undefined && comment.sentAt !== null) throw alreadySent(comment);
    // A comment that was sent becomes sent again, not a draft.
    const reopened = comment.sentAt === null ? "draft" : "sent";
    const changed = await unit.updateComment(
      {
        ...comment,
        ...(body !== undefined && { body }),
        ...(status !== undefined && { status: status === "draft" ? reopened : status }),
      },
      comment,
    );
    const workspace = await requireWorkspace(unit, comment.workspaceId);
    await emitCommented(core, unit, workspace, changed, person.id);
    return changed;
  });
}

export async function deleteComment(core: Core, identity: Identity, id: string): Promise<void> {
  const person = requirePerson(identity, "operator");
  await core.store.transaction(async (unit) => {
    const comment = await requireComment(unit, id);
    if (comment.sentAt !== null) throw alreadySent(comment);
    const workspace = await requireWorkspace(unit, comment.workspaceId);
    await unit.deleteComment(comment.id);
    await emitCommented(core, unit, workspace, comment, person.id);
  });
}

async function requireComment(
  queries: Pick<Queries, "getComment">,
  id: string,
): Promise<ChangeComment> {
  const comment = await queries.getComment(id);
  if (comment) return comment;
  throw new Refusal("COMMENT_NOT_FOUND", {
    en: [`There is no comment ${id}.`, "It may have been deleted: load the change again."],
    ja: [`コメント ${id} はありません。`, "削除されたのかもしれません。変更を読み直してください。"],
  });
}

function alreadySent({ sentTo }: ChangeComment): Refusal {
  return new Refusal("INVALID_ARGUMENTS", {
    en: [
      `The comment was sent to ${sentTo ?? "an agent"} and stays as it was.`,
      "Resolve it, or write a new one.",
    ],
    ja: [
      `このコメントは ${sentTo ?? "エージェント"} に送られているので、変更できません。`,
      "解決済みにするか、新しいコメントを書いてください。",
    ],
  });
}
