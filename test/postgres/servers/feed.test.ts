import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { expect, onTestFinished, test } from "vitest";
import { migratePostgres } from "../../../src/adapters/store/postgres/migrate.ts";
import { openPostgresStore } from "../../../src/adapters/store/postgres/postgres-store.ts";
import type { Store } from "../../../src/app/ports/store.ts";
import type { EventOf } from "../../../src/contract/events/events.ts";
import { aMigratedUrl } from "../../kit/postgres/daemon-place.ts";
import { aDatabase, aPostgres } from "../../kit/postgres/database.ts";
import { aConnection } from "../../kit/postgres/servers.ts";
import { HAS_ALL_ROUNDS, rounds } from "../../kit/rounds.ts";

/** Six writers commit more than 100,000 events in all rounds. */
const TRANSACTIONS = rounds({ all: 10_000, few: 100 });
const ALL_ROUNDS_MS = 900_000;
const WRITERS = 6;

async function aStoreOn(url: string): Promise<Store> {
  const store = await openPostgresStore({ url });
  onTestFinished(() => store.close());
  return store;
}

/** An event whose numbers say which transaction wrote it, and as the how manieth. */
function numbered(
  writer: number,
  transaction: number,
  part: number,
): EventOf<"gateway:tool_accepted"> {
  return {
    type: "gateway:tool_accepted",
    groupId: null,
    agentId: null,
    data: { server: `${writer}.${transaction}.${part}`, tool: "t", hash: "h", by: "me" },
    at: 1,
  };
}

test(
  "every server gets each event of six writers once, those of a transaction together and in order",
  { timeout: ALL_ROUNDS_MS },
  async () => {
    const url = await aMigratedUrl();
    const stores = await Promise.all(Array.from({ length: WRITERS }, () => aStoreOn(url)));
    const seen = stores.map((store) => {
      const names: string[] = [];
      store.subscribe((event) => {
        if (event.type === "gateway:tool_accepted") names.push(event.data.server);
      });
      return names;
    });
    const written: string[] = [];

    async function write(store: Store, writer: number): Promise<void> {
      for (let transaction = 0; transaction < TRANSACTIONS; transaction++) {
        const parts = 1 + (transaction % 3);
        const isRolledBack = transaction % 7 === 0;
        const names: string[] = [];
        await store
          .transaction(async (unit) => {
            for (let part = 0; part < parts; part++) {
              const event = numbered(writer, transaction, part);
              await unit.emit(event);
              names.push(`${writer}.${transaction}.${part}`);
              if (transaction % 5 === 0) await new Promise((resolve) => setTimeout(resolve, part));
            }
            if (isRolledBack) throw new Error("rolled back");
          })
          .catch(() => undefined);
        if (!isRolledBack) written.push(...names);
      }
    }
    await Promise.all(stores.map(write));
    await expect.poll(() => seen.every(({ length }) => length >= written.length)).toBe(true);

    for (const names of seen) {
      expect(names.length).toBe(written.length);
      expect(new Set(names).size).toBe(written.length);
      // The parts of a transaction come in their order, also if other events come between them.
      const last = new Map<string, number>();
      for (const name of names) {
        const [writer = "", transaction = "", part = ""] = name.split(".");
        const key = `${writer}.${transaction}`;
        expect(Number(part)).toBe((last.get(key) ?? -1) + 1);
        last.set(key, Number(part));
      }
    }
    // A writer waits for each commit, so its transactions arrive everywhere in their order.
    for (const names of seen) {
      for (let writer = 0; writer < WRITERS; writer++) {
        const own = names.flatMap((name) => {
          const [by, transaction] = name.split(".");
          return Number(by) === writer ? [Number(transaction)] : [];
        });
        expect(own).toEqual(own.toSorted((a, b) => a - b));
      }
    }
  },
);

test("a transaction that stays open in another database does not delay events", async () => {
  const [url, other] = [await aMigratedUrl(), await aDatabase()];
  const [writer, reader] = [await aStoreOn(url), await aStoreOn(url)];
  const blocking = await aConnection(other);
  await blocking.query("create table held (id int)");
  await blocking.query("begin");
  await blocking.query("insert into held values (1)");
  const delays: number[] = [];
  let sentAt = 0;
  reader.subscribe(() => delays.push(performance.now() - sentAt));

  for (let round = 0; round < 50; round++) {
    sentAt = performance.now();
    await writer.transaction(async (unit) => unit.emit(numbered(0, round, 0)));
    await expect.poll(() => delays.length, { interval: 1 }).toBe(round + 1);
  }
  await blocking.query("rollback");

  expect(delays.toSorted((a, b) => a - b)[45]).toBeLessThan(200);
});

