import { z } from "zod";
import { requireAgent } from "../../../../app/agents/require-agent.ts";
import { defineRoute } from "../../define-route.ts";
import { byId, NO_BODY, NO_QUERY } from "../inputs.ts";

export const listFiles = defineRoute({
  method: "get",
  path: "/api/agents/{id}/files",
  summary: "Files the agent has written, as observed and as it reported.",
  params: byId,
  query: NO_QUERY,
  body: NO_BODY,
  answer: z.object({
    agentId: z.string(),
    workingDirectory: z.string(),
    editedFiles: z.array(z.string()),
    createdFiles: z.array(z.string()),
  }),
  async run(core, { params }) {
    const agent = await requireAgent(core.store, params.id);
    // A result already holds both; until there is one, only the stream tells.
    const { editedFiles, createdFiles } =
      (await core.store.getResult(agent.id)) ?? (await core.store.getProgress(agent.id));
    return {
      agentId: agent.id,
      workingDirectory: agent.workingDirectory,
      editedFiles: [...editedFiles],
      createdFiles: [...createdFiles],
    };
  },
});
