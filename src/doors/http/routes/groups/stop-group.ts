import { z } from "zod";
import { stopGroup as stop } from "../../../../app/groups/stop-group.ts";
import { defineRoute } from "../../define-route.ts";
import { byId, NO_BODY, NO_QUERY } from "../inputs.ts";

export const stopGroup = defineRoute({
  method: "post",
  path: "/api/groups/{id}/stop",
  summary: "Stop every agent of a group and of the groups that work for it.",
  params: byId,
  query: NO_QUERY,
  body: NO_BODY,
  status: 202,
  answer: z.object({ groupId: z.string(), stopping: z.array(z.string()) }),
  async run(core, { params }) {
    return { groupId: params.id, stopping: [...(await stop(core, params.id))] };
  },
});
