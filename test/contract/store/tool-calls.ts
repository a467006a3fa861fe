import { expect, test } from "vitest";
import type { Store } from "../../../src/app/ports/store.ts";
import { TOOL_CALL_STATUSES, type ToolCall } from "../../../src/domain/gateway/tool-call.ts";
import { aTask, aToolCall, NOON } from "../../kit/builders.ts";
import { expectOneWinner, type Open } from "./kit.ts";

export function toolCalls(aStore: Open): void {
  test("a tool call comes back with every field", async () => {
    const store = await aStore();
    const full = aToolCall({
      id: "call-full",
      stepId: null,
      args: '{"rows":[["田中",12.5]]}',
      argsHash: "a".repeat(64),
      status: "outcome_unknown",
      approvalId: "apr-1",
      answer: '{"content":[],"isError":false}',
      error: "切断",
      endedAt: NOON + 1,
    });
    await insertCalls(store, [full, aToolCall()]);

    expect(await store.getToolCall(full.id)).toEqual(full);
    expect(await store.getToolCall(aToolCall().id)).toEqual(aToolCall());
    expect(await store.getToolCall("no-such")).toBeUndefined();
  });

  test("tool calls of an execution and of a task are listed in the order they were forwarded", async () => {
    const store = await aStore();
    const calls = [
      aToolCall({ id: "call-9", startedAt: NOON + 9 }),
      aToolCall({ id: "call-2", executionId: "exe-02" }),
      aToolCall({ id: "call-1" }),
      aToolCall({ id: "call-3", executionId: "exe-03", taskId: "task-02" }),
    ];
    await insertCalls(store, calls);

    expect(await store.listToolCalls("exe-01")).toEqual([calls[0], calls[2]]);
    expect(await store.listTaskToolCalls("task-01")).toEqual(calls.slice(0, 3));
    expect(await store.listToolCalls("exe-none")).toEqual([]);
  });

  test("forwarded calls are those without an answer, of all tasks", async () => {
    const store = await aStore();
    const calls = TOOL_CALL_STATUSES.map((status) => aToolCall({ id: `call-${status}`, status }));
    const other = aToolCall({ id: "call-other", taskId: "task-02" });
    await insertCalls(store, [...calls, other]);

    expect(await store.listForwardedToolCalls()).toEqual([calls[0], other]);
    await store.transaction((unit) => unit.updateToolCall({ ...other, status: "done" }, other));
    expect(await store.listForwardedToolCalls()).toEqual([calls[0]]);
  });

  test("one of two concurrent settlements of the same call wins", async () => {
    const store = await aStore();
    await insertCalls(store, [aToolCall()]);
    const settle = (status: ToolCall["status"]) =>
      store.transaction((unit) => unit.updateToolCall(aToolCall({ status }), aToolCall()));

    const outcomes = await Promise.allSettled([settle("done"), settle("outcome_unknown")]);

    const winner = expectOneWinner(outcomes);
    expect(winner.version).toBe(2);
    expect(await store.getToolCall(aToolCall().id)).toEqual(winner);
  });
}

async function insertCalls(store: Store, calls: readonly ToolCall[]): Promise<void> {
  await store.transaction(async (unit) => {
    for (const id of new Set(calls.map(({ taskId }) => taskId))) {
      await unit.insertTask(aTask({ id }));
    }
    for (const call of calls) await unit.insertToolCall(call);
  });
}
