import { expect, test } from "vitest";
import { COMMON } from "../../../i18n/common.ts";
import { stopEnd } from "../detail/stop-end.ts";
import { TASK } from "../detail/texts.ts";
import { feedItems } from "./feed-items.ts";

const AGENT = "text-review-1-0001";

/** The sentence of the feed for a cleared stop. */
function fed(data: Record<string, unknown>, language: "ja" | "en" = "ja"): string | undefined {
  const event = {
    id: 1,
    type: "notification:cleared",
    at: "2026-11-16T00:00:00.000Z",
    agentId: AGENT,
    groupId: null,
    data,
  };
  const words = {
    task: TASK[language],
    common: COMMON[language],
    who: (id: string | null) => id ?? "",
  };
  return feedItems([event], [], words, new Map())[0]?.text;
}

test.for([
  { clearReason: "ended", wasRead: false, says: `${AGENT} は通知を読む前に終了しました` },
  { clearReason: "ended", wasRead: true, says: `${AGENT} は停止を報告せずに終了しました` },
  { clearReason: "reported", wasRead: true, says: `${AGENT} が停止を報告しました` },
  { clearReason: "reported", wasRead: false, says: `${AGENT} は通知を読む前に結果を報告しました` },
] as const)("the feed says how a stop ended ($clearReason, read: $wasRead)", (stop) => {
  expect(fed(stop)).toBe(stop.says);
});

test("the feed claims a reported stop exactly when the card does", () => {
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

test("an event of an earlier version, which did not say why, claims no report", () => {
  expect(fed({})).toBe(`${AGENT} への通知が消去されました`);
  expect(fed({}, "en")).toBe(`The notice for ${AGENT} was cleared`);
});
