import type { Core } from "../../../../app/core.ts";
import { requirePerson } from "../../../../app/people/require-person.ts";
import { createSlackCode as newSlackCode } from "../../../../app/people/slack-codes.ts";
import * as contract from "../../../../contract/routes/people.ts";
import { iso } from "../../../../contract/shapes/iso.ts";
import type { WireMe } from "../../../../contract/shapes/people.ts";
import type { Person } from "../../../../domain/people/person.ts";
import { defineRoute } from "../../define-route.ts";

export const getMe = defineRoute(contract.getMe, {
  run: async (core, _input, identity) => wireMe(core, requirePerson(identity, "viewer")),
});

/** Watching in Slack is allowed to viewers too, so that they may link their account. */
export const createSlackCode = defineRoute(contract.createSlackCode, {
  needs: "viewer",
  isSecret: true,
  async run(core, _input, identity) {
    const { code, expiresAt } = await newSlackCode(core, identity);
    return { code, expiresAt: iso(expiresAt) };
  },
});

export function wireMe(core: Core, { id, name, role }: Person): WireMe {
  const { isEnabled: signIn } = core.people;
  const canLink = signIn && core.settings.hasSlack;
  return { id, name, role, signIn, ...(canLink && { slack: true }) };
}
