import { z } from "zod";
import { cancelAgent as cancel } from "../../../../app/agents/cancel-agent.ts";
import { AGENT_STATUSES } from "../../../../domain/agents/agent.ts";
import { defineRoute } from "../../define-route.ts";
import { byId, NO_BODY, NO_QUERY } from "../inputs.ts";

export const cancelAgent = defineRoute({
  method: "post",
  path: "/api/agents/{id}/cancel",
  summary: "Stop an agent, and with an orchestrator everyone who works for it.",
  params: byId,
  query: NO_QUERY,
  body: NO_BODY,
  status: 202,
  answer: z.object({
    agentId: z.string(),
    status: z.enum(AGENT_STATUSES).describe("Becomes cancelled when its processes are gone"),
    stopping: z.array(z.string()).describe("All agents that are being stopped"),
  }),
  async run(core, { params }, identity) {
    const { agent, descendants } = await cancel(core, identity, params.id);
    return { agentId: agent.id, status: agent.status, stopping: [agent.id, ...descendants] };
  },
});
