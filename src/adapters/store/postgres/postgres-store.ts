import { sql } from "kysely";
import type pg from "pg";
import type { Store } from "../../../app/ports/store.ts";
import type { Log } from "../../../app/ports/world.ts";
import { openBoss } from "../../jobs/pg-boss/open-boss.ts";
import { createPgBossJobs, type PgBossJobs } from "../../jobs/pg-boss/pg-boss-jobs.ts";
import { createPublisher } from "../sql/engine/publisher.ts";
import { createQueries, type Run } from "../sql/engine/queries.ts";
import { createTransactions, type TransactionEngine } from "../sql/engine/transactions.ts";
import { commitWithRetry } from "./engine/commits.ts";
import { type Connect, createPool } from "./engine/connect.ts";
import { createDb } from "./engine/executor.ts";
import { type Expected, type Feed, openFeed } from "./engine/feed.ts";
import { lockingLists } from "./engine/locking-lists.ts";
import { auditLast, lockingReads, sharedLocks } from "./engine/locking-reads.ts";
import { settledEventSeq } from "./engine/settled-events.ts";
import { requireSchema } from "./migrate.ts";
import { noteRestore } from "./restores.ts";

const DEFAULT_CONNECTIONS = 10;
const DEFAULT_LEASE_MS = 10_000;

export type OpenPostgresStore = {
  readonly url: string;
  /** Shown in `pg_stat_activity`. */
  readonly name?: string;
  /** The most connections of the store, beside one for live events. */
  readonly connections?: number;
  /** A server that was not seen for this time is dead. */
  readonly leaseMs?: number | undefined;
  readonly log?: Log | undefined;
  /** Called after every commit of this process; it must not throw. */
  readonly onCommit?: (() => void) | undefined;
};

/** The schema must be that of this version (`migratePostgres`); it is not changed here. */
export async function openPostgresStore(options: OpenPostgresStore): Promise<Store> {
  const { url, name = "kuromajutsu", connections = DEFAULT_CONNECTIONS, log } = options;
  const connect: Connect = { url, name, log };
  const pool = createPool(connect, connections);
  try {
    const db = createDb(pool);
    await requireSchema(db);
    await noteRestore(db, connect, options.leaseMs ?? DEFAULT_LEASE_MS);
    const publisher = createPublisher(log);
    const boss = await openBoss(pool, log);
    const jobs = createPgBossJobs({ boss, pool, log });
    try {
      const feed = await openFeed({ db, connect, publisher, log });
      return createStore({ pool, feed, jobs, publisher, onCommit: options.onCommit });
    } catch (error) {
      await jobs.close();
      throw error;
    }
  } catch (error) {
    await pool.end();
    throw error;
  }
}

type Opened = {
  readonly pool: pg.Pool;
  readonly feed: Feed;
  readonly jobs: PgBossJobs;
  readonly publisher: ReturnType<typeof createPublisher>;
  readonly onCommit: (() => void) | undefined;
};

function createStore({ pool, feed, jobs, publisher, onCommit }: Opened): Store {
  const db = createDb(pool);
  const transactions = createTransactions(createEngine(pool, feed, jobs));
  const calls = new Set<Promise<unknown>>();
  let closed = false;

  const guarded = async <T>(work: () => Promise<T>): Promise<T> => {
    if (transactions.isInside()) throw new Error(NESTED);
    if (closed) throw new Error("The store is closed.");
    const call = work();
    calls.add(call);
    try {
      return await call;
    } finally {
      calls.delete(call);
    }
  };
  const read: Run = (work) => guarded(() => work(db));

  return {
    ...createQueries(read),
    transaction: (work) =>
      guarded(async () => {
        const { result } = await transactions.run(work);
        onCommit?.();
        return result;
      }),
    checkWritable: () =>
      guarded(() =>
        commitWithRetry(pool, (unit) => sql`select pg_current_xact_id()`.execute(unit)),
      ).then(() => undefined),
    settledEventSeq: () => guarded(() => settledEventSeq(db)),
    subscribe: (listener) => publisher.subscribe(listener),
    share: (event) => feed.share(event),
    serverMessages: feed.messages,
    connections: () => ({
      max: pool.options.max,
      open: pool.totalCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
    jobs,
    // Every transaction publishes before it resolves.
    afterCommitted: async () => undefined,
    async close() {
      if (transactions.isInside()) throw new Error(NESTED);
      if (closed) return;
      closed = true;
      await Promise.allSettled(calls);
      await feed.close();
      await jobs.close();
      await pool.end();
    },
  };
}

function createEngine(pool: pg.Pool, feed: Feed, jobs: PgBossJobs): TransactionEngine {
  return {
    async within(body) {
      let expected: Expected | undefined;
      try {
        const committed = await commitWithRetry(pool, async (db) => {
          expected?.failed();
          const done = await body(db);
          expected = feed.expect(done.after);
          return done;
        });
        await expected?.committed();
        return committed;
      } catch (error) {
        expected?.failed();
        throw error;
      }
    },
    writeAfter: (db, after) => jobs.store(db, after),
    decorate: (unit, scope) => ({
      ...lockingReads(unit, scope),
      ...lockingLists(unit, scope),
      ...auditLast(scope),
      ...sharedLocks(scope),
      retryDeadJobs: (id) => scope().run((db) => jobs.retryDead(db, id)),
    }),
  };
}

const NESTED =
  "The store was used inside its own transaction, which would wait for itself; use the unit.";
