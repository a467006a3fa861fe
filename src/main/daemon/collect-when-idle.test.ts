import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { someEvents } from "../../../test/kit/events.ts";
import { collectWhenIdle } from "./collect-when-idle.ts";

const QUIET_MS = 1_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const AFTER_START_MS = 10_000;

function aStart({ isBusy = async () => false } = {}) {
  const events = someEvents();
  const collect = vi.fn<() => void>();
  const idle = collectWhenIdle({
    events,
    isBusy,
    quietMs: QUIET_MS,
    afterStartMs: AFTER_START_MS,
    collect,
  });
  const tell = (type: "agent:completed" | "agent:status_update", times: number): void => {
    const ids = { groupId: null, agentId: "impl-code-1-a", at: 0 } as const;
    for (let i = 0; i < times; i++) {
      events.publish({ type, ...ids, data: { status: "completed" } });
    }
  };
  return { collect, idle, tell };
}

/** Some time after the start, whose garbage is collected. */
async function aFleet(options: Parameters<typeof aStart>[0] = {}) {
  const fleet = aStart(options);
  await vi.advanceTimersByTimeAsync(AFTER_START_MS);
  fleet.collect.mockClear();
  return fleet;
}

test("an idle daemon collects its garbage once after the start", async () => {
  const { collect } = aStart();
  await vi.advanceTimersByTimeAsync(AFTER_START_MS - 1);
  expect(collect).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(AFTER_START_MS * 10);
  expect(collect).toHaveBeenCalledOnce();
});

test("a daemon that is busy after its start collects its garbage when it is idle", async () => {
  let busy = true;
  const { collect, tell } = aStart({ isBusy: async () => busy });
  await vi.advanceTimersByTimeAsync(AFTER_START_MS);
  expect(collect).not.toHaveBeenCalled();
  busy = false;
  tell("agent:completed", 1);
  await vi.advanceTimersByTimeAsync(QUIET_MS);
  expect(collect).toHaveBeenCalledOnce();
});

test("garbage is collected once after many agents have ended", async () => {
  const { collect, tell } = await aFleet();
  tell("agent:completed", 150);
  expect(collect).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(QUIET_MS * 10);
  expect(collect).toHaveBeenCalledOnce();
});

test("no garbage is collected while events arrive", async () => {
  const { collect, tell } = await aFleet();
  tell("agent:completed", 150);
  for (let i = 0; i < 10; i++) {
    await vi.advanceTimersByTimeAsync(QUIET_MS - 1);
    tell("agent:status_update", 1);
  }
  expect(collect).not.toHaveBeenCalled();
});

test("no garbage is collected while an agent runs, even without events", async () => {
  let busy = true;
  const { collect, tell } = await aFleet({ isBusy: async () => busy });
  tell("agent:completed", 150);
  await vi.advanceTimersByTimeAsync(QUIET_MS * 10);
  expect(collect).not.toHaveBeenCalled();
  busy = false;
  tell("agent:completed", 1);
  await vi.advanceTimersByTimeAsync(QUIET_MS);
  expect(collect).toHaveBeenCalledOnce();
});

test("no garbage is collected after a few agents", async () => {
  const { collect, tell } = await aFleet();
  tell("agent:completed", 20);
  await vi.advanceTimersByTimeAsync(QUIET_MS * 10);
  expect(collect).not.toHaveBeenCalled();
});

test("no garbage is collected after the stop", async () => {
  const { collect, idle, tell } = await aFleet();
  tell("agent:completed", 150);
  idle.stop();
  await vi.advanceTimersByTimeAsync(QUIET_MS * 10);
  expect(collect).not.toHaveBeenCalled();
});

test("collectGarbage works in this version of Node", async () => {
  const idle = collectWhenIdle({
    events: someEvents(),
    isBusy: async () => false,
    afterStartMs: QUIET_MS,
  });
  await vi.advanceTimersByTimeAsync(QUIET_MS);
  idle.stop();
  expect("gc" in globalThis).toBe(false);
});
