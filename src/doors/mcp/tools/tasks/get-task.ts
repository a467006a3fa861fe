import { z } from "zod";
import { viewTask, type ExecutionView, type TaskView } from "../../../../app/tasks/view-task.ts";
import { toolName } from "../../../../domain/tasks/step-tool.ts";
import { TASK_STATUSES } from "../../../../domain/tasks/task.ts";
import { defineTool } from "../../define-tool.ts";

/** The schema is part of every conversation, so it does not list the statuses. */
const decided = {
  version: z.number(),
  approval: z.string().optional(),
  decidedBy: z.string().optional(),
  reason: z.string().optional(),
};

const step = z.object({
  stepId: z.string(),
  title: z.string(),
  tool: z.string(),
  requiresHumanCheck: z.boolean(),
  status: z.string().optional(),
  error: z.string().optional(),
});

const output = z.object({
  taskId: z.string(),
  status: z.enum(TASK_STATUSES),
  title: z.string().optional(),
  description: z.string().optional(),
  priority: z.string(),
  type: z.string().optional(),
  failure: z.object({ stage: z.string(), message: z.string() }).optional(),
  prompt: z.object({ ...decided, content: z.string() }).optional(),
  process: z.object({ ...decided, steps: z.array(step) }).optional(),
  execution: z
    .object({
      executionId: z.string(),
      attempt: z.number(),
      status: z.string(),
      elapsed_ms: z.number(),
      summary: z.string().optional(),
      response: z.string().optional(),
      error: z.string().optional(),
    })
    .optional(),
  approvals: z
    .array(z.object({ approvalId: z.string(), kind: z.string(), title: z.string() }))
    .describe("What waits for a person"),
  agents: z.array(z.string()).describe("The agents that work on it now"),
});

export const getTask = defineTool({
  name: "get_task",
  description:
    "Read a task: its newest prompt and steps, how far it is, what waits for a person, and the result.",
  callers: ["client"],
  hints: { readOnly: true, idempotent: true },
  input: z.strictObject({ taskId: z.string() }),
  output,
  run: async ({ core }, { taskId }) => shown(await viewTask(core, taskId)),
});

/** Only the newest drafts and execution; the dashboard has the history. */
function shown(view: TaskView): z.infer<typeof output> {
  const { task } = view;
  const prompt = view.prompts.at(-1);
  const execution = view.executions.at(-1);
  return {
    taskId: task.id,
    status: task.status,
    ...said({ title: task.title, description: task.description, type: task.type }),
    priority: task.priority,
    ...(task.failure && { failure: task.failure }),
    ...(prompt && { prompt: { ...decision(prompt), content: prompt.draft.content } }),
    ...shownProcess(view, execution),
    ...(execution && { execution: shownExecution(execution) }),
    approvals: view.approvals
      .filter(({ status }) => status === "pending")
      .map(({ id, kind, title }) => ({ approvalId: id, kind, title })),
    agents: view.agents.filter(({ process }) => process !== "ended").map(({ id }) => id),
  };
}

function shownProcess({ processes }: TaskView, execution: ExecutionView | undefined) {
  const process = processes.at(-1);
  if (!process) return {};
  const { draft } = process;
  const states = execution?.execution.processId === draft.id ? execution.steps : [];
  const steps = draft.steps.map(({ id, title, requiresHumanCheck, ...ref }) => {
    const state = states.find(({ stepId }) => stepId === id);
    return {
      stepId: id,
      title,
      tool: toolName(ref),
      requiresHumanCheck,
      ...(state && { status: state.status }),
      ...said({ error: state?.error ?? null }),
    };
  });
  return { process: { ...decision(process), steps } };
}

function shownExecution({ execution, elapsedMs }: ExecutionView) {
  const { id, attempt, status, summary, response, error } = execution;
  return {
    executionId: id,
    attempt,
    status,
    elapsed_ms: elapsedMs,
    ...said({ summary, response, error }),
  };
}

function decision({
  draft,
  approval,
}: TaskView["prompts"][number] | TaskView["processes"][number]) {
  return {
    version: draft.version,
    ...(approval && { approval: approval.status }),
    ...said({ decidedBy: approval?.decidedBy ?? null, reason: approval?.reason ?? null }),
  };
}

/** Omits empty members. */
function said<Key extends string>(
  texts: Readonly<Record<Key, string | null>>,
): Partial<Record<Key, string>> {
  const there: Partial<Record<Key, string>> = {};
  for (const key in texts) {
    const text = texts[key];
    if (text !== null) there[key] = text;
  }
  return there;
}
