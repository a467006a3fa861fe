import { Refusal } from "../../domain/refusal.ts";
import type { Role } from "../../domain/roles/role.ts";
import type { Core } from "../core.ts";

export function requireRole(core: Core, id: string): Role {
  const role = core.roles.get(id);
  if (role) return role;
  throw new Refusal("ROLE_NOT_FOUND", {
    en: [
      `There is no role "${id}".`,
      `Use one of: ${[...core.roles.keys()].join(", ")}. list_roles describes them.`,
    ],
    ja: [
      `職種「${id}」はありません。`,
      `使える職種: ${[...core.roles.keys()].join(", ")}。説明は list_roles で読めます。`,
    ],
  });
}
