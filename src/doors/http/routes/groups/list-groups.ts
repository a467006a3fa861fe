import * as contract from "../../../../contract/routes/groups.ts";
import { wireGroup } from "../../../../contract/shapes/groups.ts";
import { defineRoute } from "../../define-route.ts";

export const listGroups = defineRoute(contract.listGroups, {
  async run(core, { query }) {
    const { cursor: after, ...asked } = query;
    const page = await core.store.listGroups({ ...asked, ...(after && { cursor: after }) });
    return { groups: page.groups.map(wireGroup), nextCursor: page.nextCursor };
  },
});
