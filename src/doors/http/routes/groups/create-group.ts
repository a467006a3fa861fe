import { createGroup as create } from "../../../../app/groups/create-group.ts";
import * as contract from "../../../../contract/routes/groups.ts";
import { wireGroup } from "../../../../contract/shapes/groups.ts";
import { defineRoute } from "../../define-route.ts";

export const createGroup = defineRoute(contract.createGroup, {
  async run(core, { body: { description, mode, parentGroupId } }, identity) {
    return wireGroup(
      await create(core, identity, { description, mode, parentGroupId: parentGroupId ?? null }),
    );
  },
});
