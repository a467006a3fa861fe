import { actorOf } from "../../../../app/people/require-person.ts";
import {
  createInstallLink,
  removeSlackWorkspace,
} from "../../../../app/people/slack-workspaces.ts";
import * as contract from "../../../../contract/routes/slack.ts";
import { defineRoute, type Route } from "../../define-route.ts";

const list = defineRoute(contract.listSlackWorkspaces, {
  async run(core) {
    const installations = await core.store.listSlackInstallations();
    return {
      workspaces: installations.map(({ secret: _secret, at, ...installation }) => ({
        ...installation,
        installedAt: new Date(at).toISOString(),
      })),
    };
  },
});

const remove = defineRoute(contract.removeSlackWorkspace, {
  needs: "admin",
  run: async (core, { params }, identity) => ({
    removed: await removeSlackWorkspace(core, actorOf(identity), params.id),
  }),
});

const createLink = defineRoute(contract.createSlackInstallLink, {
  needs: "admin",
  isSecret: true,
  async run(core, _input, identity) {
    const { url, expiresAt } = await createInstallLink(core, identity);
    return { url, expiresAt: new Date(expiresAt).toISOString() };
  },
});

export const SLACK_ROUTES: readonly Route[] = [list, remove, createLink];
