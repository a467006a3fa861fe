import { z } from "zod";
import { requireAgent } from "../../../../app/agents/require-agent.ts";
import { defineRoute } from "../../define-route.ts";
import { byId, NO_BODY } from "../inputs.ts";

export const getTranscript = defineRoute({
  method: "get",
  path: "/api/agents/{id}/transcript",
  summary: "What the agent's CLI wrote, line by line; ask again from nextOffset.",
  params: byId,
  query: z.strictObject({
    offset: z.coerce.number().int().min(0).default(0).describe("In bytes"),
    maxBytes: z.coerce.number().int().min(1_024).max(1_048_576).default(65_536),
  }),
  body: NO_BODY,
  answer: z.object({
    agentId: z.string(),
    lines: z.array(z.string()),
    nextOffset: z.number(),
    size: z.number().describe("Bytes there are now; more may come while the agent runs"),
  }),
  async run(core, { params, query }) {
    const agent = await requireAgent(core.store, params.id);
    const { lines, nextOffset, size } = await core.supervisor.readTranscript(
      agent.id,
      agent.attempt,
      query.offset,
      query.maxBytes,
    );
    return { agentId: agent.id, lines: [...lines], nextOffset, size };
  },
});
