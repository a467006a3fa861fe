import { expect, test } from "vitest";
import type { WireHistoryEntry } from "../../../../src/contract/shapes/history.ts";
import { itemsOf } from "./group-entries.ts";

function entry(agentId: string, groupId: string): WireHistoryEntry {
  return {
    agentId,
    groupId,
    groupDescription: `${groupId} の説明`,
    role: "impl-code",
    runner: "rehearsal",
    model: "m",
    status: "completed",
    result: "success",
    summary: "",
    editedFiles: [],
    createdFiles: [],
    duration_ms: 1,
    toolCallCount: 0,
    createdAt: "2026-11-15T00:00:00.000Z",
    startedAt: null,
    endedAt: null,
  };
}

const ENTRIES = [entry("a", "g1"), entry("b", "g2"), entry("c", "g1")];
const shown = (view: "list" | "groups", folded: readonly string[] = []) =>
  itemsOf(ENTRIES, view, new Set(folded)).map((item) =>
    item.kind === "group"
      ? `[${item.group.groupId} ${item.group.entries.length}]`
      : item.entry.agentId,
  );

test("the history without grouping keeps the order of the answer", () => {
  expect(shown("list")).toEqual(["a", "b", "c"]);
});

test("the history by group shows each group once above its agents; a folded one without agents", () => {
  expect(shown("groups")).toEqual(["[g1 2]", "a", "c", "[g2 1]", "b"]);
  expect(shown("groups", ["g1"])).toEqual(["[g1 2]", "[g2 1]", "b"]);
});
