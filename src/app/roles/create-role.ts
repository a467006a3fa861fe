import type { RoleFields } from "../../contract/shapes/roles.ts";
import { Refusal } from "../../domain/refusal.ts";
import { isInternalRole } from "../../domain/roles/internal-roles.ts";
import type { Core } from "../core.ts";
import { revalidateSoon } from "./revalidate-soon.ts";
import { requireEditing } from "./role-editing.ts";
import { type RolesSaved, type SaveOptions, saveRoles } from "./save-roles.ts";
import { tidyFields } from "./tidy-fields.ts";

export type CreateRole = SaveOptions & { readonly id: string; readonly fields: RoleFields };

/** Creates a role, or restores a deleted built-in role with the given fields changed. */
export async function createRole(core: Core, input: CreateRole): Promise<RolesSaved> {
  const editing = requireEditing(core);
  const saved = await editing.exclusively(async () => {
    if (isInternalRole(input.id)) throw roleIsInternal(input.id);
    if (core.roles.has(input.id)) throw roleExists(input.id);
    const fields = { ...tidyFields(input.fields), disabled: null };
    return saveRoles(core, editing, { kind: "set", id: input.id, fields }, "created", input);
  });
  if (saved.saved) revalidateSoon(core, input.id);
  return saved;
}

/** Roles that draft or execute tasks can be changed in the file, but clients cannot use them. */
function roleIsInternal(id: string): Refusal {
  return new Refusal("ROLE_EXISTS", {
    en: [
      `"${id}" is a role of Kuromajutsu itself: it works on tasks only.`,
      "Choose another id. To change that role, write it under roles in kuromajutsu.config.yaml.",
    ],
    ja: [
      `「${id}」は Kuromajutsu 自身の職種で、タスクの処理だけに使います。`,
      "別の ID を選んでください。この職種を変えるには、kuromajutsu.config.yaml の roles に書いてください。",
    ],
  });
}

function roleExists(id: string): Refusal {
  return new Refusal("ROLE_EXISTS", {
    en: [`There is a role "${id}" already.`, "Choose another id, or edit that role."],
    ja: [`職種「${id}」はすでにあります。`, "別の ID を選ぶか、その職種を編集してください。"],
  });
}
