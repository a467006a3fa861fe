import { expect, test } from "vitest";
import type { EventData, WireRecordedEvent } from "../../../../../src/contract/events/events.ts";
import { COMMON } from "../../../i18n/common.ts";
import { stopEnd } from "../detail/stop-end.ts";
import { TASK } from "../detail/texts.ts";
import { feedItems } from "./feed-items.ts";
import { FEED } from "./texts.ts";

const AGENT = "text-review-1-0001";

function rowOf(id: number) {
  return { id, at: new Date(id).toISOString(), agentId: AGENT };
}

function wordsIn(language: "ja" | "en") {
  return {
    feed: FEED[language],
    callStatus: TASK[language].callStatus,
    common: COMMON[language],
    nameOf: (id: string | null) => id ?? "",
  };
}

/** The sentence of the feed for a cleared stop. */
function fed(
  data: Partial<EventData<"notification:cleared">>,
  language: "ja" | "en" = "ja",
): string | undefined {
  const cleared: WireRecordedEvent = { ...rowOf(1), type: "notification:cleared", data };
  return feedItems([cleared], [], wordsIn(language), new Map())[0]?.text;
}

test.for([
  { clearReason: "ended", wasRead: false, says: `${AGENT} は通知を読む前に終了しました` },
  { clearReason: "ended", wasRead: true, says: `${AGENT} は停止を報告せずに終了しました` },
  { clearReason: "reported", wasRead: true, says: `${AGENT} が停止を報告しました` },
  { clearReason: "reported", wasRead: false, says: `${AGENT} は通知を読む前に結果を報告しました` },
] as const)("the feed says how a stop ended ($clearReason, read: $wasRead)", (stop) => {
  expect(fed(stop)).toBe(stop.says);
});

test("the feed says that an agent reported its stop exactly when the delivery card does", () => {
  for (const clearReason of ["reported", "ended", "replaced", null] as const) {
    for (const wasRead of [true, false]) {
      const claims = fed({ clearReason, wasRead })?.includes("停止を報告しました");
      expect([clearReason, wasRead, claims]).toEqual([
        clearReason,
        wasRead,
        stopEnd(clearReason, wasRead) === "reported",
      ]);
    }
  }
});

test("the feed does not claim a report for an event of an earlier version without a reason", () => {
  expect(fed({})).toBe(`${AGENT} への通知が消去されました`);
  expect(fed({}, "en")).toBe(`The notification for ${AGENT} was cleared`);
});

test("the feed has one entry for a call and its answer", () => {
  const call = (id: number, status: "forwarded" | "done"): WireRecordedEvent => ({
    ...rowOf(id),
    type: "execution:tool_call",
    data: { callId: "c-1", server: "s", tool: "write", status },
  });
  const items = feedItems([call(1, "forwarded"), call(2, "done")], [], wordsIn("en"), new Map());

  expect(items).toHaveLength(1);
  expect(items[0]).toMatchObject({
    id: 1,
    at: new Date(1).toISOString(),
    status: "done",
    call: { name: "s/write" },
  });
});

test("the feed has one entry for the end of an execution, and none for changes of its steps", () => {
  const updated = (id: number, status: "running" | "stopping" | "blocked"): WireRecordedEvent => ({
    ...rowOf(id),
    type: "execution:updated",
    data: { status },
  });
  const items = feedItems(
    [updated(1, "running"), updated(2, "stopping"), updated(3, "stopping"), updated(4, "blocked")],
    [],
    wordsIn("en"),
    new Map(),
  );
  expect(items.map(({ id }) => id)).toEqual([2, 4]);
});

test("the feed uses the page's title of an approval, not the daemon's", () => {
  const requested: WireRecordedEvent = {
    ...rowOf(1),
    type: "approval:requested",
    data: { approvalId: "apr-1", title: "デーモンの題" },
  };
  const note = (titles: ReadonlyMap<string, string>) =>
    feedItems([requested], [], wordsIn("en"), titles)[0]?.note;

  expect(note(new Map([["apr-1", "Prompt v1"]]))).toBe("Prompt v1");
  expect(note(new Map())).toBe("デーモンの題");
});

test("the feed says who blocked and unblocked a task, and why", () => {
  const updated = (id: number, status: "blocked" | "in_progress"): WireRecordedEvent => ({
    ...rowOf(id),
    type: "task:updated",
    data: { status },
  });
  const deed = (id: number, action: string, reason: string | null) => ({
    at: new Date(id).toISOString(),
    actor: "local",
    action,
    data: { reason },
  });
  const items = feedItems(
    [updated(1_000, "blocked"), updated(9_000, "in_progress")],
    [],
    wordsIn("en"),
    new Map(),
    [deed(1_000, "task.blocked", "wrong sheet"), deed(9_000, "task.unblocked", null)],
  );
  expect(items).toMatchObject([
    { text: "local blocked the task", note: "wrong sheet", status: "blocked" },
    { text: "local unblocked the task", note: null, status: "in_progress" },
  ]);
});

test("the feed names the person who unblocked a task before the attempt that follows", () => {
  const at = new Date(9_000).toISOString();
  const items = feedItems(
    [
      { ...rowOf(1), type: "task:updated", data: { status: "blocked" } },
      { ...rowOf(2), at, type: "execution:created", data: { attempt: 2 } },
      { ...rowOf(3), at, type: "task:updated", data: { status: "in_progress" } },
    ],
    [],
    wordsIn("en"),
    new Map(),
    [{ at, actor: "local", action: "task.unblocked", data: { reason: null } }],
  );

  expect(items.map(({ text }) => text)).toEqual([
    "Status: Blocked",
    "local unblocked the task",
    "Attempt 2 started",
  ]);
});
