import { z } from "zod";
import { GROUP_MODES } from "../../domain/groups/group.ts";
import { CLEAR_REASONS } from "../../domain/notifications/notification.ts";
import { TASK_STAGES } from "../../domain/tasks/task.ts";
import { ledgerShape } from "../shapes/groups.ts";
import { taskShape } from "../shapes/tasks.ts";
import { agentEvents } from "./agent-events.ts";
import { ALERT_EVENTS } from "./alert-events.ts";
import { defineEvent, type EventColumns, type EventIds } from "./define-event.ts";
import { approval, call, count, error, execution, notification, task, text } from "./fields.ts";
import { HEALTH_EVENTS } from "./health-events.ts";
import { SCHEDULE_EVENTS } from "./schedule-events.ts";
import { WORKSPACE_EVENTS } from "./workspace-events.ts";

/** Every event there is. Names and data are a promise to clients and to stored rows: only add. */
export const EVENTS = [
  defineEvent("group:created", "group", "stored", "A group was created.", {
    description: text,
    mode: z.enum(GROUP_MODES),
    parentGroupId: text.optional(),
  }),
  defineEvent(
    "group:stage_advanced",
    "group",
    "stored",
    "A sequential group opened its next stage.",
    {
      currentStageIndex: count,
      totalStages: count,
      finished: z.boolean(),
      stopped: z.boolean().describe("A stage failed and `onFailure` is `stop`"),
    },
  ),
  defineEvent("group:deleted", "group", "stored", "A group was deleted.", {}),
  defineEvent("group:left_view", "group", "transient", "A deleted group left the lists.", {}),
  defineEvent("magentic:iteration_started", "group", "stored", "An orchestrator delegated work.", {
    iterations: count,
    maxIterations: count,
    stalls: count,
  }),
  defineEvent("magentic:stalled", "group", "stored", "An orchestrator got advice after stalls.", {
    stalls: count,
    advice: z.enum(["replan", "give_up"]),
  }),
  defineEvent("magentic:ledger_updated", "group", "stored", "An orchestrator wrote its ledger.", {
    ledger: ledgerShape,
    iterations: count,
    stalls: count,
  }),
  ...agentEvents,
  defineEvent("task:created", "group", "stored", "A person asked for a task.", {
    ...task,
    request: text,
    door: taskShape.shape.door,
  }),
  defineEvent("task:updated", "group", "stored", "A task has a new status.", task),
  defineEvent("task:draft_sent_back", "group", "stored", "A draft was unusable; it is redrafted.", {
    ...task,
    stage: z.enum(TASK_STAGES),
    agentId: text.nullable(),
    nextAgentId: text.nullable(),
    tries: count,
    errors: z.array(text).readonly(),
  }),
  defineEvent("execution:created", "any", "stored", "An attempt was queued.", execution),
  defineEvent("execution:updated", "any", "stored", "An attempt or its steps changed.", execution),
  defineEvent(
    "execution:tool_call",
    "agent",
    "stored",
    "A call of an attempt was forwarded or has ended.",
    {
      taskId: text,
      executionId: text,
      agentId: text,
      stepId: text.nullable(),
      ...call,
      error,
    },
  ),
  defineEvent("approval:requested", "any", "stored", "People are asked to decide.", approval),
  defineEvent("approval:voted", "any", "stored", "One of several necessary votes.", {
    ...approval,
    by: text,
  }),
  defineEvent("approval:decided", "any", "stored", "An approval was approved or rejected.", {
    ...approval,
    by: text,
    reason: text.nullable(),
  }),
  defineEvent("approval:reminded", "any", "stored", "An approval still waits.", approval),
  defineEvent("approval:extended", "any", "stored", "An approval stays open for longer.", {
    ...approval,
    by: text,
    expiresAt: count.nullable(),
  }),
  defineEvent(
    "approval:expired",
    "any",
    "stored",
    "An approval was not decided in time.",
    approval,
  ),
  defineEvent("approval:closed", "any", "stored", "An approval needs no decision.", approval),
  defineEvent(
    "notification:created",
    "agent",
    "stored",
    "An agent got a notification.",
    notification,
  ),
  defineEvent(
    "notification:announced",
    "agent",
    "stored",
    "A tool response mentioned the notification.",
    notification,
  ),
  defineEvent(
    "notification:read",
    "agent",
    "stored",
    "The agent read the notification.",
    notification,
  ),
  defineEvent(
    "notification:reopened",
    "agent",
    "stored",
    "The daemon restarted and delivers the notification again.",
    notification,
  ),
  defineEvent(
    "notification:expired",
    "agent",
    "stored",
    "The agent did not report in time: hard stop.",
    notification,
  ),
  defineEvent("notification:cleared", "agent", "stored", "The notification is settled.", {
    ...notification,
    clearReason: z.enum(CLEAR_REASONS).nullable(),
    wasRead: z.boolean(),
  }),
  ...ALERT_EVENTS,
  ...SCHEDULE_EVENTS,
  ...WORKSPACE_EVENTS,
  defineEvent("gateway:server_changed", "any", "transient", "An upstream server changed status.", {
    server: text,
    status: z.enum(["starting", "ready", "failed", "stopped"]),
    error,
    restarts: count,
  }),
  defineEvent(
    "gateway:tools_changed",
    "any",
    "transient",
    "The list of upstream tools changed.",
    {},
  ),
  defineEvent(
    "gateway:tool_quarantined",
    "any",
    "transient",
    "An upstream tool changed; agents may not use it.",
    {
      server: text,
      tool: text,
      hash: text,
      pinnedHash: text.nullable(),
    },
  ),
  defineEvent("gateway:tool_accepted", "any", "stored", "A person accepted a changed tool.", {
    server: text,
    tool: text,
    hash: text,
    by: text,
  }),
  ...HEALTH_EVENTS,
  defineEvent(
    "person:signed_out",
    "any",
    "transient",
    "A person signed out. Only with several servers, so that each one ends the WebSockets.",
    {},
  ),
  defineEvent(
    "config:updated",
    "any",
    "both",
    "The configuration changed. Not stored when the disk is full.",
    {
      change: z.enum(["created", "updated", "deleted", "reloaded", "trusted"]),
      hash: text,
      roleId: text.optional(),
      fields: z.array(text).readonly().optional(),
    },
  ),
] as const;

type Definition = (typeof EVENTS)[number];

export type EventType = Definition["type"];
export type StoredType = Extract<Definition, { keeping: "stored" | "both" }>["type"];
export type TransientType = Extract<Definition, { keeping: "transient" | "both" }>["type"];

export type EventData<Type extends EventType> = z.infer<
  Extract<Definition, { type: Type }>["data"]
>;

/** An event as the core emits it; `type` discriminates. */
export type AppEvent = {
  [Each in EventType]: EventColumns &
    EventIds[Extract<Definition, { type: Each }>["subject"]] & {
      readonly type: Each;
      readonly data: EventData<Each>;
    };
}[EventType];
export type EventOf<Type extends EventType> = Extract<AppEvent, { readonly type: Type }>;

/** A stored event over REST. An earlier version may have written fewer fields. */
export type WireRecordedEvent = {
  [Each in StoredType]: {
    readonly id: number;
    readonly type: Each;
    readonly at: string;
    readonly agentId: string | null;
    readonly data: Partial<EventData<Each>>;
  };
}[StoredType];

const [first, ...others] = EVENTS;

/** An event on the WebSocket. */
export const wireEventShape = z.discriminatedUnion("type", [
  first.wire,
  ...others.map(({ wire }) => wire),
]);
export type WireEvent = z.infer<typeof wireEventShape>;
