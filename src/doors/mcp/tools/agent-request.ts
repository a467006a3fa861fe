import { z } from "zod";
import type { AgentRequest } from "../../../app/plan-agent.ts";
import { AGENT_STATUSES, type Agent } from "../../../domain/agent.ts";
import { Refusal } from "../../../domain/refusal.ts";

const MAX_PROMPT_CHARS = 8_000_000;

/** One agent to start, as `run_agents` and `run_sequential` take it. */
export const agentRequestShape = z.strictObject({
  role: z.string().describe("A role id of list_roles"),
  prompt: z.string().min(1).max(MAX_PROMPT_CHARS).describe("What this agent shall do"),
  workingDirectory: z
    .string()
    .min(1)
    .optional()
    .describe("Default: your own; over HTTP the configuration's folder, else the home directory"),
  timeout_ms: z.int().positive().optional().describe("Stop the agent after this long"),
});

export function toRequest(wire: z.infer<typeof agentRequestShape>): AgentRequest {
  return {
    role: wire.role,
    prompt: wire.prompt,
    workingDirectory: wire.workingDirectory ?? null,
    timeoutMs: wire.timeout_ms ?? null,
  };
}

/** Looks at raw arguments: the schema does not offer a model, so it could only say "unknown key". */
export function refuseModel(args: unknown): void {
  const stages = listIn(args, "stages");
  const places = [args, ...listIn(args, "agents"), ...stages, ...stages.flatMap(tasksOf)];
  if (!places.some((place) => isObject(place) && "model" in place)) return;
  throw new Refusal(
    "MODEL_NOT_ACCEPTED",
    "Agents take no model: the role decides it.",
    "Leave model out; edit the role's model in kuromajutsu.config.yaml to change it.",
  );
}

const tasksOf = (stage: unknown): readonly unknown[] => listIn(stage, "tasks");

function listIn(place: unknown, name: string): readonly unknown[] {
  const list = isObject(place) ? place[name] : undefined;
  return Array.isArray(list) ? list : [];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

export const startedAgentShape = z.object({
  agentId: z.string(),
  groupId: z.string(),
  role: z.string(),
  model: z.string(),
  status: z.enum(AGENT_STATUSES),
  stageIndex: z.number().optional(),
});

export function startedAgent(agent: Agent): z.infer<typeof startedAgentShape> {
  return {
    agentId: agent.id,
    groupId: agent.groupId,
    role: agent.role,
    model: agent.model,
    status: agent.status,
    ...(agent.stageIndex === null ? {} : { stageIndex: agent.stageIndex }),
  };
}
