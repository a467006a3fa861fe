import type { z } from "zod";
import type { Core } from "../app/core.ts";
import { listRoles, type RoleView } from "../app/roles/list-roles.ts";
import { reasonIn } from "../contract/reason-texts.ts";
import type { roleSummaryShape } from "../contract/shapes/role-summary.ts";
import type { Locale } from "../domain/locale.ts";
import { roleTexts } from "../domain/roles/role-texts.ts";

type Summary = z.infer<typeof roleSummaryShape>;

/** The roles as main agents see them. */
export async function roleSummaries(core: Core, locale: Locale): Promise<Summary[]> {
  return (await listRoles(core)).map((view) => {
    const { reason, ...summary } = summaryOf(view);
    const { name, description } = roleTexts(view.role, locale);
    return {
      ...summary,
      name,
      description,
      ...(reason === undefined ? {} : { reason: reasonIn(reason, locale) }),
    };
  });
}

/** The roles in the snapshot of dashboards, as written: one snapshot serves all languages. */
export async function rolesForDashboards(core: Core): Promise<Summary[]> {
  return (await listRoles(core)).map(summaryOf);
}

function summaryOf(view: RoleView): Summary {
  const { role, model, runner, available, reason, checking, note } = view;
  return {
    id: role.id,
    name: role.name,
    description: role.description,
    model,
    runner,
    available,
    ...(reason === null ? {} : { reason }),
    ...(checking ? { checking } : {}),
    ...(note === null ? {} : { note }),
  };
}
