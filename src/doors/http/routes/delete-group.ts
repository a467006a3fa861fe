import { z } from "zod";
import { LOCAL_USER } from "../../../app/core.ts";
import { deleteGroup as remove } from "../../../app/delete-group.ts";
import { defineRoute } from "../define-route.ts";
import { byId, NO_BODY, NO_QUERY } from "./inputs.ts";

export const deleteGroup = defineRoute({
  method: "delete",
  path: "/api/groups/{id}",
  summary: "Delete a group whose agents are all settled; the history keeps them.",
  params: byId,
  query: NO_QUERY,
  body: NO_BODY,
  answer: z.object({ deleted: z.boolean(), groupId: z.string() }),
  async run(core, { params }) {
    const group = await remove(core, LOCAL_USER, { groupId: params.id });
    return { deleted: true, groupId: group.id };
  },
});
