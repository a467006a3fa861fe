import type { Core } from "../../../../app/core.ts";
import { requirePerson } from "../../../../app/people/require-person.ts";
import * as contract from "../../../../contract/routes/people.ts";
import type { WireMe } from "../../../../contract/shapes/people.ts";
import type { Person } from "../../../../domain/people/person.ts";
import { defineRoute } from "../../define-route.ts";

export const getMe = defineRoute(contract.getMe, {
  run: async (core, _input, identity) => wireMe(core, requirePerson(identity, "viewer")),
});

export function wireMe(core: Core, { id, name, role }: Person): WireMe {
  return { id, name, role, signIn: core.people.isEnabled };
}
