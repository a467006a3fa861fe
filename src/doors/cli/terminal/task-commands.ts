import type { RouteInput } from "../../../contract/route-contract.ts";
import { getSystem } from "../../../contract/routes/health.ts";
import { listRoles } from "../../../contract/routes/roles.ts";
import * as tasks from "../../../contract/routes/tasks.ts";
import { SAMPLE_TEXTS, sampleRequest, sampleRunner } from "../../../contract/sample-task.ts";
import type { WireTask } from "../../../contract/shapes/tasks.ts";
import { visibleLine, visiblePreview } from "../../../contract/visible-text.ts";
import { askYesNo } from "./ask-yes-no.ts";
import { followTask } from "./follow-task.ts";
import { localTime } from "./local-time.ts";
import { printJson, printTable } from "./print-list.ts";
import { progressLine, renderEnd, renderProcess, renderPrompt, stepLines } from "./render-task.ts";
import { resultFiles } from "./result-files.ts";
import { addressOf, type Face, type Session } from "./session.ts";
import { suggestingIds } from "./suggest-id.ts";
import type { TerminalTexts } from "./terminal-texts.ts";

export type RunTask = {
  /** undefined: the sample task. */
  readonly text: string | undefined;
  readonly workingDirectory: string;
  readonly priority?: WireTask["priority"];
  readonly detach: boolean;
};

/** `kuromajutsu run "…"` */
export async function runTask(session: Session, input: RunTask): Promise<number> {
  const { api, console, texts, program } = session;
  const text = input.text ?? (await sampleText(session));
  if (text === undefined) {
    console.print(texts.unchanged);
    return 3;
  }
  const body = {
    text,
    workingDirectory: input.workingDirectory,
    door: "terminal" as const,
    sample: input.text === undefined,
    ...(input.priority && { priority: input.priority }),
  };
  const { rehearsalNote } = await api.call(getSystem);
  const task = await api.call(tasks.createTask, { body });
  const address = addressOf(api, "tasks", task.taskId);
  console.print(texts.accepted(task.taskId));
  console.print(`${texts.dashboard}: ${console.style.link(address, address)}`);
  if (rehearsalNote !== undefined) console.print(`🎭 ${visibleLine(rehearsalNote)}`);
  if (input.text === undefined) console.print(texts.sampleHint(program, task.taskId));
  if (!input.detach) return followTask(session, task.taskId);
  console.print(texts.detached(program, task.taskId));
  return 0;
}

/** The request of the sample task; undefined if a person does not want to pay for it. */
async function sampleText(session: Session): Promise<string | undefined> {
  const { api, console, texts, approvesAll } = session;
  const answer = await api.call(listRoles);
  const roles = answer.roles.map((role) => ({ ...role, runner: role.runnerInUse }));
  const text = sampleRequest(SAMPLE_TEXTS[texts.locale], roles);
  const runner = sampleRunner(roles);
  if (runner === null || approvesAll) return text;
  if (!console.isInteractive) throw new Error(texts.sampleNeedsYes(runner));
  return (await askYesNo(console, texts.sampleCosts(runner), texts.locale)) ? text : undefined;
}

export type ListTasks = { readonly status: string | undefined; readonly json: boolean };

/** `kuromajutsu tasks` */
export async function listTasks(face: Face, { status, json }: ListTasks): Promise<number> {
  const { api, console, texts, program } = face;
  const answer = await api.call(tasks.listTasks, { query: { status } });
  if (json) return printJson(console, answer);
  const { headings } = texts;
  return printTable(console, {
    headings: [headings.id, headings.status, headings.created, headings.title],
    uncut: [0],
    rows: answer.tasks.map((task) => [
      task.taskId,
      texts.task[task.status],
      localTime(task.createdAt),
      nameOf(task),
    ]),
    none: status === undefined ? texts.noTasks(program) : texts.noTasksMatch,
  });
}

/** `kuromajutsu tasks <id>` */
export async function showTask(face: Face, id: string, json: boolean): Promise<number> {
  const { api, console, texts } = face;
  const task = await findingTask(face, id, () => api.call(tasks.getTask, { params: { id } }));
  if (json) return printJson(console, task);
  const isOver = ["completed", "failed", "cancelled"].includes(task.status);
  const address = addressOf(api, "tasks", id);
  const files = isOver ? await resultFiles(api, task) : [];
  const steps = stepLines(task, texts).map(({ line }) => line);
  const parts = [
    `${taskLine(task, texts)}\n${texts.requester}: ${texts.person(visibleLine(task.requester))}`,
    task.status === "blocked"
      ? texts.blockedBy(visibleLine(task.statusBy ?? ""), visiblePreview(task.statusReason ?? ""))
      : "",
    renderPrompt(task, texts),
    renderProcess(task, texts),
    steps.length > 0 ? [...steps, progressLine(task, texts)].join("\n") : "",
    isOver
      ? renderEnd(task, { texts, style: console.style, files, address })
      : `${texts.dashboard}: ${console.style.link(address, address)}`,
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
export async function actOnTask(session: Session, id: string, act: ActOnTask): Promise<number> {
  return findingTask(session, id, () => actOnFound(session, id, act));
}

async function actOnFound(
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
    console.print(`${taskLine(task, texts)}\n${texts.retried}`);
    return 0;
  }
  const change = { params, body: { status: STATUS_OF[action], ...why } };
  if (!(await isConfirmed(session, change))) {
    console.print(texts.unchanged);
    return 3;
  }
  const { task, stopping } = await api.call(tasks.changeTask, change);
  const said = {
    block: texts.blocked(stopping.length),
    unblock: texts.unblocked,
    cancel: texts.cancelled(stopping.length),
  };
  console.print(`${taskLine(task, texts)}\n${said[action]}`);
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
  return askYesNo(console, texts.stopsAgents(stopping.length), texts.locale);
}

function findingTask<Answer>(face: Face, id: string, work: () => Promise<Answer>): Promise<Answer> {
  const known = async () =>
    (await face.api.call(tasks.listTasks, { query: { limit: "200" } })).tasks.map(
      ({ taskId }) => taskId,
    );
  return suggestingIds(face.texts.locale, { id, code: "TASK_NOT_FOUND", known }, work);
}

function nameOf({ title, request }: WireTask): string {
  return visiblePreview(title ?? request.split("\n", 1)[0] ?? "");
}

function taskLine(task: WireTask, texts: TerminalTexts): string {
  return `${task.taskId}  ${texts.task[task.status]}  ${nameOf(task)}`;
}
