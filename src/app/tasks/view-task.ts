import type { Agent } from "../../domain/agents/agent.ts";
import type { Approval } from "../../domain/approvals/approval.ts";
import type { ToolCall } from "../../domain/gateway/tool-call.ts";
import type { TaskId } from "../../domain/ids.ts";
import type { Notification } from "../../domain/notifications/notification.ts";
import type { ProcessDraft, PromptDraft, Step } from "../../domain/tasks/draft.ts";
import type { Execution, StepState } from "../../domain/tasks/execution.ts";
import type { Task } from "../../domain/tasks/task.ts";
import type { Core } from "../core.ts";
import { requireTask } from "./require-task.ts";

const APPROVALS_PER_PAGE = 200;
/** A task with more approvals than this shows only the newest ones. */
const MAX_APPROVAL_PAGES = 10;

/** A draft and its newest approval. */
export type DecidedDraft<Draft> = {
  readonly draft: Draft;
  readonly approval: Approval | undefined;
};

export type StepView = Step & StepState & { readonly elapsedMs: number };

export type ExecutionView = {
  readonly execution: Execution;
  readonly elapsedMs: number;
  /** The steps of its process with their current state. */
  readonly steps: readonly StepView[];
};

/** Without the answer: it can be long and is read separately. */
export type ToolCallView = Omit<ToolCall, "answer">;

export type TaskView = {
  readonly task: Task;
  /** Ascending by version. */
  readonly prompts: readonly DecidedDraft<PromptDraft>[];
  readonly processes: readonly DecidedDraft<ProcessDraft>[];
  /** Ascending by attempt. */
  readonly executions: readonly ExecutionView[];
  /** Newest first. */
  readonly approvals: readonly Approval[];
  readonly notifications: readonly Notification[];
  /** Oldest first. */
  readonly agents: readonly Agent[];
  readonly toolCalls: readonly ToolCallView[];
};

export async function viewTask(core: Pick<Core, "store" | "clock">, id: string): Promise<TaskView> {
  const { store } = core;
  const task = await requireTask(store, id);
  const approvals = await approvalsOf(core, task.id);
  const processes = await store.listProcessDrafts(task.id);
  const executions = await store.listExecutions(task.id);
  // Agents before notifications: one commit settles an agent and clears its notifications, so an
  // agent that is shown as ended never comes with a notification that was open a moment earlier.
  const agents = await store.listTaskAgents(task.id);
  return {
    task,
    prompts: withApprovals(await store.listPromptDrafts(task.id), approvals),
    processes: withApprovals(processes, approvals),
    executions: executions.map((execution) =>
      viewExecution(
        execution,
        processes.find((draft) => draft.id === execution.processId),
        core.clock.now(),
      ),
    ),
    approvals,
    notifications: await store.listTaskNotifications(task.id),
    agents,
    toolCalls: (await store.listTaskToolCalls(task.id)).map(withoutAnswer),
  };
}

async function approvalsOf({ store }: Pick<Core, "store">, taskId: TaskId): Promise<Approval[]> {
  const found: Approval[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < MAX_APPROVAL_PAGES; page++) {
    const next = await store.listApprovals({
      taskId,
      limit: APPROVALS_PER_PAGE,
      ...(cursor !== null && { cursor }),
    });
    found.push(...next.approvals);
    cursor = next.nextCursor;
    if (cursor === null) break;
  }
  return found;
}

function withApprovals<Draft extends PromptDraft | ProcessDraft>(
  drafts: readonly Draft[],
  newestFirst: readonly Approval[],
): readonly DecidedDraft<Draft>[] {
  return drafts.map((draft) => ({
    draft,
    approval: newestFirst.find(({ subjectId }) => subjectId === draft.id),
  }));
}

export function viewExecution(
  execution: Execution,
  process: ProcessDraft | undefined,
  now: number,
): ExecutionView {
  const states = new Map(execution.steps.map((state) => [state.stepId, state]));
  const steps = (process?.steps ?? []).flatMap((step) => {
    const state = states.get(step.id);
    return state ? [{ ...step, ...state, elapsedMs: elapsed(state, now) }] : [];
  });
  return { execution, elapsedMs: elapsed(execution, now), steps };
}

function elapsed(
  { startedAt, endedAt }: Pick<Execution, "startedAt" | "endedAt">,
  now: number,
): number {
  return startedAt === null ? 0 : Math.max(0, (endedAt ?? now) - startedAt);
}

function withoutAnswer({ answer: _answer, ...call }: ToolCall): ToolCallView {
  return call;
}
