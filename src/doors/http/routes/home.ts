import { viewHome } from "../../../app/view-home.ts";
import * as contract from "../../../contract/routes/daemon.ts";
import { wireRecent } from "../../../contract/shapes/home.ts";
import { defineRoute } from "../define-route.ts";

export const getHome = defineRoute(contract.getHome, {
  async run(core, _input, identity) {
    const { recent, firstSteps, client } = await viewHome(core, identity);
    return {
      recent: recent.map(({ task, execution }) => wireRecent(task, execution)),
      firstSteps: [...firstSteps],
      client,
      workingDirectory: core.settings.homeDirectory,
    };
  },
});
