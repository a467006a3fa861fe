import type { z } from "zod";
import type { Core } from "../../../../app/core.ts";
import { createRole } from "../../../../app/roles/create-role.ts";
import { deleteRole } from "../../../../app/roles/delete-role.ts";
import { describeRoles } from "../../../../app/roles/describe-roles.ts";
import { duplicateRole } from "../../../../app/roles/duplicate-role.ts";
import { requireRole } from "../../../../app/roles/require-role.ts";
import type { RolesSaved } from "../../../../app/roles/save-roles.ts";
import { updateRole } from "../../../../app/roles/update-role.ts";
import * as contract from "../../../../contract/routes/roles.ts";
import type { roleSavedShape, roleShape } from "../../../../contract/shapes/roles.ts";
import { BUILTIN_ROLE_IDS } from "../../../../domain/roles/builtin-roles.ts";
import { defineRoute } from "../../define-route.ts";

const listRoles = defineRoute(contract.listRoles, {
  run: async (core) => ({
    roles: await describeRoles(core),
    disabled: BUILTIN_ROLE_IDS.filter((id) => !core.roles.has(id)),
    config: {
      path: core.editing?.configFile.path ?? null,
      hash: core.editing?.loadedHash() ?? null,
      editable: core.editing !== undefined,
    },
  }),
});

const getRole = defineRoute(contract.getRole, {
  run: (core, { params }) => describe(core, params.id),
});

const create = defineRoute(contract.createRole, {
  needs: "admin",
  async run(core, { body: { id, expectedHash: hash, ...fields }, query }) {
    return wire(core, query, await createRole(core, { id, fields, ...options(query, hash) }));
  },
});

const update = defineRoute(contract.updateRole, {
  needs: "admin",
  async run(core, { params: { id }, body: { expectedHash: hash, ...fields }, query }) {
    return wire(core, query, await updateRole(core, { id, fields, ...options(query, hash) }));
  },
});

const duplicate = defineRoute(contract.duplicateRole, {
  needs: "admin",
  async run(core, { params: { id }, body: { newId, name, expectedHash: hash }, query }) {
    const input = { id, newId, name: name ?? null, ...options(query, hash) };
    return wire(core, query, await duplicateRole(core, input));
  },
});

const remove = defineRoute(contract.deleteRole, {
  needs: "admin",
  async run(core, { params: { id }, query }) {
    return wire(core, query, await deleteRole(core, { id, ...options(query, query.expectedHash) }));
  },
});

export const ROLE_ROUTES = [listRoles, getRole, create, update, duplicate, remove];

type Query = { readonly dryRun: "true" | "false" };

function options(query: Query, hash: string | undefined) {
  return {
    dryRun: query.dryRun === "true",
    ...(hash !== undefined && { expectedHash: hash }),
  };
}

async function describe(core: Core, id: string): Promise<z.infer<typeof roleShape>> {
  const role = requireRole(core, id);
  const found = (await describeRoles(core)).find((each) => each.id === role.id);
  if (!found) throw new Error(`The role ${id} has no description.`);
  return found;
}

async function wire(
  core: Core,
  query: Query,
  { roleId, saved, edited }: RolesSaved,
): Promise<z.infer<typeof roleSavedShape>> {
  const { path, hash, created, before, after } = edited;
  return {
    saved,
    role: core.roles.has(roleId) ? await describe(core, roleId) : null,
    path,
    hash,
    created,
    ...(query.dryRun === "true" && { yaml: { before, after } }),
  };
}
