import { z } from "zod";
import { createGroup as create } from "../../../../app/groups/create-group.ts";
import { groupShape, wireGroup } from "../../../../contract/dashboard-shapes.ts";
import { defineRoute } from "../../define-route.ts";
import { idText, NO_PARAMS, NO_QUERY } from "../inputs.ts";

export const createGroup = defineRoute({
  method: "post",
  path: "/api/groups",
  summary: "Make a group.",
  params: NO_PARAMS,
  query: NO_QUERY,
  body: z.strictObject({
    description: z.string().trim().min(1).max(2_000),
    mode: z.enum(["concurrent", "sequential"]).default("concurrent"),
    parentGroupId: idText.optional(),
  }),
  answer: groupShape,
  status: 201,
  async run(core, { body: { description, mode, parentGroupId } }, identity) {
    return wireGroup(
      await create(core, identity, { description, mode, parentGroupId: parentGroupId ?? null }),
    );
  },
});
