import { expect, onTestFinished, test } from "vitest";
import { openPostgresStore } from "../../../src/adapters/store/postgres/postgres-store.ts";
import { openWorkers } from "../../../src/adapters/store/postgres/workers.ts";
import { createRemoteWorker } from "../../../src/adapters/workers/remote-worker.ts";
import type { Events } from "../../../src/app/events.ts";
import { createWorkerSessions } from "../../../src/app/workers/worker-sessions.ts";
import { createPeer, type Handlers } from "../../../src/base/peer.ts";
import { WORKER_PROTOCOL, type WorkerHello } from "../../../src/contract/workers/messages.ts";
import { serveWorker } from "../../../src/doors/workers/worker-connection.ts";
import { aCore } from "../../kit/core.ts";
import { aMigratedUrl } from "../../kit/postgres/daemon-place.ts";
import { rowsOf } from "../../kit/postgres/servers.ts";
import { sharedByTests } from "../../kit/when-done.ts";

const HELLO: WorkerHello = {
  protocol: WORKER_PROTOCOL,
  instance: "host-00000000",
  host: "host",
  pid: 1,
  version: "1.0.0",
  slots: 0,
  labels: [],
  runners: [],
  isDraining: false,
};
const LEASE_MS = 60_000;
const unused = () => Promise.reject(new Error("not used here"));

/** Counts the subscriptions that have not ended. */
function counted(events: Events): { readonly open: () => number; readonly events: Events } {
  let open = 0;
  const count = (unsubscribe: () => void) => {
    open += 1;
    return () => {
      open -= 1;
      unsubscribe();
    };
  };
  return {
    open: () => open,
    events: {
      ...events,
      on: (types, react) => count(events.on(types, react)),
      onOthers: (react) => count(events.onOthers(react)),
      onAny: (listener) => count(events.onAny(listener)),
    },
  };
}

const theServer = sharedByTests(async () => {
  const url = await aMigratedUrl();
  const store = await openPostgresStore({ url });
  const workers = openWorkers({ url });
  return { url, store, workers };
});

let added = 0;

/** The server's side of one connection, and the worker's side, which answers as `over` says. */
async function aConnection(over: Handlers = {}) {
  const { url, store, workers } = await theServer();
  const id = `wrk-${++added}`;
  const worker = { id, name: id, allowedLabels: null, createdAt: 0, createdBy: "aoi" };
  await workers.add(worker, id);
  const core = await aCore({ serverId: "srv-1", store });
  const subscriptions = counted(core.events);
  const closed: string[] = [];
  const connection = serveWorker(
    {
      core: { ...core, events: subscriptions.events },
      workers,
      transcripts: { put: unused, acknowledged: unused },
      serverId: "srv-1",
      serverProcess: "p1",
      leaseMs: LEASE_MS,
      sessions: createWorkerSessions(),
      isReadOnly: () => false,
      settings: () => ({ hardKillAfterMs: 1, maxOutputBytes: 1, variables: [], acpCommand: [] }),
      createRemote: (options) =>
        createRemoteWorker({ ...options, leaseMs: LEASE_MS, log: core.log }),
      serveRelayed: unused,
    },
    worker,
    {
      send: (text) => peer.receive(text),
      close(code, reason) {
        closed.push(`${code} ${reason}`);
        peer.ended();
      },
    },
  );
  const peer = createPeer(
    { send: (text) => connection.receive(text), close() {} },
    { exist: () => [], listSpooled: () => [], ...over },
  );
  onTestFinished(() => connection.ended());
  return { url, id, worker: peer, connection, closed, subscriptions };
}

test("a worker that says hello again is disconnected, and nothing of its session is left", async () => {
  const { worker, connection, closed, subscriptions } = await aConnection();
  await worker.call("hello", HELLO);
  await worker.call("ready", {});
  expect(subscriptions.open()).toBeGreaterThan(0);

  await expect(worker.call("hello", HELLO)).rejects.toThrow("The connection has ended.");

  expect(closed).toEqual(['1008 The worker has sent "hello" twice over one connection.']);
  await connection.ended();
  expect(subscriptions.open()).toBe(0);
});

test("a worker that says hello twice at once is disconnected, and nothing of its session is left", async () => {
  const { worker, connection, closed, subscriptions } = await aConnection();

  await Promise.allSettled([worker.call("hello", HELLO), worker.call("hello", HELLO)]);

  expect(closed).toEqual(['1008 The worker has sent "hello" twice over one connection.']);
  await connection.ended();
  expect(subscriptions.open()).toBe(0);
});

test("a worker that says ready again is disconnected, and nothing of its session is left", async () => {
  const { worker, connection, closed, subscriptions } = await aConnection();
  await worker.call("hello", HELLO);

  await Promise.allSettled([worker.call("ready", {}), worker.call("ready", {})]);

  expect(closed).toEqual(['1008 The worker has sent "ready" twice over one connection.']);
  await connection.ended();
  await expect.poll(() => subscriptions.open()).toBe(0);
});

test("a worker that is asked to say hello later may say it again", async () => {
  const { url, id, worker, closed } = await aConnection();
  await rowsOf(url, `update workers set seen = 'infinity' where id = '${id}'`);
  expect(await worker.call("hello", HELLO)).toEqual({ later: true });
  const { workers } = await theServer();
  await workers.forget(id);

  expect(await worker.call("hello", HELLO)).toMatchObject({ name: id });
  await worker.call("ready", {});
  expect(closed).toEqual([]);
});

test("a session whose connection ends while it starts leaves nothing", async () => {
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<readonly string[]>();
  const { worker, connection, subscriptions } = await aConnection({
    listSpooled() {
      asked.resolve();
      return answer.promise;
    },
  });
  await worker.call("hello", HELLO);
  const ready = worker.call("ready", {});
  ready.catch(() => undefined);
  await asked.promise;

  answer.resolve([]);
  // The answer has arrived, and the session has more to read from the database.
  await new Promise((resolve) => setImmediate(resolve));
  worker.ended();
  await connection.ended();

  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(subscriptions.open()).toBe(0);
});
