import { truncate } from "../../../base/truncate.ts";
import type { EventOf, EventType } from "../../../contract/events/events.ts";
import { visiblePreview } from "../../../contract/visible-text.ts";
import { LOCAL_PERSON } from "../../../domain/people/person.ts";
import type { TaskStatus } from "../../../domain/tasks/task.ts";
import type { Style } from "../screen/style.ts";
import { displayWidth, padLabel } from "./display-width.ts";
import { NARRATED_KINDS, type NarratedKind, type NarrationTexts } from "./narration-texts.ts";

export const NARRATED_EVENTS = [
  "task:created",
  "task:updated",
  "approval:requested",
  "approval:decided",
  "approval:expired",
  "agent:status_update",
  "agent:completed",
] as const satisfies readonly EventType[];
export type NarratedEvent = EventOf<(typeof NARRATED_EVENTS)[number]>;

/** What the event itself does not say. */
export type Facts = {
  /** The status of the task before this event; undefined if it is not known. */
  readonly statusBefore?: TaskStatus | undefined;
  readonly task?: {
    readonly title: string | null;
    readonly request: string;
    readonly statusBy: string | null;
    readonly statusReason: string | null;
  };
  /** The name of the agent's role. */
  readonly role?: string;
};

export type Narration = {
  readonly texts: NarrationTexts;
  readonly style: Style;
  /** The address of the dashboard; null: no links. */
  readonly url: string | null;
  readonly timeOf: (at: number) => string;
};

const MAX_TITLE = 60;
const MAX_REASON = 80;

type Told = {
  readonly kind: NarratedKind;
  readonly title: string;
  /** The page of the dashboard. */
  readonly path: string;
  readonly notes: readonly (string | null | undefined)[];
};

/** The line that tells a person about the event; undefined if it is not worth one. */
export function narrateEvent(
  event: NarratedEvent,
  facts: Facts,
  narration: Narration,
): string | undefined {
  const told = tell(event, facts, narration.texts);
  return told && lineOf(told, event.at, narration);
}

function tell(event: NarratedEvent, facts: Facts, texts: NarrationTexts): Told | undefined {
  switch (event.type) {
    case "task:created": {
      const { taskId, request, requester } = event.data;
      return {
        kind: "asked",
        title: request,
        path: taskPath(taskId),
        notes: [by(requester, texts)],
      };
    }
    case "task:updated":
      return tellTask(event, facts, texts);
    case "approval:requested": {
      const { approvalId, title, kind } = event.data;
      const path = `/approvals/${encodeURIComponent(approvalId)}`;
      return { kind: "waiting", title, path, notes: [texts.asks[kind], titleOf(facts, texts)] };
    }
    case "approval:decided":
    case "approval:expired":
      return tellDecision(event, texts);
    case "agent:status_update": {
      if (event.data.status !== "running") return undefined;
      const path = agentPath(event.agentId);
      return { kind: "agentStarted", title: event.agentId, path, notes: [facts.role] };
    }
    case "agent:completed":
      return tellEnd(event, facts, texts);
  }
}

function tellTask(
  { data }: EventOf<"task:updated">,
  facts: Facts,
  texts: NarrationTexts,
): Told | undefined {
  const kind = kindOfTask(data.status, facts.statusBefore);
  if (kind === undefined) return undefined;
  const isByPerson = kind === "blocked" || kind === "unblocked" || kind === "cancelled";
  const { statusBy = null, statusReason = null } = isByPerson ? (facts.task ?? {}) : {};
  return {
    kind,
    title: data.title ?? titleOf(facts, texts),
    path: taskPath(data.taskId),
    notes: [
      statusBy === null ? null : by(statusBy, texts),
      statusReason,
      kind === "failed" ? data.failure?.message : null,
    ],
  };
}

function kindOfTask(status: TaskStatus, before: TaskStatus | undefined): NarratedKind | undefined {
  if (status === before) return undefined;
  if (isNamed(status)) return status;
  if (before === "blocked") return "unblocked";
  return status === "in_progress" ? "running" : undefined;
}

