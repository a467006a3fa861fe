import { truncate } from "../../base/truncate.ts";
import type { Agent } from "../../domain/agents/agent.ts";
import type { AgentResult, ResultStatus } from "../../domain/agents/result.ts";
import type { AlertKind, AlertSubject } from "../../domain/alerts/alert.ts";
import { lastWave } from "../../domain/alerts/last-wave.ts";
import type { SelfPause } from "../../domain/schedules/schedule.ts";
import type { Task } from "../../domain/tasks/task.ts";
import { oneLine } from "../../domain/text/one-line.ts";
import type { RecordedEvent, UnitOfWork } from "../ports/store.ts";

/** Every event that people can be alerted to. */
export const ALERTING_EVENTS = [
  "approval:requested",
  "approval:reminded",
  "task:updated",
  "agent:completed",
  "schedule:updated",
] as const;

const MAX_TITLE_CHARS = 120;
const MAX_DETAIL_CHARS = 300;
/** A larger group is judged by its newest agents. */
const MAX_WAVE = 500;

const TASK_KINDS: Readonly<Record<string, AlertKind>> = {
  completed: "task.completed",
  failed: "task.failed",
  cancelled: "task.cancelled",
};

type Queries = Pick<
  UnitOfWork,
  | "countUnsettled"
  | "getAgent"
  | "getApproval"
  | "getExecution"
  | "getGroup"
  | "getResult"
  | "getSchedule"
  | "getTask"
  | "listGroupAgents"
>;

/** What a stored event means to people, as the rows are now. Reading it again gives the same keys. */
export async function subjectsOf(
  unit: Queries,
  event: RecordedEvent,
): Promise<readonly AlertSubject[]> {
  switch (event.type) {
    case "approval:requested":
    case "approval:reminded":
      return asList(await ofApproval(unit, event));
    case "task:updated":
      return asList(await ofTask(unit, event));
    case "agent:completed":
      return ofAgent(unit, event);
    case "schedule:updated":
      return asList(await ofSchedule(unit, event));
    default:
      return [];
  }
}

async function ofApproval(
  unit: Queries,
  { seq, data }: RecordedEvent,
): Promise<AlertSubject | undefined> {
  const approval = await unit.getApproval(String(data["approvalId"]));
  if (approval?.status !== "pending") return undefined;
  const { id, taskId, agentId, requester, title } = approval;
  const task = taskId === null ? undefined : await unit.getTask(taskId);
  return {
    ...NOTHING,
    kind: task ? "task.waiting" : "agent.waiting",
    // A reminder is another alert about the same approval.
    key: `${id}:${seq}`,
    taskId,
    agentId,
    approvalId: id,
    title: task ? titleOf(task) : (agentId ?? id),
    detail: clip(title, MAX_DETAIL_CHARS),
    requester,
  };
}

async function ofTask(
  unit: Queries,
  { seq, taskId, data, at }: RecordedEvent,
): Promise<AlertSubject | undefined> {
  const kind = TASK_KINDS[String(data["status"])];
  const task = kind && taskId ? await unit.getTask(taskId) : undefined;
  if (!kind || !task) return undefined;
  // Old failed tasks are cancelled by the daemon itself, and keep the time of their failure.
  if (kind === "task.cancelled" && task.endedAt !== null && task.endedAt < at) return undefined;
  return {
    ...NOTHING,
    kind,
    key: `${task.id}:${seq}`,
    taskId: task.id,
    title: titleOf(task),
    detail: await detailOf(unit, task, kind),
    requester: task.requester,
  };
}

async function detailOf(unit: Queries, task: Task, kind: AlertKind): Promise<string | null> {
  if (kind === "task.failed") return clipOrNull(task.failure?.message);
  if (kind === "task.cancelled") return clipOrNull(task.statusReason);
  const execution =
    task.executionId === null ? undefined : await unit.getExecution(task.executionId);
  return clipOrNull(execution?.summary);
}

