import { expect, test } from "vitest";
import { aGroup, anAgent, anApproval, aTask, NOON } from "../../../../test/kit/builders.ts";
import { agentCard } from "../../../contract/shapes/agents.ts";
import { wireApproval } from "../../../contract/shapes/approvals.ts";
import { wireGroup } from "../../../contract/shapes/groups.ts";
import { wireTask } from "../../../contract/shapes/tasks.ts";
import type { Agent } from "../../../domain/agents/agent.ts";
import { widthOf } from "../screen/columns.ts";
import { PLAIN_STYLE } from "../screen/style.ts";
import { FLEET_TEXTS } from "../terminal/fleet-texts.ts";
import { TERMINAL_TEXTS } from "../terminal/terminal-texts.ts";
import { applyEvent, type Fleet, rowsOf } from "./fleet.ts";
import { keysIn } from "./full-screen.ts";
import { renderWatch } from "./render-watch.ts";
import { NEW_WATCH, onKey, selectedRow, type WatchState } from "./watch-state.ts";
import { WATCH_TEXTS } from "./watch-texts.ts";

const aCard = (over: Partial<Agent>) =>
  agentCard(anAgent(over), { toolCallCount: 2, lastMessage: "考えています" }, NOON);

const FLEET: Fleet = {
  groups: [wireGroup(aGroup())],
  agents: [
    aCard({
      id: "research-1794733200-0001",
      role: "research",
      status: "completed",
      startedAt: NOON - 9_000,
    }),
    aCard({
      id: "impl-code-1794733200-0002",
      role: "impl-code",
      status: "running",
      startedAt: NOON - 65_000,
    }),
  ],
  tasks: [wireTask(aTask({ title: "残業時間を集計" }))],
  approvals: [wireApproval(anApproval({ kind: "step", title: "シートに書き込む" }))],
  pendingApprovals: 1,
};
const STATE: WatchState = { ...NEW_WATCH, fleet: FLEET, connection: "live", readAt: NOON };
const HANDLING = { texts: WATCH_TEXTS.en, program: "kuromajutsu", page: 10 };

function screenOf(state: WatchState, columns = 80, rows = 24) {
  return renderWatch(state, {
    size: { columns, rows },
    style: PLAIN_STYLE,
    now: NOON + 5_000,
    watch: WATCH_TEXTS.en,
    fleet: FLEET_TEXTS.en,
    terminal: TERMINAL_TEXTS.en,
  });
}

const press = (state: WatchState, keys: readonly string[]) =>
  keys.reduce((now, key) => onKey(now, key, HANDLING).state, state);

test.each([
  [80, 24],
  [120, 40],
  [40, 10],
])("the live view fills %i x %i and no line is wider", (columns, rows) => {
  const lines = screenOf(STATE, columns, rows);

  expect(lines).toHaveLength(rows);
  expect(Math.max(...lines.map(widthOf))).toBeLessThan(columns);
});

test("the live view lists what waits, tasks, groups and agents, running ones first, with elapsed time", () => {
  const text = screenOf(STATE).join("\n");

  expect(text).toMatch(
    /Waiting for you \(1\)\n▸ human check +シートに書き込む[\s\S]*Tasks\n.*残業時間を集計[\s\S]*Groups and agents\n.*concurrent[\s\S]*impl-code +running.*1 min 10 s\n.*research +completed/,
  );
  expect(text).toContain("1 running · 0 queued · 1 awaiting approval");
});

test("the selection follows its row when rows come and go", () => {
  const down = press(STATE, ["\u001B[B"]);
  expect(selectedRow(down)?.kind).toBe("task");

  const fewer = { ...down, fleet: { ...FLEET, approvals: [] } };

  expect(selectedRow(fewer)?.kind).toBe("task");
});

test("`a` shows what is approved, and `y` counts only once it is on the screen", () => {
  const asked = onKey(STATE, "a", HANDLING);
  expect(asked.effect).toMatchObject({ do: "open" });
  expect(onKey(asked.state, "y", HANDLING).effect).toBeUndefined();

  const shown = { ...asked.state, detail: ["24 rows"] };

  expect(onKey(shown, "y", HANDLING).effect).toMatchObject({ do: "approve" });
  expect(onKey(shown, "n", HANDLING).effect).toBeUndefined();
});

test("`r` takes a reason, in Japanese too; Escape sends nothing", () => {
  const typed = press(STATE, ["r", "も", "う", "x", "\u007F"]);

  expect(screenOf(typed).at(-1)).toContain("Reason to reject: もう▏");
  expect(onKey(typed, "\r", HANDLING).effect).toMatchObject({ do: "reject", reason: "もう" });
  expect(press(typed, ["\u001B"]).asking).toBeUndefined();
});

test("`s` asks before it stops the group, and says where it cannot", () => {
  expect(press(STATE, ["s"]).message).toBe("Select a running agent or its group.");
  const group = press(STATE, ["j", "j", "s"]);

  expect(group.asking).toMatchObject({ question: "Stop 1 agent? [y = stop / n = no]" });
  expect(onKey(group, "y", HANDLING).effect).toMatchObject({ do: "stop" });
});

test("a status update changes the agent; other events are a reason to read again", () => {
  const data = {
    at: "2026-11-15T09:00:01.000Z",
    agentId: "impl-code-1794733200-0002",
    groupId: "g",
  };
  const update = applyEvent(FLEET, {
    seq: 1,
    type: "agent:status_update",
    data: { ...data, status: "resultReported", toolCallCount: 7 },
  });

  expect(update.isStale).toBe(false);
  expect(update.fleet.agents[1]).toMatchObject({ status: "resultReported", toolCallCount: 7 });
  expect(rowsOf(update.fleet)).toHaveLength(rowsOf(FLEET).length);
});

test("a chunk with several keys is split into its keys", () => {
  expect(keysIn("\u001B[Aj\u001B")).toEqual(["\u001B[A", "j", "\u001B"]);
  expect(keysIn("\u001BOB")).toEqual(["\u001B[B"]);
});
