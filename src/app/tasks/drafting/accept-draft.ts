import type { AgentId } from "../../../domain/ids.ts";
import type { ProcessDraft, PromptDraft, Step } from "../../../domain/tasks/draft.ts";
import type { Task } from "../../../domain/tasks/task.ts";
import type { Core } from "../../core.ts";
import type { UnitOfWork } from "../../ports/store.ts";
import { moveTask } from "../move-task.ts";
import { askForProcess, askForPrompt } from "./ask-for-draft.ts";
import type { Draft } from "./read-draft.ts";

/** Stores the draft, moves the task and requests the approval in one transaction. */
export async function acceptDraft(
  core: Core,
  task: Task,
  agentId: AgentId,
  draft: Draft,
): Promise<void> {
  await core.store.transaction((unit) => applyDraft(core, unit, task, agentId, draft));
}

const NO_DRAFTER = { draftAgentId: null, draftTries: 0 } as const;

async function applyDraft(
  core: Core,
  unit: UnitOfWork,
  task: Task,
  agentId: AgentId,
  draft: Draft,
): Promise<void> {
  switch (draft.stage) {
    case "analysis":
      await moveTask(core, unit, task, "analyzed", {
        ...NO_DRAFTER,
        title: task.title ?? draft.title,
        description: draft.description,
        type: draft.type,
        priority: task.isPriorityGiven ? task.priority : draft.priority,
      });
      return;
    case "planning": {
      const prompt = await nextPrompt(core, unit, task, agentId, draft.content);
      const changes = { ...NO_DRAFTER, promptId: prompt.id };
      const moved = await moveTask(core, unit, task, "prompt_drafted", changes);
      await unit.insertPromptDraft(prompt);
      return askForPrompt(core, unit, moved, prompt);
    }
    case "design": {
      const process = await nextProcess(core, unit, task, agentId, draft.steps);
      const changes = { ...NO_DRAFTER, processId: process.id };
      const moved = await moveTask(core, unit, task, "process_drafted", changes);
      await unit.insertProcessDraft(process);
      return askForProcess(core, unit, moved, process);
    }
  }
}

async function nextPrompt(
  core: Core,
  unit: UnitOfWork,
  { id: taskId }: Task,
  agentId: AgentId,
  content: string,
): Promise<PromptDraft> {
  const createdAt = core.clock.now();
  const version = nextVersion(await unit.listPromptDrafts(taskId));
  return { id: `prm-${core.random.ulid(createdAt)}`, taskId, version, content, agentId, createdAt };
}

async function nextProcess(
  core: Core,
  unit: UnitOfWork,
  { id: taskId, promptId }: Task,
  agentId: AgentId,
  steps: readonly Step[],
): Promise<ProcessDraft> {
  if (promptId === null)
    throw new Error(`${taskId} has no prompt, so its process cannot be stored.`);
  const createdAt = core.clock.now();
  const version = nextVersion(await unit.listProcessDrafts(taskId));
  const id = `prc-${core.random.ulid(createdAt)}` as const;
  return { id, taskId, promptId, version, steps, agentId, createdAt };
}

function nextVersion(drafts: readonly { readonly version: number }[]): number {
  return (drafts.at(-1)?.version ?? 0) + 1;
}
