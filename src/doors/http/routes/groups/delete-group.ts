import { z } from "zod";
import { deleteGroup as remove } from "../../../../app/groups/delete-group.ts";
import { defineRoute } from "../../define-route.ts";
import { byId, NO_BODY, NO_QUERY } from "../inputs.ts";

export const deleteGroup = defineRoute({
  method: "delete",
  path: "/api/groups/{id}",
  summary: "Delete a group whose agents are all settled; the history keeps them.",
  params: byId,
  query: NO_QUERY,
  body: NO_BODY,
  answer: z.object({ deleted: z.boolean(), groupId: z.string() }),
  async run(core, { params }, identity) {
    const group = await remove(core, identity, { groupId: params.id });
    return { deleted: true, groupId: group.id };
  },
});
