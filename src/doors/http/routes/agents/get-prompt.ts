import { z } from "zod";
import { fullPromptOf } from "../../../../app/agents/full-prompt.ts";
import { requireAgent } from "../../../../app/agents/require-agent.ts";
import { defineRoute } from "../../define-route.ts";
import { byId, NO_BODY, NO_QUERY } from "../inputs.ts";

export const getPrompt = defineRoute({
  method: "get",
  path: "/api/agents/{id}/prompt",
  summary:
    "What the agent is told in all: role, rules, results of the stage before, request. Put together anew: a role changed since its start shows as it is now.",
  params: byId,
  query: NO_QUERY,
  body: NO_BODY,
  answer: z.object({
    agentId: z.string(),
    request: z.string().describe("What the caller asked for"),
    prompt: z.string().describe("The request with everything before it"),
  }),
  async run(core, { params }) {
    const agent = await requireAgent(core.store, params.id);
    return {
      agentId: agent.id,
      request: await core.store.getPrompt(agent.id),
      prompt: await fullPromptOf(core, agent),
    };
  },
});
