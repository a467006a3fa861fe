import type { ProcessDraft, PromptDraft } from "../../../domain/tasks/draft.ts";
import type { Task } from "../../../domain/tasks/task.ts";
import { requestApprovalIn } from "../../approvals/request-approval.ts";
import type { Core } from "../../core.ts";
import type { StoredEvent, UnitOfWork } from "../../ports/store.ts";

const WORDS = {
  ja: { prompt: "実行方針", process: "実行ステップ" },
  en: { prompt: "Policy", process: "Steps" },
} as const;

/** Shows a policy to people and asks whether to go by it. */
export async function askForPromptIn(
  core: Core,
  unit: UnitOfWork,
  task: Task,
  draft: PromptDraft,
): Promise<StoredEvent[]> {
  const { events } = await requestApprovalIn(core, unit, {
    kind: "prompt",
    taskId: task.id,
    requester: task.requester,
    title: titleOf(core, "prompt", task, draft.version),
    shown: { ...shownOf(task), version: draft.version, content: draft.content },
    subjectId: draft.id,
    agentId: draft.agentId,
  });
  return events;
}

/** Shows the steps: what people say yes to is what the execution may do. */
export async function askForProcessIn(
  core: Core,
  unit: UnitOfWork,
  task: Task,
  draft: ProcessDraft,
): Promise<StoredEvent[]> {
  const { events } = await requestApprovalIn(core, unit, {
    kind: "process",
    taskId: task.id,
    requester: task.requester,
    title: titleOf(core, "process", task, draft.version),
    shown: {
      ...shownOf(task),
      promptId: draft.promptId,
      version: draft.version,
      steps: draft.steps,
    },
    subjectId: draft.id,
    agentId: draft.agentId,
  });
  return events;
}

function titleOf(core: Core, kind: "prompt" | "process", task: Task, version: number): string {
  return `${WORDS[core.settings.locale][kind]} v${version}: ${task.title ?? task.id}`;
}

function shownOf({ request, title, description, priority, type }: Task) {
  return { request, title, description, priority, type };
}