/** A schedule that a person paused is no alert. */
async function ofSchedule(
  unit: Queries,
  { seq, data }: RecordedEvent,
): Promise<AlertSubject | undefined> {
  const schedule = await unit.getSchedule(String(data["scheduleId"]));
  if (!schedule || schedule.pausedReason === null || data["pausedReason"] === null)
    return undefined;
  return {
    ...NOTHING,
    kind: "schedule.paused",
    key: `${schedule.id}:${seq}`,
    title: clip(schedule.name, MAX_TITLE_CHARS),
    detail: PAUSED[schedule.pausedReason],
    requester: schedule.requester,
  };
}

const PAUSED: Readonly<Record<SelfPause, string>> = {
  requester_gone: "Its requester is gone. The person who resumes it takes it over.",
  requester_not_operator:
    "Its requester is no operator any more. The person who resumes it takes it over.",
};

/** Agents of a task are the task's matter. */
async function ofAgent(
  unit: Queries,
  { seq, agentId }: RecordedEvent,
): Promise<readonly AlertSubject[]> {
  const agent = agentId === null ? undefined : await unit.getAgent(agentId);
  if (!agent || agent.taskId !== null) return [];
  const result = await unit.getResult(agent.id);
  const group = await ofGroup(unit, agent);
  const kind = result && AGENT_KINDS[result.status];
  if (!kind) return asList(group);
  const subject: AlertSubject = {
    ...NOTHING,
    kind,
    key: `${agent.id}:${seq}`,
    groupId: agent.groupId,
    agentId: agent.id,
    title: agent.id,
    detail: reasonOf(result),
    requester: agent.requester,
  };
  return [subject, ...asList(group)];
}

const AGENT_KINDS: Readonly<Record<ResultStatus, AlertKind | undefined>> = {
  success: "agent.completed",
  failure: "agent.failed",
  timeout: "agent.failed",
  // A person or an orchestrator stopped it on purpose.
  cancelled: undefined,
};

/** The group is over for now if this was its last agent. Groups of an orchestrator do not count. */
async function ofGroup(unit: Queries, last: Agent): Promise<AlertSubject | undefined> {
  const group = await unit.getGroup(last.groupId);
  if (group?.status !== "active" || group.parentGroupId !== null) return undefined;
  if ((await unit.countUnsettled(group.id)) > 0) return undefined;
  const { agents } = await unit.listGroupAgents({ groupId: group.id, limit: MAX_WAVE });
  const wave = lastWave(agents.map(({ agent }) => agent));
  const results: AgentResult[] = [];
  for (const { id } of wave) results.push(...asList(await unit.getResult(id)));
  const broken = results.find(({ status }) => AGENT_KINDS[status] === "agent.failed");
  const isDone = results.some(({ status }) => status === "success");
  if (!broken && !isDone) return undefined;
  return {
    ...NOTHING,
    kind: broken ? "group.failed" : "group.completed",
    // Several agents may end before the first of their events is read: one alert per wave.
    key: `${group.id}:${wave.at(-1)?.id}`,
    groupId: group.id,
    title: clip(group.description, MAX_TITLE_CHARS) || group.id,
    detail: broken ? reasonOf(broken) : null,
    requester: last.requester,
  };
}

const NOTHING = { taskId: null, groupId: null, agentId: null, approvalId: null } as const;

function reasonOf({ status, summary, errorMessage }: AgentResult): string | null {
  return clipOrNull(status === "success" ? summary : (errorMessage ?? summary));
}

function titleOf({ title, request }: Task): string {
  return clip(title ?? request, MAX_TITLE_CHARS);
}

function clipOrNull(text: string | null | undefined): string | null {
  return clip(text ?? "", MAX_DETAIL_CHARS) || null;
}

function clip(text: string, maxChars: number): string {
  return truncate(oneLine(text), maxChars);
}

function asList<Item>(item: Item | undefined): readonly Item[] {
  return item === undefined ? [] : [item];
}
