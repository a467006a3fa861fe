import type { Core } from "../../../../app/core.ts";
import { requirePerson } from "../../../../app/people/require-person.ts";
import { meShape, type WireMe } from "../../../../contract/settings.ts";
import type { Person } from "../../../../domain/people/person.ts";
import { defineRoute } from "../../define-route.ts";
import { NO_BODY, NO_PARAMS, NO_QUERY } from "../inputs.ts";

export const getMe = defineRoute({
  method: "get",
  path: "/api/me",
  summary: "Who you are here, and what you may do.",
  params: NO_PARAMS,
  query: NO_QUERY,
  body: NO_BODY,
  answer: meShape,
  run: async (core, _input, identity) => wireMe(core, requirePerson(identity, "viewer")),
});

export function wireMe(core: Core, { id, name, role }: Person): WireMe {
  return { id, name, role, signIn: core.people.isEnabled };
}
