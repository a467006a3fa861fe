import type { ProcessDraft, PromptDraft } from "../../../domain/tasks/draft.ts";
import type { Task } from "../../../domain/tasks/task.ts";
import { requestApproval } from "../../approvals/request-approval.ts";
import type { Core } from "../../core.ts";
import type { UnitOfWork } from "../../ports/store.ts";

const TITLES = {
  ja: { prompt: "実行方針", process: "実行ステップ" },
  en: { prompt: "Prompt", process: "Steps" },
} as const;

export async function askForPrompt(
  core: Core,
  unit: UnitOfWork,
  task: Task,
  draft: PromptDraft,
): Promise<void> {
  await requestApproval(core, unit, {
    kind: "prompt",
    taskId: task.id,
    requester: task.requester,
    title: titleOf(core, "prompt", task, draft.version),
    shown: { ...shownOf(task), version: draft.version, content: draft.content },
    subjectId: draft.id,
    agentId: draft.agentId,
  });
}

/** The execution may only do the approved steps. */
export async function askForProcess(
  core: Core,
  unit: UnitOfWork,
  task: Task,
  draft: ProcessDraft,
): Promise<void> {
  await requestApproval(core, unit, {
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
}

function titleOf(core: Core, kind: "prompt" | "process", task: Task, version: number): string {
  return `${TITLES[core.settings.locale][kind]} v${version}: ${task.title ?? task.id}`;
}

function shownOf({ request, title, description, priority, type }: Task) {
  return { request, title, description, priority, type };
}
