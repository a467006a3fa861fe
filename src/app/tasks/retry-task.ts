import type { Texts } from "../../domain/locale.ts";
import { Refusal } from "../../domain/refusal.ts";
import { statusInJapanese } from "../../domain/status-words.ts";
import type { Task, TaskEvent } from "../../domain/tasks/task.ts";
import type { Core, Identity } from "../core.ts";
import { recordAudit } from "../people/audit.ts";
import { actorOf, requesterOf, requirePerson } from "../people/require-person.ts";
import type { UnitOfWork } from "../ports/store.ts";
import { requireNoAgent } from "./create-task.ts";
import { askForProcess, askForPrompt } from "./drafting/ask-for-draft.ts";
import { insertExecution } from "./execution/insert-execution.ts";
import { moveTask } from "./move-task.ts";
import { requireTask } from "./require-task.ts";

export type RetryTask = {
  readonly reason?: string;
  /** The version of the task that the person saw. */
  readonly version?: number;
};

/** Continues a failed task where it failed; drafts, approvals and finished steps are kept. */
export async function retryTask(
  core: Core,
  identity: Identity,
  taskId: string,
  input: RetryTask = {},
): Promise<Task> {
  requireNoAgent(identity);
  const by = core.people.isEnabled
    ? requirePerson(identity, "operator").id
    : requesterOf(core, identity);
  return core.store.transaction(async (unit) => {
    const found = await requireTask(unit, taskId);
    requireSeen(found, input.version);
    requireRetryable(found);
    const changes = {
      failure: null,
      draftAgentId: null,
      draftTries: 0,
      statusBy: by,
      statusReason: input.reason?.trim() || null,
    };
    const retried = await continueTask(core, unit, found, changes);
    await recordAudit(core, unit, {
      actor: actorOf(identity),
      action: "task.retried",
      subject: found.id,
      data: { failure: found.failure, reason: changes.statusReason },
    });
    unit.afterCommit(() => rememberKeys(core, identity, retried));
    return retried;
  });
}

/** An execution may have failed without recording the stage. */
function stageOf({ failure, executionId }: Task): NonNullable<Task["failure"]>["stage"] {
  return failure?.stage ?? (executionId === null ? "analysis" : "execution");
}

async function continueTask(
  core: Core,
  unit: UnitOfWork,
  task: Task,
  changes: Partial<Task>,
): Promise<Task> {
  const move = (event: TaskEvent) => moveTask(core, unit, task, event, changes);
  switch (stageOf(task)) {
    case "analysis":
      return move("analysis_retried");
    case "planning":
      return move("planning_retried");
    case "design":
      return move("design_retried");
    case "prompt_approval": {
      const retried = await move("prompt_asked_again");
      const draft = await requireDraft(unit.getPromptDraft(task.promptId ?? ""), task);
      await askForPrompt(core, unit, retried, draft);
      return retried;
    }
    case "process_approval": {
      const retried = await move("process_asked_again");
      const draft = await requireDraft(unit.getProcessDraft(task.processId ?? ""), task);
      await askForProcess(core, unit, retried, draft);
      return retried;
    }
    case "execution":
      return insertExecution(core, unit, task, "retried", changes);
  }
}

async function requireDraft<Draft>(found: Promise<Draft | undefined>, { id }: Task) {
  const draft = await found;
  if (!draft) throw new Error(`The draft that ${id} waited for is not in the store.`);
  return draft;
}

/** Optimistic locking: refuses if the task has changed since the person saw it. */
export function requireSeen({ id, version }: Task, seen: number | undefined): void {
  if (seen === undefined || seen === version) return;
  throw new Refusal("VERSION_CONFLICT", {
    en: [
      `Task ${id} has changed since you saw it (version ${version}, not ${seen}).`,
      "Read the task again, then decide.",
    ],
    ja: [
      `タスク ${id} は、表示したあとに変わりました（バージョン ${seen} ではなく ${version}）。`,
      "タスクを読み直してから決めてください。",
    ],
  });
}

const REQUEST_AGAIN: Texts = {
  en: "Request it again as a new task.",
  ja: "新しいタスクとして、もう一度依頼してください。",
};

const INSTEAD: Partial<Record<Task["status"], Texts>> = {
  blocked: {
    en: "Unblock it: set its status to in_progress.",
    ja: "ブロックを解除してください（status を in_progress にします）。",
  },
  completed: REQUEST_AGAIN,
  cancelled: REQUEST_AGAIN,
};

function requireRetryable({ id, status }: Task): void {
  if (status === "failed") return;
  throw new Refusal("TASK_NOT_RETRYABLE", {
    en: [
      `Task ${id} is ${status}; only a failed task can be retried.`,
      INSTEAD[status]?.en ?? "It is still in progress: get_task shows what it waits for.",
    ],
    ja: [
      `タスク ${id} は${statusInJapanese(status)}です。再実行できるのは失敗したタスクだけです。`,
      INSTEAD[status]?.ja ?? "まだ進行中です。何を待っているかは get_task で分かります。",
    ],
  });
}

/** Keys are lost in a restart of the daemon; the client that retries may bring them again. */
function rememberKeys(core: Core, identity: Identity, { id }: Task): void {
  core.clientKeys.remember(id, { ...core.clientKeys.of(id), ...identity.keys });
}
