import { z } from "zod";
import { groupShape, wireGroup } from "../../../../contract/dashboard-shapes.ts";
import { defineRoute } from "../../define-route.ts";
import { cursor, limit, NO_BODY, NO_PARAMS } from "../inputs.ts";

export const listGroups = defineRoute({
  method: "get",
  path: "/api/groups",
  summary: "Groups, newest first.",
  params: NO_PARAMS,
  query: z.strictObject({
    view: z
      .enum(["active", "all-in-view"])
      .default("all-in-view")
      .describe("all-in-view: also deleted ones that still have an agent in view"),
    limit: limit(500, 100),
    cursor,
  }),
  body: NO_BODY,
  answer: z.object({ groups: z.array(groupShape), nextCursor: z.string().nullable() }),
  async run(core, { query }) {
    const { cursor: after, ...asked } = query;
    const page = await core.store.listGroups({ ...asked, ...(after && { cursor: after }) });
    return { groups: page.groups.map(wireGroup), nextCursor: page.nextCursor };
  },
});
