import type { AgentId, AlertId, AlertMessageId, ApprovalId, GroupId, TaskId } from "../ids.ts";
import { nextState, type Transitions } from "../transition.ts";

/**
 * What people can be alerted to. Agents and groups that work for a task count as the task; groups
 * that work for an orchestrator count as its group.
 */
export const ALERT_KINDS = [
  "task.waiting",
  "task.completed",
  "task.failed",
  "task.cancelled",
  "group.completed",
  "group.failed",
  "agent.waiting",
  "agent.completed",
  "agent.failed",
  "schedule.paused",
] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

/** A person has to decide before the work goes on. */
export function needsPerson(kind: AlertKind): boolean {
  return kind === "task.waiting" || kind === "agent.waiting" || kind === "schedule.paused";
}

export const ALERT_STATUSES = ["pending", "sent", "failed", "dropped"] as const;
export type AlertStatus = (typeof ALERT_STATUSES)[number];

export const ALERT_EVENTS = ["tried", "delivered", "gave_up", "outdated"] as const;
export type AlertEvent = (typeof ALERT_EVENTS)[number];

/** `outdated`: before it was sent, a person had already decided. */
export const ALERT_TRANSITIONS: Transitions<AlertStatus, AlertEvent> = {
  pending: { tried: "pending", delivered: "sent", gave_up: "failed", outdated: "dropped" },
  sent: {},
  failed: {},
  dropped: {},
};

/** What an alert is about. */
export type AlertSubject = {
  readonly kind: AlertKind;
  /** The same for the same happening, however often its event is read. */
  readonly key: string;
  readonly taskId: TaskId | null;
  readonly groupId: GroupId | null;
  readonly agentId: AgentId | null;
  readonly approvalId: ApprovalId | null;
  /** The title of the task or the approval, the description of the group, the role of the agent. */
  readonly title: string;
  /** Why it failed, or what a person is asked; text of agents and upstream servers. */
  readonly detail: string | null;
  /** The person whose work it is; null: not known. */
  readonly requester: string | null;
};

/** One alert for one target. */
export type Alert = AlertSubject & {
  readonly id: AlertId;
  /** `browser`, `webhook:<name>`, `slack:<channel>` or `slack:person:<id>`. */
  readonly target: string;
  /** Ids of people; null: everyone. */
  readonly recipients: readonly string[] | null;
  readonly status: AlertStatus;
  /** When it is sent, or sent again; null once it is not pending. */
  readonly dueAt: number | null;
  /** Alerts that are sent together share it. It is the same in every try. */
  readonly messageId: AlertMessageId | null;
  readonly tries: number;
  /** Why the last try failed. */
  readonly error: string | null;
  readonly createdAt: number;
  readonly endedAt: number | null;
  readonly version: number;
};

export function applyToAlert(alert: Alert, event: AlertEvent, changes: Partial<Alert> = {}): Alert {
  const status = nextState(
    ALERT_TRANSITIONS,
    { en: "The alert", ja: "アラート" },
    alert.status,
    event,
  );
  return { ...alert, ...changes, status, ...(status !== "pending" && { dueAt: null }) };
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The waiting times between tries, nine hours together; afterwards the delivery is given up. */
const WAITS = [
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  6 * HOUR,
] as const;

export const MAX_TRIES = WAITS.length + 1;

/** How long to wait after this many tries; a receiver may ask for a longer wait, up to an hour. */
export function waitAfter(tries: number, asked = 0): number {
  return Math.max(WAITS[tries - 1] ?? 6 * HOUR, Math.min(asked, HOUR));
}
