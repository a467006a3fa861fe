import type { RouteInput } from "../../../contract/route-contract.ts";
import { getSystem } from "../../../contract/routes/health.ts";
import * as tasks from "../../../contract/routes/tasks.ts";
import type { WireTask } from "../../../contract/shapes/tasks.ts";
import { visibleLine } from "../../../contract/visible-text.ts";
import { followTask, type Session } from "./follow-task.ts";
import { renderEnd, renderProcess, renderPrompt, renderSteps } from "./render-task.ts";
import type { TerminalTexts } from "./terminal-texts.ts";

type Face = Pick<Session, "api" | "console" | "texts">;

export type RunTask = {
  readonly text: string;
  readonly workingDirectory: string;
  readonly priority?: WireTask["priority"];
  readonly detach: boolean;
};

/** `kuromajutsu run "…"` */
export async function runTask(session: Session, input: RunTask): Promise<number> {
  const { api, console, texts } = session;
  const body = {
    text: input.text,
    workingDirectory: input.workingDirectory,
    door: "terminal" as const,
    ...(input.priority && { priority: input.priority }),
  };
  const { rehearsalNote } = await api.call(getSystem);
  const task = await api.call(tasks.createTask, { body });
  console.print(texts.accepted(task.taskId));
  if (rehearsalNote !== undefined) console.print(`🎭 ${visibleLine(rehearsalNote)}`);
  return input.detach ? 0 : followTask(session, task.taskId);
}

/** `kuromajutsu tasks` */
export async function listTasks({ api, console, texts }: Face, status?: string): Promise<number> {
  const { tasks: found } = await api.call(tasks.listTasks, { query: { status } });
  console.print(
    found.length === 0 ? texts.noTasks : found.map((task) => taskLine(task, texts)).join("\n"),
  );
  return 0;
}

/** `kuromajutsu tasks <id>` */
export async function showTask({ api, console, texts }: Face, id: string): Promise<number> {
  const task = await api.call(tasks.getTask, { params: { id } });
  const isOver = ["completed", "failed", "cancelled"].includes(task.status);
  const parts = [
    taskLine(task, texts),
    renderPrompt(task, texts),
    renderProcess(task, texts),
    renderSteps(task, texts),
    isOver ? renderEnd(task, texts) : "",
  ];
  console.print(parts.filter(Boolean).join("\n\n"));
  return 0;
}

const STATUS_OF = { block: "blocked", unblock: "in_progress", cancel: "cancelled" } as const;

export type ActOnTask = {
  readonly action: keyof typeof STATUS_OF | "retry" | "follow";
  readonly reason: string | undefined;
};

/** `kuromajutsu tasks <id> block|unblock|cancel|retry|follow` */
export async function actOnTask(
  session: Session,
  id: string,
  { action, reason }: ActOnTask,
): Promise<number> {
  const { api, console, texts } = session;
  const params = { id };
  const why = reason === undefined ? {} : { reason };
  if (action === "follow") return followTask(session, id);
  if (action === "retry") {
    const task = await api.call(tasks.retryTask, { params, body: why });
    console.print(taskLine(task, texts));
    return 0;
  }
  const change = { params, body: { status: STATUS_OF[action], ...why } };
  if (!(await isConfirmed(session, change))) return 3;
  const answer = await api.call(tasks.changeTask, change);
  console.print(`${taskLine(answer.task, texts)}\n${texts.stopping(answer.stopping.length)}`);
  return 0;
}

/** On a terminal, says how many agents would be stopped, and asks. */
async function isConfirmed(
  session: Session,
  change: RouteInput<typeof tasks.changeTask>,
): Promise<boolean> {
  const { api, console, texts, approvesAll } = session;
  if (approvesAll || !console.isInteractive) return true;
  const { stopping } = await api.call(tasks.changeTask, {
    ...change,
    query: { dryRun: "true" },
  });
  if (stopping.length === 0) return true;
  const said = await console.ask(texts.stopsAgents(stopping.length), new AbortController().signal);
  return said.toLowerCase() === "y";
}

function taskLine(task: WireTask, texts: TerminalTexts): string {
  const name = task.title ?? task.request.split("\n", 1)[0] ?? "";
  return `${task.taskId}  ${texts.task[task.status]}  ${visibleLine(name)}`;
}
