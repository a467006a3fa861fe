import { expect, onTestFinished, test } from "vitest";
import { until } from "../../../../test/kit/daemon.ts";
import { aDatabaseLike } from "../../../../test/kit/postgres/database.ts";
import { HAS_ALL_ROUNDS, rounds } from "../../../../test/kit/rounds.ts";
import type { Store } from "../../../app/ports/store.ts";
import type { AppEvent } from "../../../contract/events/events.ts";
import { toPayloads } from "./engine/notify-outbox.ts";
import { createProgressOrder } from "./engine/shared-events.ts";
import { migratePostgres } from "./migrate.ts";
import { openPostgresStore } from "./postgres-store.ts";

type Heard = { readonly event: AppEvent; readonly id: number | null; readonly isOwn: boolean };

async function twoStores(): Promise<readonly [Store, Store]> {
  const url = await aDatabaseLike("store", async (empty) => {
    await migratePostgres(empty);
  });
  const stores = [await openPostgresStore({ url }), await openPostgresStore({ url })] as const;
  onTestFinished(async () => {
    for (const store of stores) await store.close();
  });
  return stores;
}

function heardBy(store: Store): readonly Heard[] {
  const heard: Heard[] = [];
  store.subscribe((event, id, isOwn) => void heard.push({ event, id, isOwn }));
  return heard;
}

function progress(n: number, lastMessage = "", at = n) {
  const agentId = `impl-code-${n}-a` as const;
  const data = { status: "running", toolCallCount: n, lastMessage } as const;
  const groupId = "grp-1-a";
  return { type: "agent:status_update", groupId, agentId, data, at } as const;
}

test("PostgreSQL store: other servers get progress within 200 ms, and its own server gets it once", async () => {
  const [a, b] = await twoStores();
  const [heardA, heardB] = [heardBy(a), heardBy(b)];
  // Warms the connection for live events up.
  await b.transaction(async (unit) => unit.emitTransient(progress(0)));
  await until(() => heardA.length === 1);

  const times: number[] = [];
  const count = rounds({ all: 300, few: 10 });
  for (let n = 1; n <= count; n++) {
    const since = performance.now();
    await b.transaction(async (unit) => unit.emitTransient(progress(n)));
    await until(() => heardA.length === n + 1, undefined, 5_000, 1);
    times.push(performance.now() - since);
  }

  const share = HAS_ALL_ROUNDS ? 0.99 : 0.5;
  expect(times.toSorted((x, y) => x - y)[Math.floor(count * share)]).toBeLessThan(200);
  expect(heardA.at(-1)).toEqual({ event: progress(count), id: null, isOwn: false });
  expect(heardB.map(({ isOwn }) => isOwn)).toEqual(Array.from({ length: count + 1 }, () => true));
});

test("PostgreSQL store: only the newest progress of an agent is passed on, however often it changes", async () => {
  const [a, b] = await twoStores();
  const heard = heardBy(a);

  await until(async () => {
    b.share(progress(0));
    return heard.length > 0;
  });
  const before = heard.length;
  for (let at = 1; at <= 200; at++) b.share(progress(1, `${at}`, at));

  await until(() => heard.some(({ event }) => event.at === 200));
  expect(heard.length - before).toBeLessThan(5);
});

test("PostgreSQL store: what is true of one server only is not passed on", async () => {
  const [a, b] = await twoStores();
  const heard = heardBy(a);
  const data = { server: "crm", status: "ready", error: null, restarts: 0 } as const;
  const facts = { groupId: null, agentId: null, at: 1 };

  b.share({ type: "gateway:server_changed", ...facts, data });
  await until(async () => {
    b.share(progress(1));
    return heard.length > 0;
  });

  expect(heard.map(({ event }) => event.type)).not.toContain("gateway:server_changed");
});

test("payloads of notifications stay below the limit of PostgreSQL, and nothing that fits is left out", () => {
  const events = Array.from({ length: 100 }, (_, n) => progress(n, "長い話。".repeat(60)));

  const payloads = toPayloads([...events, progress(100, "x".repeat(9_000))]);

  expect(Math.max(...payloads.map((payload) => Buffer.byteLength(payload)))).toBeLessThan(8_000);
  expect(payloads.flatMap((payload) => JSON.parse(payload))).toEqual(events);
});

test("progress that arrives after the end of its agent does not make it run again", () => {
  const order = createProgressOrder();
  const { agentId, groupId } = progress(1);
  const data = { status: "resultReported", result: "success", duration_ms: 1 } as const;

  expect(order.admit(progress(1, "", 5))).toEqual(progress(1, "", 5));
  order.note({ type: "agent:completed", groupId, agentId, data, at: 10 });

  const late = order.admit(progress(1, "last", 9));
  expect(late?.data).toEqual({ status: "resultReported", toolCallCount: 1, lastMessage: "last" });
});

test("progress that is older than a stored status of its agent is dropped", () => {
  const order = createProgressOrder();
  const { agentId, groupId } = progress(1);
  const queued = { type: "agent:status_update", groupId, agentId, at: 10 } as const;

  order.note({ ...queued, data: { status: "queued" } });

  expect(order.admit(progress(1, "", 9))).toBeUndefined();
  expect(order.admit(progress(1, "", 11))).toEqual(progress(1, "", 11));
});
