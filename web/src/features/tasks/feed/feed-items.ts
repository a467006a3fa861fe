import type { EventData, WireRecordedEvent } from "../../../../../src/contract/events/events.ts";
import type { WireAudit } from "../../../../../src/contract/shapes/audit.ts";
import type { WireToolCall } from "../../../api/task-detail.ts";
import type { COMMON } from "../../../i18n/common.ts";
import { stopEnd } from "../detail/stop-end.ts";
import type { TaskPageWords } from "../detail/texts.ts";
import type { FeedTexts } from "./texts.ts";

export type FeedItem = {
  readonly id: number;
  readonly at: string;
  /** Gives the icon and the colour. */
  readonly status: string;
  readonly text: string;
  readonly note: string | null;
  readonly call: { readonly name: string; readonly args: string } | null;
};

export type FeedWords = {
  readonly feed: FeedTexts;
  readonly callStatus: TaskPageWords["callStatus"];
  readonly common: (typeof COMMON)["ja"];
  readonly nameOf: (id: string | null) => string;
};

/** What people did to the task, from its audit; the events do not say who and why. */
export type Deed = Pick<WireAudit, "at" | "action" | "actor" | "data">;

const ARGS_CHARS = 240;
const ENDINGS = new Set(["stopping", "completed", "failed", "blocked", "cancelled"]);

/** Events as sentences. All events of a call form one entry. */
export function feedItems(
  events: readonly WireRecordedEvent[],
  calls: readonly WireToolCall[],
  words: FeedWords,
  titles: ReadonlyMap<string, string>,
  deeds: readonly Deed[] = [],
): readonly FeedItem[] {
  const args = new Map(calls.map((call) => [call.callId, call.args]));
  const items: FeedItem[] = [];
  const placeOf = new Map<string, number>();
  let executionStatus = "";
  let taskStatus = "";
  let attemptId: number | undefined;
  for (const event of events) {
    if (event.type === "task:updated") {
      const item = itemOfDeed(event, taskStatus, words, deeds);
      taskStatus = event.data.status ?? "";
      if (item) {
        // The attempt is stored first, in the transaction of the unblocking that causes it.
        const isCause = items.at(-1)?.id === attemptId && items.at(-1)?.at === item.at;
        items.splice(items.length - (isCause ? 1 : 0), 0, item);
        continue;
      }
    }
    if (event.type === "execution:updated") {
      const { status = "" } = event.data;
      // Most of these events are about steps or approvals, which are shown elsewhere.
      if (status === executionStatus || !ENDINGS.has(status)) continue;
      executionStatus = status;
    }
    const item = itemOf(event, args, words, titles);
    if (!item) continue;
    if (event.type === "execution:created") attemptId = event.id;
    const callId = event.type === "execution:tool_call" ? (event.data.callId ?? null) : null;
    const place = callId === null ? undefined : placeOf.get(callId);
    if (place !== undefined) {
      const first = items[place];
      items[place] = first ? { ...item, id: first.id, at: first.at } : item;
      continue;
    }
    if (callId !== null) placeOf.set(callId, items.length);
    items.push(item);
  }
  return items;
}

const SAME_MS = 2_000;

/** A change that a person made: who, and why. */
function itemOfDeed(
  event: WireRecordedEvent & { readonly type: "task:updated" },
  before: string,
  { feed, nameOf }: FeedWords,
  deeds: readonly Deed[],
): FeedItem | undefined {
  const { status = "" } = event.data;
  const action =
    status === "in_progress" && before === "blocked" ? "task.unblocked" : `task.${status}`;
  // The entry and the event are written in one transaction.
  const deed = deeds.find(
    (each) =>
      each.action === action && Math.abs(Date.parse(each.at) - Date.parse(event.at)) < SAME_MS,
  );
  const say = deed && DEEDS.find((each) => each === deed.action);
  if (!deed || !say) return undefined;
  const { reason } = deed.data;
  return {
    id: event.id,
    at: event.at,
    status,
    text: feed.deeds[say](nameOf(deed.actor)),
    note: typeof reason === "string" ? reason : null,
    call: null,
  };
}

const DEEDS = ["task.blocked", "task.unblocked", "task.cancelled"] as const;

