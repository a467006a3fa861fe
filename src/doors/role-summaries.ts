import type { z } from "zod";
import type { Core } from "../app/core.ts";
import { listRoles } from "../app/roles/list-roles.ts";
import type { roleSummaryShape } from "../contract/shapes/role-summary.ts";

/** The roles as main agents and dashboards see them. */
export async function roleSummaries(core: Core): Promise<z.infer<typeof roleSummaryShape>[]> {
  const views = await listRoles(core);
  return views.map(({ role, model, runner, available, reason, checking, note }) => ({
    id: role.id,
    name: role.name,
    description: role.description,
    model,
    runner,
    available,
    ...(reason === null ? {} : { reason }),
    ...(checking ? { checking } : {}),
    ...(note === null ? {} : { note }),
  }));
}
