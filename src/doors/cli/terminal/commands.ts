import { z } from "zod";
import {
  approvalShape,
  taskShape,
  type WireApproval,
  type WireTask,
} from "../../../contract/task-shapes.ts";
import type { TerminalTexts } from "../../../contract/terminal-texts.ts";
import { visibleLine, visibleText } from "../../../contract/visible-text.ts";
import { type Api, shownTask } from "./api.ts";
import type { Console } from "./console.ts";
import { followTask, type Session } from "./follow-task.ts";
import { renderEnd, renderProcess, renderPrompt, renderSteps } from "./render-task.ts";

export type Face = { readonly api: Api; readonly console: Console; readonly texts: TerminalTexts };

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

const taskList = z.object({ tasks: z.array(taskShape) });

/** `kuromajutsu tasks` */
export async function listTasks({ api, console, texts }: Face, status?: string): Promise<number> {
  const query = status ? `?status=${encodeURIComponent(status)}` : "";
  const { tasks } = await api.get(`/api/tasks${query}`, taskList);
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
export const TASK_ACTIONS = [...Object.keys(STATUS_OF), "retry", "follow"];
const changed = z.object({ task: taskShape, stopping: z.array(z.string()) });

/** `kuromajutsu tasks <id> block|unblock|cancel|retry|follow` */
export async function actOnTask(
  session: Session,
  id: string,
  action: string,
  reason: string | undefined,
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
  if (action !== "block" && action !== "unblock" && action !== "cancel") return 1;
  if (!(await isMeant(session, path, { status: STATUS_OF[action], ...why }))) return 3;
  const answer = await api.send("PATCH", path, { status: STATUS_OF[action], ...why }, changed);
  console.print(`${taskLine(answer.task, texts)}\n${texts.stopping(answer.stopping.length)}`);
  return 0;
}

/** Says how many agents it stops before it does, and asks where somebody can be asked. */
async function isMeant(session: Session, path: string, body: unknown): Promise<boolean> {
  const { api, console, texts, approvesAll } = session;
  if (approvesAll || !console.isInteractive) return true;
  const { stopping } = await api.send("PATCH", `${path}?dryRun=true`, body, changed);
  if (stopping.length === 0) return true;
  const said = await console.ask(texts.stopsAgents(stopping.length), new AbortController().signal);
  return said.toLowerCase() === "y";
}

const approvalList = z.object({ approvals: z.array(approvalShape) });

/** `kuromajutsu approvals` */
export async function listApprovals({ api, console, texts }: Face): Promise<number> {
  const { approvals } = await api.get("/api/approvals?status=pending", approvalList);
  console.print(
    approvals.length === 0
      ? texts.noApprovals
      : approvals.map((approval) => approvalLine(approval, texts)).join("\n"),
  );
  return 0;
}

export type Decide = {
  readonly decision: "approve" | "reject";
  readonly reason?: string;
  readonly answer?: string;
  readonly scope?: "any_arguments";
  readonly onReject?: "skip";
};

/** `kuromajutsu approvals <id> approve|reject` */
export async function decideApproval(
  { api, console, texts }: Face,
  id: string,
  { decision, reason, answer, scope, onReject }: Decide,
): Promise<number> {
  const path = `/api/approvals/${encodeURIComponent(id)}`;
  const { version } = await api.get(path, approvalShape);
  const body = {
    decision,
    version,
    ...(reason && { reason }),
    ...(answer && { answer }),
    ...(scope && { scope }),
    ...(onReject && { onReject }),
  };
  const decided = await api.send("POST", `${path}/decision`, body, approvalShape);
  console.print(approvalLine(decided, texts));
  return 0;
}

/** `kuromajutsu approvals <id>` */
export async function showApproval({ api, console, texts }: Face, id: string): Promise<number> {
  const approval = await api.get(`/api/approvals/${encodeURIComponent(id)}`, approvalShape);
  console.print(
    `${approvalLine(approval, texts)}\n${visibleText(JSON.stringify(approval.shown, null, 2))}`,
  );
  return 0;
}

function taskLine(task: WireTask, texts: TerminalTexts): string {
  const name = task.title ?? task.request.split("\n", 1)[0] ?? "";
  return `${task.taskId}  ${texts.task[task.status]}  ${visibleLine(name)}`;
}

function approvalLine(approval: WireApproval, texts: TerminalTexts): string {
  const { approvalId, status, kind, title, taskId } = approval;
  return `${approvalId}  ${status}  ${texts.asks[kind]}: ${visibleLine(title)}  ${taskId ?? ""}`.trimEnd();
}
