import { stopGroup as stop } from "../../../../app/groups/stop-group.ts";
import * as contract from "../../../../contract/routes/groups.ts";
import { defineRoute } from "../../define-route.ts";

export const stopGroup = defineRoute(contract.stopGroup, {
  async run(core, { params }) {
    return { groupId: params.id, stopping: [...(await stop(core, params.id))] };
  },
});
