import type { AgentId } from "../../../domain/ids.ts";
import type { ProcessDraft, PromptDraft, Step } from "../../../domain/tasks/draft.ts";
import type { Task } from "../../../domain/tasks/task.ts";
import type { Core } from "../../core.ts";
import type { StoredEvent, UnitOfWork } from "../../ports/store.ts";
import { moveTaskIn } from "../move-task.ts";
import { askForProcessIn, askForPromptIn } from "./ask-for-draft.ts";
import type { Draft } from "./read-draft.ts";

/** The stage is over: its draft, the task's next status and the question to people, together. */
export async function acceptDraft(
  core: Core,
  task: Task,
  agentId: AgentId,
  draft: Draft,
): Promise<void> {
  const events = await core.store.transaction((unit) => acceptIn(core, unit, task, agentId, draft));
  core.live.publish(events);
}

const DRAFTED = { draftAgentId: null, draftTries: 0 } as const;

async function acceptIn(
  core: Core,
  unit: UnitOfWork,
  task: Task,
  agentId: AgentId,
  draft: Draft,
): Promise<readonly StoredEvent[]> {
  switch (draft.stage) {
    case "analysis": {
      const { event } = await moveTaskIn(core, unit, task, "analyzed", {
        ...DRAFTED,
        title: task.title ?? draft.title,
        description: draft.description,
        type: draft.type,
        priority: task.isPriorityGiven ? task.priority : draft.priority,
      });
      return [event];
    }
    case "planning": {
      const prompt = await nextPrompt(core, unit, task, agentId, draft.content);
      const changes = { ...DRAFTED, promptId: prompt.id };
      const moved = await moveTaskIn(core, unit, task, "prompt_drafted", changes);
      await unit.insertPromptDraft(prompt);
      return [moved.event, ...(await askForPromptIn(core, unit, moved.task, prompt))];
    }
    case "design": {
      const process = await nextProcess(core, unit, task, agentId, draft.steps);
      const changes = { ...DRAFTED, processId: process.id };
      const moved = await moveTaskIn(core, unit, task, "process_drafted", changes);
      await unit.insertProcessDraft(process);
      return [moved.event, ...(await askForProcessIn(core, unit, moved.task, process))];
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
  if (promptId === null) throw new Error(`${taskId} has no prompt its steps could carry out.`);
  const createdAt = core.clock.now();
  const version = nextVersion(await unit.listProcessDrafts(taskId));
  const id = `prc-${core.random.ulid(createdAt)}` as const;
  return { id, taskId, promptId, version, steps, agentId, createdAt };
}

function nextVersion(drafts: readonly { readonly version: number }[]): number {
  return (drafts.at(-1)?.version ?? 0) + 1;
}
