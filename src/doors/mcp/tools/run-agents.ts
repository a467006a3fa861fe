import { z } from "zod";
import { runAgents as run } from "../../../app/run-agents.ts";
import { AGENT_STATUSES } from "../../../domain/agent.ts";
import { Refusal } from "../../../domain/refusal.ts";
import { defineTool } from "../define-tool.ts";

const MAX_PROMPT_CHARS = 8_000_000;

const request = z.strictObject({
  role: z.string().describe("A role id of list_roles"),
  prompt: z.string().min(1).max(MAX_PROMPT_CHARS).describe("What this agent shall do"),
  workingDirectory: z.string().min(1).optional().describe("Default: your own directory"),
  timeout_ms: z.int().positive().optional().describe("Stop the agent after this long"),
  model: z.unknown().optional().describe("Not accepted: the role decides the model"),
});

export const runAgents = defineTool({
  name: "run_agents",
  description:
    "Start one or more agents in a concurrent group, all or none. They run in parallel; more than the limit wait in a queue. Then call wait_agent.",
  callers: ["main", "orchestrator"],
  hints: { readOnly: false, idempotent: false },
  input: z.strictObject({
    groupId: z.string(),
    agents: z.array(request).max(1_000),
    model: z.unknown().optional().describe("Not accepted: the role decides the model"),
  }),
  output: z.object({
    agents: z.array(
      z.object({
        agentId: z.string(),
        groupId: z.string(),
        role: z.string(),
        model: z.string(),
        status: z.enum(AGENT_STATUSES),
      }),
    ),
    total: z.number(),
  }),
  async run({ core, identity }, { groupId, agents, model }) {
    if (model !== undefined || agents.some((agent) => agent.model !== undefined)) {
      throw new Refusal(
        "MODEL_NOT_ACCEPTED",
        "run_agents takes no model: the role decides it.",
        "Leave model out; edit the role's model in kuromajutsu.config.yaml to change it.",
      );
    }
    const started = await run(core, identity, {
      groupId,
      agents: agents.map(({ role, prompt, workingDirectory, timeout_ms }) => ({
        role,
        prompt,
        workingDirectory: workingDirectory ?? null,
        timeoutMs: timeout_ms ?? null,
      })),
    });
    return {
      agents: started.map((agent) => ({
        agentId: agent.id,
        groupId: agent.groupId,
        role: agent.role,
        model: agent.model,
        status: agent.status,
      })),
      total: started.length,
    };
  },
});
