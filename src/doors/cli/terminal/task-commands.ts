import { z } from "zod";
import { taskShape, type WireTask } from "../../../contract/shapes/tasks.ts";
import { visibleLine } from "../../../contract/visible-text.ts";
import { shownTask } from "./api.ts";
import { followTask, type Session } from "./follow-task.ts";
import { renderEnd, renderProcess, renderPrompt, renderSteps } from "./render-task.ts";
import type { TerminalTexts } from "./terminal-texts.ts";

type Face = Pick<Session, "api" | "console" | "texts">;

export type RunTask = {
  readonly text: string;
  readonly workingDirectory: string;
  readonly priority?: string;
  readonly detach: boolean;
};

/** `kuromajutsu run "…"` */
export async function runTask(session: Session, input: RunTask): Promise<number> {
  const { api, console, texts } = session;
  const body = {
    text: input.text,
    workingDirectory: input.workingDirectory,
    door: "terminal",
    ...(input.priority && { priority: input.priority }),
  };
  const task = await api.send("POST", "/api/tasks", body, taskShape);
  console.print(texts.accepted(task.taskId));
  return input.detach ? 0 : followTask(session, task.taskId);
}

const taskListShape = z.object({ tasks: z.array(taskShape) });

/** `kuromajutsu tasks` */
export async function listTasks({ api, console, texts }: Face, status?: string): Promise<number> {
  const query = status ? `?status=${encodeURIComponent(status)}` : "";
  const { tasks } = await api.get(`/api/tasks${query}`, taskListShape);
  console.print(
    tasks.length === 0 ? texts.noTasks : tasks.map((task) => taskLine(task, texts)).join("\n"),
  );
  return 0;
}

/** `kuromajutsu tasks <id>` */
export async function showTask({ api, console, texts }: Face, id: string): Promise<number> {
  const task = await api.get(`/api/tasks/${encodeURIComponent(id)}`, shownTask);
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

const changedShape = z.object({ task: taskShape, stopping: z.array(z.string()) });

/** `kuromajutsu tasks <id> block|unblock|cancel|retry|follow` */
export async function actOnTask(
  session: Session,
  id: string,
  { action, reason }: ActOnTask,
): Promise<number> {
  const { api, console, texts } = session;
  const path = `/api/tasks/${encodeURIComponent(id)}`;
  const why = reason === undefined ? {} : { reason };
  if (action === "follow") return followTask(session, id);
  if (action === "retry") {
    const task = await api.send("POST", `${path}/retry`, why, taskShape);
    console.print(taskLine(task, texts));
    return 0;
  }
  if (!(await isConfirmed(session, path, { status: STATUS_OF[action], ...why }))) return 3;
  const answer = await api.send("PATCH", path, { status: STATUS_OF[action], ...why }, changedShape);
  console.print(`${taskLine(answer.task, texts)}\n${texts.stopping(answer.stopping.length)}`);
  return 0;
}

/** On a terminal, says how many agents would be stopped, and asks. */
async function isConfirmed(session: Session, path: string, body: unknown): Promise<boolean> {
  const { api, console, texts, approvesAll } = session;
  if (approvesAll || !console.isInteractive) return true;
  const { stopping } = await api.send("PATCH", `${path}?dryRun=true`, body, changedShape);
  if (stopping.length === 0) return true;
  const said = await console.ask(texts.stopsAgents(stopping.length), new AbortController().signal);
  return said.toLowerCase() === "y";
}

function taskLine(task: WireTask, texts: TerminalTexts): string {
  const name = task.title ?? task.request.split("\n", 1)[0] ?? "";
  return `${task.taskId}  ${texts.task[task.status]}  ${visibleLine(name)}`;
}
