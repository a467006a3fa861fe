import { deleteGroup as remove } from "../../../../app/groups/delete-group.ts";
import * as contract from "../../../../contract/routes/groups.ts";
import { defineRoute } from "../../define-route.ts";

export const deleteGroup = defineRoute(contract.deleteGroup, {
  async run(core, { params }, identity) {
    const group = await remove(core, identity, { groupId: params.id });
    return { deleted: true, groupId: group.id };
  },
});