test("a store that missed every notification gets the events within the poll", async () => {
  const url = await aMigratedUrl();
  const reader = await aStoreOn(url);
  const names: string[] = [];
  reader.subscribe((event) => {
    if (event.type === "gateway:tool_accepted") names.push(event.data.server);
  });
  const client = await aConnection(url);
  // An event without a notification, as after a crash between commit and NOTIFY.
  await client.query(
    `insert into events (type, at, data)
      values ('gateway:tool_accepted', 1, '{"server":"quiet","tool":"t","hash":"h","by":"me"}')`,
  );

  await expect.poll(() => names, { timeout: 5_000 }).toEqual(["quiet"]);
});

test("the settled number of events waits for a transaction that took a lower number", async () => {
  const url = await aMigratedUrl();
  const [slow, fast] = [await aStoreOn(url), await aStoreOn(url)];
  const taken = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const open = slow.transaction(async (unit) => {
    await unit.emit(numbered(0, 0, 0));
    taken.resolve();
    await end.promise;
  });
  await taken.promise;
  await fast.transaction((unit) => unit.emit(numbered(1, 0, 0)));

  let settled: number | undefined;
  const waiting = fast.settledEventSeq().then((seq) => (settled = seq));
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(settled).toBeUndefined();
  end.resolve();
  await open;

  const all = await fast.listEvents(0, 10);
  expect(all.map(({ seq }) => seq)).toEqual([(await waiting) - 1, settled]);
});

const EVENT = "insert into events (type, data, at, xid) values ('config:updated', '{}', 0";

/** The numbers of the events that a store delivers. */
async function deliveredFrom(url: string): Promise<readonly (number | null)[]> {
  const numbers: (number | null)[] = [];
  (await aStoreOn(url)).subscribe((_, id) => numbers.push(id));
  return numbers;
}

test("an event whose transaction has the id of an earlier one is delivered, once", async () => {
  const url = await aMigratedUrl();
  const writer = await aConnection(url);
  await writer.query(`${EVENT}, pg_current_xact_id())`);
  const delivered = await deliveredFrom(url);

  await writer.query(`${EVENT}, '3'::xid8)`);
  await expect.poll(() => delivered).toEqual([2]);
  await writer.query(`${EVENT}, pg_current_xact_id())`);
  await expect.poll(() => delivered).toEqual([2, 3]);
});

test.runIf(HAS_ALL_ROUNDS)(
  "after a crash of PostgreSQL, which gives ids of transactions again, every event is delivered once",
  async () => {
    const postgres = await aPostgres();
    await migratePostgres(postgres.url);
    const delivered = await deliveredFrom(postgres.url);
    /** A crash ends the connection. */
    const connected = async () => {
      const client = new Client({ connectionString: postgres.url });
      client.on("error", () => {});
      await client.connect();
      return client;
    };
    const ids: string[] = [];
    for (let crash = 1; crash <= 5; crash++) {
      const notifier = await connected();
      await notifier.query("set synchronous_commit = off");
      await notifier.query("begin");
      const { rows: begun } = await notifier.query("select pg_current_xact_id()::text as id");
      await notifier.query("notify kuromajutsu_events");
      await notifier.query("commit");
      // The store has seen the transaction, and PostgreSQL has not written it yet.
      await sleep(30);
      await postgres.kill9();
      await postgres.start();
      const writer = await connected();
      const { rows: written } = await writer.query(
        `${EVENT}, pg_current_xact_id()) returning xid::text as id`,
      );
      await writer.end();
      ids.push(...[...begun, ...written].map(({ id }) => String(id)));
      await expect.poll(() => delivered.length).toBe(crash);
    }

    await sleep(1_500);
    expect(delivered).toHaveLength(5);
    expect(new Set(delivered).size).toBe(5);
    // Otherwise this test has not seen what it is about.
    expect(new Set(ids).size).toBeLessThan(ids.length);
  },
);