function itemOf(
  event: WireRecordedEvent,
  args: ReadonlyMap<string, string>,
  { feed, callStatus, common, nameOf }: FeedWords,
  titles: ReadonlyMap<string, string>,
): FeedItem | undefined {
  const { id, at, data } = event;
  // The daemon's titles are in its language, not in that of the page.
  const approvalId = "approvalId" in data ? (data.approvalId ?? "") : "";
  const title = titles.get(approvalId) ?? ("title" in data ? (data.title ?? null) : null);
  const kind = "kind" in data ? valueOf(common.approvalKind, data.kind ?? "") : "";
  const item: MakeItem = (shown, text, note = null) => ({
    id,
    at,
    status: shown,
    text,
    note,
    call: null,
  });
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- the other events change nothing here
  switch (event.type) {
    case "task:created":
      return item("queued", feed.events.created);
    case "task:updated": {
      const { status = "", failure } = event.data;
      const text = feed.events.status(valueOf(common.taskStatus, status));
      return item(status, text, failure?.message ?? null);
    }
    case "task:draft_sent_back":
      return item("failed", feed.events.draftBack);
    case "approval:requested":
      return item("pending", feed.events.requested(kind), title);
    case "approval:voted":
      return item("pending", feed.events.voted(nameOf(event.data.by ?? null)));
    case "approval:decided": {
      const { status = "", reason = null } = event.data;
      const by = nameOf(event.data.by ?? null);
      const isApproved = status === "approved";
      const text = isApproved ? feed.events.approved(kind, by) : feed.events.rejected(kind, by);
      return item(status, text, reason);
    }
    case "approval:extended":
      return item("pending", feed.events.extended);
    case "approval:reminded":
      return item("pending", feed.events.reminded, title);
    case "approval:expired":
      return item("expired", feed.events.expired, title);
    case "approval:closed":
      return item("cancelled", feed.events.closed, title);
    case "execution:created":
      return item("queued", feed.events.attempt(event.data.attempt ?? 1));
    case "execution:updated": {
      const { status = "" } = event.data;
      return item(status, feed.events.execution(valueOf(common.executionStatus, status)));
    }
    case "execution:tool_call": {
      const { status = "", error = null } = event.data;
      return {
        ...item(status === "forwarded" ? "running" : status, valueOf(callStatus, status), error),
        call: callOf(event.data, args),
      };
    }
    default:
      return agentItemOf(event, feed, item);
  }
}

type MakeItem = (shown: string, text: string, note?: string | null) => FeedItem;

function agentItemOf(
  event: WireRecordedEvent,
  feed: FeedTexts,
  item: MakeItem,
): FeedItem | undefined {
  const agent = event.agentId ?? "";
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- the other events change nothing here
  switch (event.type) {
    case "agent:degraded":
      return item("timeout", feed.events.degraded(agent));
    case "agent:connected":
      return item("running", feed.events.connected(agent));
    case "agent:session_lost":
      return item("queued", feed.events.sessionLost(agent));
    case "notification:created":
      return item("blocked", feed.events.noticeCreated(agent));
    case "notification:announced":
      return item("blocked", feed.events.noticeAnnounced(agent));
    case "notification:read":
      return item("blocked", feed.events.noticeRead(agent));
    case "notification:reopened":
      return item("blocked", feed.events.noticeReopened(agent));
    case "notification:expired":
      return item("timeout", feed.events.noticeExpired(agent));
    case "notification:cleared": {
      const { clearReason, wasRead = false } = event.data;
      const end = stopEnd(clearReason ?? undefined, wasRead);
      return item("cancelled", feed.events.noticeCleared[end](agent));
    }
    default:
      return undefined;
  }
}

function callOf(
  { server = "", tool = "", callId = "" }: Partial<EventData<"execution:tool_call">>,
  args: ReadonlyMap<string, string>,
): FeedItem["call"] {
  return {
    name: server === "" ? tool : `${server}/${tool}`,
    args: readable(args.get(callId) ?? "").slice(0, ARGS_CHARS),
  };
}

/** A single text argument is shown as text, anything else as JSON. */
function readable(args: string): string {
  try {
    const parsed: unknown = JSON.parse(args);
    const values = typeof parsed === "object" && parsed !== null ? Object.values(parsed) : [];
    const [only] = values;
    return values.length === 1 && typeof only === "string" ? only : args;
  } catch {
    return args;
  }
}

/** Unknown keys are shown as they are. */
function valueOf(words: Readonly<Record<string, string>>, key: string): string {
  return words[key] ?? key;
}
