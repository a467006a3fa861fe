import { expect, onTestFinished, test, vi } from "vitest";
import { aRole } from "../../../test/kit/core.ts";
import {
  agent,
  aRunningExecution,
  aStep,
  call,
  pendingApproval,
  pendingApprovals,
  refusalOf,
  textOf,
  WRITE,
  type CallOver,
} from "../../../test/kit/execution.ts";
import { held } from "../../../test/kit/fake-upstream.ts";
import { aTaskAgent } from "../../../test/kit/running-task.ts";
import type { Core } from "../core.ts";
import type { ServerMessage, ServerMessages } from "../ports/server-messages.ts";
import type { UpstreamProgress } from "../ports/upstream.ts";
import { createCallsInFlight } from "./calls-in-flight.ts";
import { carryOutCalls } from "./carry-out-calls.ts";

const READ = "list_attendance";
const STEPS = [aStep(1, { tool: WRITE }), aStep(2, { tool: READ })];

type Listeners = Set<(message: ServerMessage) => void>;

function aLine(own: Listeners, others: Listeners): ServerMessages {
  return {
    send(message) {
      for (const listener of others) listener(message);
    },
    on(listener) {
      own.add(listener);
      return () => void own.delete(listener);
    },
  };
}

/** Two servers on one store. `other` hands its calls over to `owner`, whose upstream server hangs. */
async function twoServers() {
  const roles = [aRole({ mcpServers: ["*"] })];
  const { core, upstream } = await aRunningExecution({ roles }, { steps: STEPS });
  const [atOwner, atOther]: [Listeners, Listeners] = [new Set(), new Set()];
  const owner: Core = {
    ...core,
    store: { ...core.store, serverMessages: aLine(atOwner, atOther) },
    calls: createCallsInFlight("owner"),
    placement: { isOwner: () => true, ownerOf: () => null },
  };
  const line = aLine(atOther, atOwner);
  const other: Core = {
    ...core,
    store: { ...core.store, serverMessages: line },
    calls: createCallsInFlight("other"),
    placement: { isOwner: () => false, ownerOf: () => "owner" },
  };
  const carrying = carryOutCalls(owner);
  onTestFinished(() => carrying.stop());
  const slow = held();
  upstream.on(WRITE, slow.reply);
  upstream.on(READ, slow.reply);
  const client = new AbortController();

  /** Resolves when the owner has sent the call. */
  async function handedOver(tool: string, over: CallOver = {}) {
    const before = upstream.sent.length;
    const ending = call(other, tool, {}, { signal: client.signal, ...over });
    // The tests look at it after they have done something else.
    ending.catch(() => {});
    await vi.waitFor(() => expect(upstream.sent.length).toBe(before + 1), 60_000);
    return { ending };
  }
  const statuses = async () =>
    (await core.store.listToolCalls("exe-01")).map(({ status }) => status);
  return { core, owner, other, line, upstream, slow, client, handedOver, statuses };
}

/** Until everything that can go on has. */
async function settle(): Promise<void> {
  for (let round = 0; round < 50; round++) await new Promise((done) => setImmediate(done));
}

test("a caller sees the progress of a call that another server carries out, until it has ended", async () => {
  const { core, owner, other, upstream, slow } = await twoServers();
  const seen: UpstreamProgress[] = [];
  upstream.on(WRITE, (sent) => {
    sent.onProgress({ progress: 1, total: 2, message: "半分" });
    sent.onProgress({ progress: 2, total: 2, message: "x".repeat(1_000) });
    return slow.reply(sent);
  });

  const calling = call(other, WRITE, {}, { onProgress: (progress) => void seen.push(progress) });
  await vi.waitFor(() => expect(seen).toHaveLength(2), 60_000);
  slow.letGo("written");

  expect(textOf(await calling)).toBe("written");
  expect(seen).toEqual([
    { progress: 1, total: 2, message: "半分" },
    { progress: 2, total: 2, message: `${"x".repeat(500)}…` },
  ]);
  const [{ id: callId } = { id: "" }] = await core.store.listToolCalls("exe-01");
  const late = { progress: 3 };
  owner.store.serverMessages?.send({ type: "call_progress", callId, progress: late });
  expect(seen).toHaveLength(2);
});

