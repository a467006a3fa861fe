import { Refusal } from "../../domain/refusal.ts";
import { BUILTIN_ROLE_IDS } from "../../domain/roles/builtin-roles.ts";
import type { Core } from "../core.ts";
import type { RoleEdit } from "../ports/config-file.ts";
import { requireRole } from "./require-role.ts";
import { requireEditing } from "./role-editing.ts";
import { type RolesSaved, type SaveOptions, saveRoles } from "./save-roles.ts";

export type DeleteRole = SaveOptions & { readonly id: string };

const PAGE = 500;

/** Disables a built-in role; removes any other role from the file. */
export async function deleteRole(core: Core, input: DeleteRole): Promise<RolesSaved> {
  const editing = requireEditing(core);
  return editing.exclusively(async () => {
    const { id } = requireRole(core, input.id);
    const agents = await countAgents(core, id);
    if (agents > 0) throw roleInUse(id, agents);
    const edit: RoleEdit = BUILTIN_ROLE_IDS.includes(id)
      ? { kind: "set", id, fields: { disabled: true } }
      : { kind: "remove", id };
    return saveRoles(core, editing, edit, "deleted", input);
  });
}

/** Counts queued agents too: they get their prompt from the role when they start. */
async function countAgents(core: Core, role: string): Promise<number> {
  let count = 0;
  let cursor: string | null | undefined;
  do {
    const page = await core.store.listAgents({
      statuses: ["queued", "running"],
      limit: PAGE,
      ...(cursor && { cursor }),
    });
    count += page.agents.filter(({ agent }) => agent.role === role).length;
    cursor = page.nextCursor;
  } while (cursor);
  return count;
}

function roleInUse(id: string, agents: number): Refusal {
  return new Refusal("ROLE_IN_USE", {
    en: [
      `${agents === 1 ? "1 agent" : `${agents} agents`} of the role "${id}" ${agents === 1 ? "is" : "are"} queued or running.`,
      "Wait for them or cancel them, then delete the role.",
    ],
    ja: [
      `職種「${id}」のエージェントが ${agents} 体、待機中か実行中です。`,
      "終わるのを待つか停止してから、職種を削除してください。",
    ],
  });
}
