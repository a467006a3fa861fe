import type { Migration } from "kysely/migration";
import type { Store } from "../../../app/ports/store.ts";
import type { Log } from "../../../app/ports/world.ts";
import { createPublisher } from "../sql/engine/publisher.ts";
import { createQueries, type Run } from "../sql/engine/queries.ts";
import { createTransactions } from "../sql/engine/transactions.ts";
import { toStoreFault } from "../store-fault.ts";
import { cachedQueries, createRowCaches, invalidatingChanges } from "./engine/cached-rows.ts";
import { type Connection, connectReader, connectWriter, type Writer } from "./engine/connect.ts";
import { createGroupCommit } from "./engine/group-commit.ts";
import { guardFiles, type GuardedFiles } from "./engine/guarded-files.ts";
import { migrate } from "./engine/migrate.ts";
import { MIGRATIONS } from "./migrations/migrations.ts";

export type OpenSqliteStore = {
  /** A file in a directory that exists. */
  readonly path: string;
  readonly log?: Log;
  readonly migrations?: Readonly<Record<string, Migration>>;
  /** Called after every commit; it must not throw. */
  readonly onCommit?: () => void;
  /** The database is full beyond this number of pages. */
  readonly maxPages?: number;
  /**
   * Called once if another program has deleted, replaced or truncated the files, after the rescue;
   * from then on every transaction is refused.
   */
  readonly onLost?: (message: string) => void;
};

export async function openSqliteStore(options: OpenSqliteStore): Promise<Store> {
  const { path, log, migrations = MIGRATIONS, maxPages, onCommit, onLost } = options;
  try {
    const writer = await connectWriter(path, maxPages);
    try {
      const done = await migrate(writer.forMigrations, migrations, path);
      if (done.length > 0) {
        log?.info("The database was migrated.", { path, migrations: done.length });
        log?.debug("These migrations ran.", { migrations: done });
      }
      const reader = await connectReader(path);
      const files = guardFiles({ database: writer.database, path, onLost });
      return createStore({ path, writer, reader, files, onCommit, log });
    } catch (error) {
      writer.database.close();
      throw error;
    }
  } catch (error) {
    throw toStoreFault(error, path);
  }
}

type Opened = {
  readonly path: string;
  readonly writer: Writer;
  readonly reader: Connection;
  readonly files: GuardedFiles;
  readonly onCommit: (() => void) | undefined;
  readonly log: Log | undefined;
};

function createStore({ path, writer, reader, files, onCommit, log }: Opened): Store {
  const publisher = createPublisher(log);
  const caches = createRowCaches();
  const groupCommit = createGroupCommit(writer, caches, files, onCommit);
  const transactions = createTransactions({
    within: (body) => groupCommit.run(() => body(writer.db)),
    decorate: (unit, scope) => ({
      ...cachedQueries(caches, unit, () => scope().admit()),
      ...invalidatingChanges(caches, unit),
    }),
  });
  const calls = new Set<Promise<unknown>>();
  let closed = false;

  const admit = (): void => {
    if (transactions.isInside()) throw new Error(NESTED);
    if (closed) throw new Error("The store is closed.");
  };
  const guarded = async <T>(work: () => Promise<T>): Promise<T> => {
    admit();
    const call = work();
    calls.add(call);
    try {
      return await call;
    } catch (error) {
      throw toStoreFault(error, path);
    } finally {
      calls.delete(call);
    }
  };
  const read: Run = (work) => guarded(() => work(reader.db));

  const queries = createQueries(read);

  return {
    ...queries,
    ...cachedQueries(caches, queries, admit),
    async transaction(work) {
      const { result, after } = await guarded(() => transactions.run(work));
      await publisher.publish(after);
      return result;
    },
    // Nothing reads the user version, and setting it writes a page like any other change.
    checkWritable: () =>
      guarded(() => groupCommit.run(async () => writer.database.exec("pragma user_version = 0"))),
    // There is one writer.
    settledEventSeq: () => queries.lastEventSeq(),
    subscribe: (listener) => publisher.subscribe(listener),
    // No other process uses this database.
    share() {},
    afterCommitted: () => groupCommit.afterCommitted(),
    async close() {
      if (transactions.isInside()) throw new Error(NESTED);
      closed = true;
      await Promise.allSettled(calls);
      files.stop();
      // Closing deletes the write-ahead log by its path, which must still be ours; else leave it open.
      if (!files.mayClose()) return;
      // The writer last: it checkpoints the write-ahead log.
      for (const { database } of [reader, writer]) {
        if (database.isOpen) database.close();
      }
    },
  };
}

const NESTED =
  "The store was used inside its own transaction, which would wait for itself; use the unit.";
