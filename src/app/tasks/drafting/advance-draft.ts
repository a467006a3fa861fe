import { isSettled, type Agent } from "../../../domain/agents/agent.ts";
import type { AgentResult } from "../../../domain/agents/result.ts";
import { Refusal } from "../../../domain/refusal.ts";
import type { InternalRole } from "../../../domain/roles/internal-role.ts";
import { renderDraftPrompt } from "../../../domain/tasks/drafting-prompt.ts";
import type { SentBack } from "../../../domain/tasks/drafting.ts";
import type { Task } from "../../../domain/tasks/task.ts";
import { insertAgents } from "../../agents/insert-agents.ts";
import type { PlannedAgent } from "../../agents/plan-agent.ts";
import {
  agentPriorityOf,
  identityOf,
  planInternalAgent,
} from "../../agents/plan-internal-agent.ts";
import type { Core } from "../../core.ts";
import { moveTask, taskFacts } from "../move-task.ts";
import { acceptDraft } from "./accept-draft.ts";
import { draftInput, type DraftingStage } from "./draft-input.ts";
import { readDraft } from "./read-draft.ts";

/** After so many repeats of an unusable answer the stage fails, and a person can retry it. */
const MAX_SENT_BACK = 2;
/** Without a timeout a hanging drafting agent would keep one of the two reserved slots for ever. */
const DRAFT_TIMEOUT_MS = 15 * 60_000;
const MAX_ANSWER_CHARS = 20_000;
const MAX_FAILURE_CHARS = 2_000;

type Drafting = { readonly stage: DraftingStage; readonly role: InternalRole };

const DRAFTING: Partial<Record<Task["status"], Drafting>> = {
  analyzing: { stage: "analysis", role: "task-analyst" },
  planning: { stage: "planning", role: "planner" },
  designing: { stage: "design", role: "process-designer" },
};

/**
 * Advances the draft that a task waits for. Safe to call concurrently and repeatedly: the task's row
 * names the drafting agent, and its version decides which call wins.
 */
export async function advanceDraft(core: Core, task: Task): Promise<void> {
  let seen: Task | undefined = task;
  for (;;) {
    const drafting: Drafting | undefined = seen && DRAFTING[seen.status];
    if (!seen || !drafting) return;
    if ((await tryStep(core, seen, drafting)) === "waits") return;
    seen = await core.store.getTask(task.id);
  }
}

type Stepped = "waits" | "moved";

async function tryStep(core: Core, task: Task, drafting: Drafting): Promise<Stepped> {
  try {
    return await step(core, task, drafting);
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== "VERSION_CONFLICT") throw error;
    return "moved";
  }
}

async function step(core: Core, task: Task, drafting: Drafting): Promise<Stepped> {
  if (task.draftAgentId === null) return startDrafter(core, task, drafting, null);
  const agent = await core.store.getAgent(task.draftAgentId);
  if (agent && !isSettled(agent)) return "waits";
  const result = agent && (await core.store.getResult(agent.id));
  if (result?.status === "cancelled") {
    return failStage(
      core,
      task,
      drafting,
      `The agent that drafted it (${result.agentId}) was stopped.`,
    );
  }
  if (!agent || result?.status !== "success") {
    return sendBack(core, task, drafting, {
      answer: "",
      errors: [describeMissingAnswer(agent, result)],
    });
  }
  const read = await readDraft(core, drafting.stage, result.response);
  if ("errors" in read) {
    const answer = result.response.slice(0, MAX_ANSWER_CHARS);
    return sendBack(core, task, drafting, { answer, errors: read.errors });
  }
  await acceptDraft(core, task, agent.id, read.draft);
  return "moved";
}

function describeMissingAnswer(agent: Agent | undefined, result: AgentResult | undefined): string {
  if (!agent || !result) return "The agent gave no answer.";
  const why = result.errorMessage ?? "it gave no reason";
  return `The agent ended without an answer (${agent.status}): ${why}`;
}

async function sendBack(
  core: Core,
  task: Task,
  drafting: Drafting,
  sentBack: SentBack,
): Promise<Stepped> {
  if (task.draftTries < MAX_SENT_BACK) return startDrafter(core, task, drafting, sentBack);
  const message = `The ${drafting.role} gave no usable answer in ${task.draftTries + 1} attempts. The last errors: ${sentBack.errors.join("; ")}`;
  return failStage(core, task, drafting, message);
}

async function startDrafter(
  core: Core,
  task: Task,
  { stage, role }: Drafting,
  sentBack: SentBack | null,
): Promise<Stepped> {
  const prompt = renderDraftPrompt(await draftInput(core, task, stage, sentBack));
  const timeoutMs = core.settings.defaultTimeoutMs ?? DRAFT_TIMEOUT_MS;
  let planned: PlannedAgent;
  try {
    planned = await planInternalAgent(core, task, role, { prompt, timeoutMs });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return failStage(core, task, { stage, role }, `${error.message} ${error.hint}`);
  }
  await insertDrafter(core, task, planned, { stage, sentBack });
  return "waits";
}

/** One transaction for the agent and the task that names it: no drafter is left without a task. */
async function insertDrafter(
  core: Core,
  task: Task,
  planned: PlannedAgent,
  { stage, sentBack }: { readonly stage: DraftingStage; readonly sentBack: SentBack | null },
): Promise<void> {
  const identity = await identityOf(core, task);
  const placement = {
    slot: "reserved",
    stageIndex: null,
    held: false,
    taskId: task.id,
    executionId: null,
    priority: agentPriorityOf(task),
  } as const;
  const now = core.clock.now();
  await core.store.transaction(async (unit) => {
    const group = await unit.getGroup(task.groupId);
    if (!group) throw new Error(`The group of ${task.id} is not in the store.`);
    const [drafter] = await insertAgents(core, unit, identity, group, [
      { ...planned, ...placement },
    ]);
    const draftAgentId = drafter?.id ?? null;
    const draftTries = sentBack === null ? 0 : task.draftTries + 1;
    const next = { ...task, draftAgentId, draftTries, updatedAt: now };
    const updated = await unit.updateTask(next, task);
    if (sentBack === null) return;
    const { data, ...facts } = taskFacts(updated, now);
    await unit.emit({
      type: "task:draft_sent_back",
      ...facts,
      data: {
        ...data,
        stage,
        agentId: task.draftAgentId,
        nextAgentId: draftAgentId,
        tries: draftTries,
        errors: sentBack.errors,
      },
    });
  });
}

/** Fails the task visibly; only a person can retry it. */
async function failStage(
  core: Core,
  task: Task,
  { stage }: Drafting,
  message: string,
): Promise<Stepped> {
  const failure = { stage, message: message.slice(0, MAX_FAILURE_CHARS) };
  await core.store.transaction((unit) => moveTask(core, unit, task, "stage_failed", { failure }));
  return "moved";
}
