import type { RoleFields } from "../../contract/shapes/roles.ts";
import type { Role } from "../../domain/roles/role.ts";
import type { Core } from "../core.ts";
import { requireRole } from "./require-role.ts";
import { revalidateSoon } from "./revalidate-soon.ts";
import { requireEditing } from "./role-editing.ts";
import { type RolesSaved, type SaveOptions, saveRoles } from "./save-roles.ts";
import { tidyFields } from "./tidy-fields.ts";

export type UpdateRole = SaveOptions & { readonly id: string; readonly fields: RoleFields };

/** Changes a role, built-in or not; writes only fields that differ. */
export async function updateRole(core: Core, input: UpdateRole): Promise<RolesSaved> {
  const editing = requireEditing(core);
  const saved = await editing.exclusively(async () => {
    const role = requireRole(core, input.id);
    const fields = changedFields(role, tidyFields(input.fields));
    const edit = { kind: "set", id: role.id, fields } as const;
    return saveRoles(core, editing, edit, "updated", input);
  });
  if (saved.saved && ("model" in input.fields || "runner" in input.fields)) {
    revalidateSoon(core, input.id);
  }
  return saved;
}

/** null always counts as a change: only the file editor knows whether the file has the field. */
function changedFields(role: Role, fields: RoleFields): RoleFields {
  const now: Readonly<Record<string, unknown>> = role;
  return Object.fromEntries(
    Object.entries(fields).filter(
      ([key, value]) => value === null || JSON.stringify(now[key]) !== JSON.stringify(value),
    ),
  );
}