function isNamed(status: TaskStatus): status is "blocked" | "cancelled" | "completed" | "failed" {
  return ["blocked", "cancelled", "completed", "failed"].includes(status);
}

function tellDecision(
  { type, data }: EventOf<"approval:decided" | "approval:expired">,
  texts: NarrationTexts,
): Told {
  const { approvalId, title, kind, status } = data;
  const path = `/approvals/${encodeURIComponent(approvalId)}`;
  if (type === "approval:expired")
    return { kind: "expired", title, path, notes: [texts.asks[kind]] };
  return {
    kind: status === "rejected" ? "rejected" : "approved",
    title,
    path,
    notes: [texts.asks[kind], by(data.by, texts), data.reason],
  };
}

function tellEnd(
  { agentId, data }: EventOf<"agent:completed">,
  { role }: Facts,
  texts: NarrationTexts,
): Told {
  const { status, result, duration_ms: ms, error } = data;
  const isFine = (status === "completed" || status === "resultReported") && result !== "failure";
  const ended = isFine ? "agentFinished" : "agentFailed";
  return {
    kind: status === "cancelled" ? "agentStopped" : ended,
    title: agentId,
    path: agentPath(agentId),
    notes: [role, ms === undefined ? null : texts.duration(ms), error],
  };
}

const taskPath = (id: string) => `/tasks/${encodeURIComponent(id)}`;
const agentPath = (id: string) => `/agents/${encodeURIComponent(id)}`;

function titleOf({ task }: Facts, texts: NarrationTexts): string {
  return task?.title ?? task?.request ?? texts.untitled;
}

function by(person: string, texts: NarrationTexts): string {
  return texts.by(person === LOCAL_PERSON.id ? texts.you : person);
}

const MARKS: Readonly<Record<NarratedKind, readonly [mark: string, colour: keyof Colours]>> = {
  asked: ["+", "cyan"],
  waiting: ["?", "yellow"],
  approved: ["✓", "green"],
  rejected: ["✗", "red"],
  expired: ["✗", "yellow"],
  running: ["▶", "blue"],
  blocked: ["■", "yellow"],
  unblocked: ["▶", "blue"],
  cancelled: ["■", "red"],
  completed: ["✓", "green"],
  failed: ["✗", "red"],
  agentStarted: ["·", "dim"],
  agentFinished: ["·", "dim"],
  agentFailed: ["✗", "red"],
  agentStopped: ["■", "yellow"],
};
/** The events whose page a person wants to open. */
const IS_OPENED: readonly NarratedKind[] = ["waiting", "completed", "failed", "agentFailed"];

type Colours = Pick<Style, "cyan" | "yellow" | "green" | "red" | "blue" | "dim">;

function lineOf({ kind, title, path, notes }: Told, at: number, narration: Narration): string {
  const { texts, style, url } = narration;
  const [mark, colour] = MARKS[kind];
  const shown = truncate(visiblePreview(title), MAX_TITLE);
  const address = url === null ? undefined : `${url}${path}`;
  const link = address === undefined ? shown : style.link(shown, address);
  // Titles of approvals often repeat their kind and the title of the task.
  const isNew = (note: string) => !title.toLowerCase().includes(note.toLowerCase());
  const said = notes.flatMap((note) =>
    note && isNew(note) ? [truncate(visiblePreview(note), MAX_REASON)] : [],
  );
  return [
    style.dim(narration.timeOf(at)),
    style[colour](`${mark} ${padLabel(texts.labels[kind], labelWidth(texts))}`),
    said.length === 0 ? link : `${link}  ${style.dim(said.join(" · "))}`,
    // A terminal without links shows the address itself, which takes a second line of its window: only
    // where a person has something to do or to read.
    ...(address !== undefined && link === shown && IS_OPENED.includes(kind)
      ? [style.dim(address)]
      : []),
  ].join("  ");
}

function labelWidth({ labels }: NarrationTexts): number {
  return Math.max(...NARRATED_KINDS.map((kind) => displayWidth(labels[kind])));
}
