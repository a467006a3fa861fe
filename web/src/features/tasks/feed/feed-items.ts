import type { WireToolCall } from "../../../api/task-detail.ts";
import type { COMMON } from "../../../i18n/common.ts";
import { numberIn, textIn } from "../../approvals/content/shown.ts";
import { stopEnd, type StopEnd } from "../detail/stop-end.ts";
import type { TaskPageWords } from "../detail/texts.ts";
import type { FeedTexts } from "./texts.ts";
import type { TaskEvent } from "./use-task-events.ts";

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

const ARGS_CHARS = 240;
const CLEAR_REASONS = ["reported", "ended", "replaced"] as const;
const ENDINGS = new Set(["stopping", "completed", "failed", "blocked", "cancelled"]);

/** Events as sentences. All events of a call form one entry. */
export function feedItems(
  events: readonly TaskEvent[],
  calls: readonly WireToolCall[],
  words: FeedWords,
  titles: ReadonlyMap<string, string>,
): readonly FeedItem[] {
  const args = new Map(calls.map((call) => [call.callId, call.args]));
  const items: FeedItem[] = [];
  const placeOf = new Map<string, number>();
  let executionStatus = "";
  for (const event of events) {
    const status = textIn(event.data, "status") ?? "";
    if (event.type === "execution:updated") {
      // Most of these events are about steps or approvals, which are shown elsewhere.
      if (status === executionStatus || !ENDINGS.has(status)) continue;
      executionStatus = status;
    }
    const item = itemOf(event, args, words, titles);
    if (!item) continue;
    const callId = event.type === "execution:tool_call" ? textIn(event.data, "callId") : null;
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

function itemOf(
  { id, type, at, data, agentId }: TaskEvent,
  args: ReadonlyMap<string, string>,
  { feed, callStatus, common, nameOf }: FeedWords,
  titles: ReadonlyMap<string, string>,
): FeedItem | undefined {
  const status = textIn(data, "status") ?? "";
  const reason = textIn(data, "reason");
  const by = nameOf(textIn(data, "by"));
  const agent = agentId ?? "";
  // The daemon's titles are in its language, not in that of the page.
  const title = titles.get(textIn(data, "approvalId") ?? "") ?? textIn(data, "title");
  const kind = valueOf(common.approvalKind, textIn(data, "kind") ?? "");
  const item = (shown: string, text: string, note: string | null = null): FeedItem => ({
    id,
    at,
    status: shown,
    text,
    note,
    call: null,
  });
  switch (type) {
    case "task:created":
      return item("queued", feed.events.created);
    case "task:updated":
      return item(
        status,
        feed.events.status(valueOf(common.taskStatus, status)),
        textIn(data["failure"], "message"),
      );
    case "task:draft_sent_back":
      return item("failed", feed.events.draftBack);
    case "approval:requested":
      return item("pending", feed.events.requested(kind), title);
    case "approval:voted":
      return item("pending", feed.events.voted(by));
    case "approval:decided":
      return item(
        status,
        status === "approved" ? feed.events.approved(kind, by) : feed.events.rejected(kind, by),
        reason,
      );
    case "approval:extended":
      return item("pending", feed.events.extended);
    case "approval:reminded":
      return item("pending", feed.events.reminded, title);
    case "approval:expired":
      return item("expired", feed.events.expired, title);
    case "approval:closed":
      return item("cancelled", feed.events.closed, title);
    case "execution:created":
      return item("queued", feed.events.attempt(numberIn(data, "attempt") ?? 1));
    case "execution:updated":
      return item(status, feed.events.execution(valueOf(common.executionStatus, status)));
    case "execution:tool_call":
      return {
        ...item(
          status === "forwarded" ? "running" : status,
          valueOf(callStatus, status),
          textIn(data, "error"),
        ),
        call: callIn(data, args),
      };
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
    case "notification:cleared":
      return item("cancelled", feed.events.noticeCleared[stopEndIn(data)](agent));
    default:
      return undefined;
  }
}

function callIn(data: TaskEvent["data"], args: ReadonlyMap<string, string>): FeedItem["call"] {
  const server = textIn(data, "server") ?? "";
  const tool = textIn(data, "tool") ?? "";
  const callId = textIn(data, "callId") ?? "";
  return {
    name: server === "" ? tool : `${server}/${tool}`,
    args: readable(args.get(callId) ?? "").slice(0, ARGS_CHARS),
  };
}

function stopEndIn(data: TaskEvent["data"]): StopEnd {
  const reason = CLEAR_REASONS.find((each) => each === textIn(data, "clearReason"));
  return stopEnd(reason, data["wasRead"] === true);
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
