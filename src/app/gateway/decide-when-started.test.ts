import { expect, test, vi } from "vitest";
import {
  aRunningExecution,
  aStep,
  call,
  callOnce,
  executor,
  pendingApprovals,
  refusalOf,
  stepStatuses,
  textOf,
  WRITE,
} from "../../../test/kit/execution.ts";
import { held, saying } from "../../../test/kit/fake-upstream.ts";
import { EXECUTOR } from "../../../test/kit/running-task.ts";
import type { Core } from "../core.ts";
import type { UpstreamStatus } from "../ports/upstream.ts";
import { IN_EXECUTION } from "./call-in-execution.ts";
import { authorizeUpstreamCall } from "./call-upstream-tool.ts";
import { createCallsInFlight } from "./calls-in-flight.ts";
import { decideWhenStarted } from "./decide-when-started.ts";

/** A server whose upstream server can be ready and start again. `serverId: null`: the only server. */
async function aServer(serverId: string | null = "srv-1", isChecked = false) {
  const steps = [aStep(1, { tool: WRITE, requiresHumanCheck: isChecked })];
  const { core: base, upstream } = await aRunningExecution({}, { steps });
  const listeners = new Set<() => void>();
  let status: UpstreamStatus = "ready";
  const core: Core = {
    ...base,
    calls: createCallsInFlight(serverId),
    upstream: {
      ...upstream,
      servers: () => upstream.servers().map((server) => ({ ...server, status })),
      subscribe(listener) {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    },
  };
  const isWaiting = () => vi.waitFor(() => expect(listeners.size).toBe(1), 60_000);
  const forwarded = async () =>
    (await core.store.listAudit({ limit: 100 })).entries.filter(
      ({ action }) => action === "tool.forwarded",
    );
  return {
    core,
    upstream,
    listeners,
    isWaiting,
    forwarded,
    rows: () => core.store.listToolCalls("exe-01"),
    become: (next: UpstreamStatus): void => {
      status = next;
      for (const listener of listeners) listener();
    },
  };
}

test("with several servers a call has no intent while its upstream server starts, and is then sent once", async () => {
  const { core, upstream, become, isWaiting, rows, forwarded, listeners } = await aServer();
  become("starting");

  const calling = call(core, WRITE);
  await isWaiting();
  become("starting");
  expect(await rows()).toEqual([]);
  expect(await forwarded()).toEqual([]);
  expect(await stepStatuses(core)).toEqual(["waiting"]);
  become("ready");

  expect(textOf(await calling)).toBe("ok");
  expect(upstream.sent).toHaveLength(1);
  expect(await rows()).toMatchObject([{ status: "done" }]);
  expect(await forwarded()).toHaveLength(1);
  expect(listeners.size).toBe(0);
});

test("a call does not wait any longer for an upstream server that failed to start", async () => {
  const { core, upstream, become, isWaiting } = await aServer();
  become("starting");
  const calling = call(core, WRITE);
  await isWaiting();
  become("failed");
  await calling;
  expect(upstream.sent).toHaveLength(1);
});

test("a caller that disconnects ends the wait for an upstream server, and leaves no intent", async () => {
  const { core, upstream, become, isWaiting, rows, listeners } = await aServer();
  become("starting");
  const client = new AbortController();
  const calling = call(core, WRITE, {}, { signal: client.signal });
  await isWaiting();

  client.abort();

  expect(await refusalOf(calling)).toMatchObject({ code: "UPSTREAM_UNAVAILABLE" });
  expect(upstream.sent).toEqual([]);
  expect(await rows()).toEqual([]);
  expect(listeners.size).toBe(0);
});

test("a call to an upstream server that starts for too long is refused without an intent", async () => {
  const { core, become, rows, forwarded } = await aServer();
  become("starting");
  const { tool } = (await authorizeUpstreamCall(core, executor, WRITE)).tool;
  const { signal } = new AbortController();
  const wanted = {
    agentId: EXECUTOR,
    role: "executor",
    tool,
    name: WRITE,
    args: {},
    signal,
    patienceMs: 0,
    beat() {},
    onProgress() {},
  };
  const attempt = { id: "call-1", waitedFor: undefined, undeliveredId: undefined } as const;

  const deciding = decideWhenStarted(core, { server: "hr", signal, patienceMs: 10 }, (unit) =>
    IN_EXECUTION.authorize(core, unit, wanted, attempt),
  );

  expect(await refusalOf(deciding)).toMatchObject({
    code: "UPSTREAM_UNAVAILABLE",
    message: expect.stringContaining("is still starting"),
  });
  expect(await rows()).toEqual([]);
  expect(await forwarded()).toEqual([]);
});

test("a repeated call gets the answer that was lost, also while its upstream server starts again", async () => {
  const { core, upstream, become, rows } = await aServer();
  const client = new AbortController();
  upstream.on(WRITE, async (sent) => {
    client.abort();
    return saying("written")(sent);
  });
  await call(core, WRITE, {}, { signal: client.signal });
  await vi.waitFor(async () => expect(await rows()).toMatchObject([{ delivery: "cut" }]), 60_000);
  become("starting");

  expect(textOf(await call(core, WRITE))).toBe("written");
  expect(upstream.sent).toHaveLength(1);
});

test("a call shares the answer of the same call in flight, also while its upstream server starts again", async () => {
  const { core, upstream, become, rows } = await aServer();
  const slow = held();
  upstream.on(WRITE, slow.reply);
  const first = call(core, WRITE);
  await vi.waitFor(() => expect(upstream.sent).toHaveLength(1), 60_000);
  become("starting");

  const look = vi.spyOn(core.store, "getToolCall");
  const second = call(core, WRITE);
  await vi.waitFor(() => expect(look).toHaveBeenCalled(), 60_000);
  slow.letGo("written");

  expect((await Promise.all([first, second])).map(textOf)).toEqual(["written", "written"]);
  expect(await rows()).toHaveLength(1);
});

test("a person is asked about a call while its upstream server starts", async () => {
  const { core, become } = await aServer("srv-1", true);
  become("starting");
  expect(await refusalOf(callOnce(core, WRITE))).toMatchObject({ code: "APPROVAL_PENDING" });
  expect(await pendingApprovals(core)).toMatchObject([{ kind: "step" }]);
});

test("with one server a call does not wait before its intent", async () => {
  const { core, upstream, become, rows } = await aServer(null);
  become("starting");
  await call(core, WRITE);
  expect(upstream.sent).toHaveLength(1);
  expect(await rows()).toMatchObject([{ status: "done" }]);
});