test.each([
  { tool: WRITE, status: "outcome_unknown", asked: ["outcome"] },
  { tool: READ, status: "cancelled", asked: [] },
])(
  "a caller that cancels $tool ends the call at the server that carries it out: $status",
  async ({ tool, status, asked }) => {
    const { core, upstream, client, handedOver, statuses } = await twoServers();
    const { ending } = await handedOver(tool);

    client.abort();

    await refusalOf(ending);
    expect(upstream.sent[0]?.signal.aborted).toBe(true);
    expect(await statuses()).toEqual([status]);
    expect((await pendingApprovals(core)).map(({ kind }) => kind)).toEqual(asked);
  },
);

test("only the server that handed a call over can cancel it", async () => {
  const { core, line, upstream, slow, handedOver } = await twoServers();
  const { ending } = await handedOver(WRITE);
  const [{ id: callId } = { id: "" }] = await core.store.listForwardedToolCalls();

  line.send({ type: "cancel_call", callId, from: "another" });
  line.send({ type: "cancel_call", callId: "call-0", from: "other" });

  expect(upstream.sent[0]?.signal.aborted).toBe(false);
  slow.letGo("written");
  expect(textOf(await ending)).toBe("written");
});

test("a cancellation that gets lost is sent again", async () => {
  const { line, client, handedOver, statuses } = await twoServers();
  const send = line.send.bind(line);
  let lost = 0;
  Object.assign(line, {
    send: (message: ServerMessage) => (lost++ === 0 ? undefined : send(message)),
  });
  const { ending } = await handedOver(READ);

  client.abort();

  await refusalOf(ending);
  expect(await statuses()).toEqual(["cancelled"]);
});

test.each(["is cut off", "loses its connection because its server stops"])(
  "a caller that %s cancels nothing, and gets the answer when it calls again",
  async (how) => {
    const { other, upstream, slow, client, handedOver } = await twoServers();
    const { ending } = await handedOver(WRITE, { isCutOff: () => how === "is cut off" });

    if (how !== "is cut off") other.calls.noteStopping();
    client.abort();

    expect((await refusalOf(ending)).code).toBe("OUTCOME_UNKNOWN");
    const again = call(other, WRITE);
    // It shares the call that is under way; a repeat after the answer waits for its delivery.
    await settle();
    expect(upstream.sent[0]?.signal.aborted).toBe(false);
    slow.letGo("written");
    expect(textOf(await again)).toBe("written");
    expect(upstream.sent).toHaveLength(1);
  },
);

test("when two callers share a call, only the one that made it can cancel it", async () => {
  const { core, other, upstream, client, handedOver, statuses } = await twoServers();
  const second = new AbortController();
  const { ending } = await handedOver(WRITE);
  const sharing = refusalOf(call(other, WRITE, {}, { signal: second.signal }));
  const third = refusalOf(call(other, WRITE, {}, { patienceMs: 0 }));

  second.abort();
  await sharing;
  expect(await statuses()).toEqual(["forwarded"]);
  client.abort();
  await refusalOf(ending);

  // As on one server: it waits for the person who is asked about the outcome.
  expect((await third).code).toBe("OUTCOME_UNKNOWN");
  expect(await pendingApproval(core)).toMatchObject({ kind: "outcome" });
  expect(upstream.sent).toHaveLength(1);
});

test("no person is asked about a cancelled call without a human check outside a task", async () => {
  const { core, client, handedOver } = await twoServers();
  const free = await aTaskAgent(core, { taskId: null, executionId: null });
  const { ending } = await handedOver(WRITE, { identity: agent(free, "impl-code") });

  client.abort();

  await refusalOf(ending);
  const [made] = await core.store.listAgentCalls(free);
  expect(made?.status).toBe("outcome_unknown");
  expect(await pendingApprovals(core)).toEqual([]);
});
