import { z } from "zod";
import { runAgents as run } from "../../../../app/groups/run-agents.ts";
import { defineTool } from "../../define-tool.ts";
import {
  agentRequestShape,
  isolationShape,
  refuseModel,
  startedAgents,
  startedAgentShape,
  toRequest,
} from "../agents/agent-request.ts";

export const runAgents = defineTool({
  name: "run_agents",
  description:
    "Start agents in a concurrent group, all or none. They run in parallel; those over a limit wait. Then call wait_agent.",
  callers: ["client", "orchestrator"],
  hints: { readOnly: false, idempotent: false },
  input: z.strictObject({
    groupId: z.string(),
    agents: z.array(agentRequestShape).max(1_000),
  }),
  output: z.object({
    agents: z.array(startedAgentShape),
    total: z.number(),
    isolation: isolationShape,
  }),
  refuse: refuseModel,
  async run({ core, identity }, { groupId, agents }) {
    const started = await run(core, identity, { groupId, agents: agents.map(toRequest) });
    return { ...(await startedAgents(core, started)), total: started.length };
  },
});
