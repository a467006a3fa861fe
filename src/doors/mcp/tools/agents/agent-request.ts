import { z } from "zod";
import type { AgentRequest } from "../../../../app/agents/plan-agent.ts";
import { explainWaiting, type WaitingFor } from "../../../../app/agents/waiting-for.ts";
import type { Core } from "../../../../app/core.ts";
import { isRecord } from "../../../../base/narrow.ts";
import { baseText } from "../../../../contract/shapes/workspaces.ts";
import { AGENT_STATUSES, type Agent } from "../../../../domain/agents/agent.ts";
import { Refusal } from "../../../../domain/refusal.ts";
import { LABEL, MAX_LABELS } from "../../../../domain/workers/labels.ts";
import { ISOLATIONS, type Workspace } from "../../../../domain/workspaces/workspace.ts";

const MAX_PROMPT_CHARS = 8_000_000;

const role = z.string();
const prompt = z.string().min(1).max(MAX_PROMPT_CHARS);
const workingDirectory = z.string().min(1);
const timeout_ms = z.int().positive();
const resumeAgentId = z.string().min(1);
const isolation = z.enum(ISOLATIONS);
const base = z.string().min(1);
/** Checked without a pattern in the schema: context is scarce. */
const labels = z
  .array(z.string())
  .refine((all) => all.length <= MAX_LABELS && all.every((label) => LABEL.test(label)), {
    error: `at most ${MAX_LABELS} labels of lower-case letters, digits and . _ : / -`,
  });

/** One agent to start, as `run_agents` takes it. */
export const agentRequestShape = z.strictObject({
  role: role.describe("An id from list_roles"),
  prompt: prompt.describe("The whole task: it does not see this conversation"),
  workingDirectory: workingDirectory.optional().describe("Default: your own; name it over HTTP"),
  timeout_ms: timeout_ms.optional().describe("Stop it after this long"),
  resumeAgentId: resumeAgentId.optional().describe("Continue this ended agent's conversation"),
  isolation: isolation.optional().describe("Own git worktree? Default auto"),
  base: base.optional().describe("HEAD, working-tree, ref or ended agentId"),
  labels: labels.optional().describe("Labels its host needs"),
});

/** The same for `run_sequential`, without descriptions: clients list both tools, and context is scarce. */
export const plainRequestShape = z.strictObject({
  role,
  prompt,
  workingDirectory: workingDirectory.optional(),
  timeout_ms: timeout_ms.optional(),
  resumeAgentId: resumeAgentId.optional(),
  isolation: isolation.optional(),
  base: base.optional(),
  labels: labels.optional(),
});

export function toRequest(wire: z.infer<typeof agentRequestShape>): AgentRequest {
  return {
    role: wire.role,
    prompt: wire.prompt,
    workingDirectory: wire.workingDirectory ?? null,
    timeoutMs: wire.timeout_ms ?? null,
    resumeAgentId: wire.resumeAgentId ?? null,
    isolation: wire.isolation ?? null,
    base: wire.base ?? null,
    labels: wire.labels ?? [],
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
  workingDirectory: z.string().optional(),
  branch: z.string().optional(),
  base: z.string().optional(),
});

/** Started agents, and why some of them have worktrees. */
export async function startedAgents(core: Core, agents: readonly Agent[]) {
  const ids = agents.flatMap(({ workspaceId }) => workspaceId ?? []);
  const found = ids.length === 0 ? [] : await core.store.getWorkspaces(ids);
  const workspaces = new Map<string, Workspace>(found.map((each) => [each.id, each]));
  const waitingFor = await explainWaiting(core, agents);
  return {
    agents: agents.map((agent) => ({
      ...startedAgent(agent, waitingFor),
      ...placeOf(agent, workspaces.get(agent.workspaceId ?? "")),
    })),
    ...(ids.length > 0 && { isolation: ISOLATED }),
  };
}

export const isolationShape = z.string().optional();

const ISOLATED =
  "Agents with a branch work in their own git worktrees: do not look for their files in your checkout. get_changes shows what they did; a person merges it.";

/** A later stage begins with the merged result of the stage before, which is not known yet. */
function placeOf(agent: Agent, workspace: Workspace | undefined) {
  if (!workspace) return {};
  return {
    workingDirectory: agent.workingDirectory,
    branch: workspace.branch,
    base: workspace.base ?? baseText(workspace.basedOn),
  };
}

function startedAgent(agent: Agent, waitingFor: WaitingFor): z.infer<typeof startedAgentShape> {
  return {
    agentId: agent.id,
    groupId: agent.groupId,
    role: agent.role,
    model: agent.model,
    status: agent.status,
    ...(agent.stageIndex === null ? {} : { stageIndex: agent.stageIndex }),
    ...(agent.runnerNote === null ? {} : { warning: agent.runnerNote }),
    ...waitingFor(agent),
  };
}
