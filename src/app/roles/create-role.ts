import type { RoleFields } from "../../contract/shapes/roles.ts";
import { Refusal } from "../../domain/refusal.ts";
import { isInternalRole } from "../../domain/roles/internal-roles.ts";
import type { Core } from "../core.ts";
import { revalidateSoon } from "./revalidate-soon.ts";
import { requireEditing } from "./role-editing.ts";
import { type RolesSaved, type SaveOptions, saveRoles } from "./save-roles.ts";
import { tidyFields } from "./tidy-fields.ts";

export type CreateRole = SaveOptions & { readonly id: string; readonly fields: RoleFields };

/** A new role; or one that was deleted comes back, with what is given on top of what it was. */
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

/** It drafts or executes tasks; a file may change it, but it is no role to hand work to. */
function roleIsInternal(id: string): Refusal {
  return new Refusal(
    "ROLE_EXISTS",
    `"${id}" is a role of Kuromajutsu itself: it works on tasks only.`,
    "Choose another id. To change that role, write it under roles in kuromajutsu.config.yaml.",
  );
}

function roleExists(id: string): Refusal {
  return new Refusal(
    "ROLE_EXISTS",
    `There is a role "${id}" already.`,
    "Choose another id, or edit that role.",
  );
}
