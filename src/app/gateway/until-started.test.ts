import { expect, test } from "vitest";
import { aFakeUpstream, aTool } from "../../../test/kit/fake-upstream.ts";
import type { UpstreamStatus } from "../ports/upstream.ts";
import { createCallsInFlight } from "./calls-in-flight.ts";
import { untilStarted } from "./until-started.ts";

/** An upstream server that starts. */
function aStart(serverId: string | null, patienceMs?: number) {
  const fake = aFakeUpstream([aTool("read")]);
  const listeners = new Set<() => void>();
  let status: UpstreamStatus = "starting";
  const upstream = {
    ...fake,
    servers: () => fake.servers().map((server) => ({ ...server, status })),
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  const client = new AbortController();
  const core = { calls: createCallsInFlight(serverId), upstream };
  let isOver = false;
  const waiting = untilStarted(core, "hr", client.signal, patienceMs).then(
    () => void (isOver = true),
  );
  return {
    waiting,
    client,
    listeners,
    isOver: () => isOver,
    become(next: UpstreamStatus) {
      status = next;
      for (const listener of listeners) listener();
    },
  };
}

const later = () => new Promise((done) => setImmediate(done));

test.each(["ready", "failed"] as const)(
  "with several servers a call waits before its intent until the upstream server is %s",
  async (status) => {
    const start = aStart("srv-1");
    await later();
    start.become("starting");
    await later();
    expect(start.isOver()).toBe(false);

    start.become(status);

    await start.waiting;
    expect(start.listeners.size).toBe(0);
  },
);

test("a caller that disconnects ends the wait for an upstream server that starts", async () => {
  const start = aStart("srv-1");
  await later();
  start.client.abort();
  await start.waiting;
  expect(start.listeners.size).toBe(0);
});

test("a call to an upstream server that starts for too long is refused before its intent", async () => {
  await expect(aStart("srv-1", 10).waiting).rejects.toMatchObject({
    code: "UPSTREAM_UNAVAILABLE",
  });
});

test("with one server a call does not wait before its intent", async () => {
  const start = aStart(null);
  await later();
  expect(start.isOver()).toBe(true);
});
