import { z } from "zod";
import type { AgentRequest } from "../../../../app/agents/plan-agent.ts";
import { waitingFor } from "../../../../app/agents/waiting-for.ts";
import type { Core } from "../../../../app/core.ts";
import { isRecord } from "../../../../base/narrow.ts";
import { AGENT_STATUSES, type Agent } from "../../../../domain/agents/agent.ts";
import { Refusal } from "../../../../domain/refusal.ts";

const MAX_PROMPT_CHARS = 8_000_000;

const role = z.string();
const prompt = z.string().min(1).max(MAX_PROMPT_CHARS);
const workingDirectory = z.string().min(1);
const timeout_ms = z.int().positive();
const resumeAgentId = z.string().min(1);

/** One agent to start, as `run_agents` takes it. */
export const agentRequestShape = z.strictObject({
  role: role.describe("An id from list_roles"),
  prompt: prompt.describe("The whole task: the agent does not see this conversation"),
  workingDirectory: workingDirectory.optional().describe("Default: your own; name it over HTTP"),
  timeout_ms: timeout_ms.optional().describe("Stop the agent after this long"),
  resumeAgentId: resumeAgentId.optional().describe("Continue the conversation of this ended agent"),
});

/** The same for `run_sequential`, without descriptions: clients list both tools, and context is scarce. */
export const plainRequestShape = z.strictObject({
  role,
  prompt,
  workingDirectory: workingDirectory.optional(),
  timeout_ms: timeout_ms.optional(),
  resumeAgentId: resumeAgentId.optional(),
});

export function toRequest(wire: z.infer<typeof agentRequestShape>): AgentRequest {
  return {
    role: wire.role,
    prompt: wire.prompt,
    workingDirectory: wire.workingDirectory ?? null,
    timeoutMs: wire.timeout_ms ?? null,
    resumeAgentId: wire.resumeAgentId ?? null,
  };
}

/** Checks the raw arguments: the schema has no model, so validation would only say "unknown key". */
export function refuseModel(args: unknown): void {
  const stages = listIn(args, "stages");
  const places = [args, ...listIn(args, "agents"), ...stages, ...stages.flatMap(tasksOf)];
  if (!places.some((place) => isRecord(place) && "model" in place)) return;
  throw new Refusal("MODEL_NOT_ACCEPTED", {
    en: [
      "Agents take no model: the role decides it.",
      "Leave model out; edit the role's model in kuromajutsu.config.yaml to change it.",
    ],
    ja: [
      "エージェントにモデルは指定できません。職種が決めます。",
      "model を省いてください。変えるには kuromajutsu.config.yaml で職種のモデルを編集してください。",
    ],
  });
}

const tasksOf = (stage: unknown): readonly unknown[] => listIn(stage, "tasks");

function listIn(place: unknown, name: string): readonly unknown[] {
  const list = isRecord(place) ? place[name] : undefined;
  return Array.isArray(list) ? list : [];
}

export const startedAgentShape = z.object({
  agentId: z.string(),
  groupId: z.string(),
  role: z.string(),
  model: z.string(),
  status: z.enum(AGENT_STATUSES),
  stageIndex: z.number().optional(),
  warning: z.string().optional(),
  waitingFor: z.string().optional(),
});

export function startedAgent(core: Core, agent: Agent): z.infer<typeof startedAgentShape> {
  return {
    agentId: agent.id,
    groupId: agent.groupId,
    role: agent.role,
    model: agent.model,
    status: agent.status,
    ...(agent.stageIndex === null ? {} : { stageIndex: agent.stageIndex }),
    ...(agent.runnerNote === null ? {} : { warning: agent.runnerNote }),
    ...waitingFor(core, agent),
  };
}
