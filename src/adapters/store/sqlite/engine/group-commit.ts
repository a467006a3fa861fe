import { setImmediate as nextTurn } from "node:timers/promises";
import { dropWritten, type RowCaches, settle } from "./cached-rows.ts";
import type { Writer } from "./connect.ts";
import type { GuardedFiles } from "./guarded-files.ts";

export type GroupCommit = {
  /** Resolves after the commit. Until then only later transactions see the changes. */
  run<T>(unit: () => Promise<T>): Promise<T>;
  /** Resolves once the continuations of all committed transactions have run. */
  afterCommitted(): Promise<void>;
};

/**
 * Transactions of one turn of the event loop share a commit, because the sync to the disk takes
 * longer than all of them. They run one at a time, each in a savepoint. A failed one is rolled back
 * alone and rejected after the commit, because another one of the group may be the reason. A commit
 * that fails fails them all.
 */
export function createGroupCommit(
  writer: Writer,
  caches: RowCaches,
  files: GuardedFiles,
  onCommit: () => void = () => {},
): GroupCommit {
  const inTurn = createQueue();
  let open: Batch | undefined;
  /** Commits whose continuations are still running. */
  let continuing = 0;

  function begin(): Batch {
    // Rolls back what an earlier, failed rollback left open.
    writer.rollback();
    files.require();
    writer.begin();
    return createBatch();
  }

  function commit(batch: Batch): void {
    if (open !== batch) return;
    try {
      writer.commit();
    } catch (error) {
      return abandon(batch, error);
    }
    open = undefined;
    settle(caches, true);
    try {
      // The write-ahead log may have been deleted: then it is written into the database first.
      files.requireSaved();
    } catch (error) {
      return batch.fail(error);
    }
    batch.acknowledge();
    onCommit();
    continuing += 1;
    // Runs after the continuation of the last member.
    setImmediate(() => (continuing -= 1));
  }

  function abandon(batch: Batch, error: unknown): void {
    open = undefined;
    settle(caches, false);
    batch.fail(error);
    tryRollback(writer);
  }

  async function join<T>(unit: () => Promise<T>): Promise<Joined<T>> {
    const batch = (open ??= begin());
    try {
      if (!batch.isEmpty()) writer.nest();
      const result = await unit();
      if (!batch.isEmpty()) writer.merge();
      else setImmediate(() => void inTurn(async () => commit(batch)));
      return { returnOrThrow: () => result, committed: batch.add() };
    } catch (error) {
      const reason = undo(batch, error);
      // It may have read uncommitted changes, so it is rejected after their commit.
      const committed = open === batch ? batch.add() : Promise.resolve();
      return { returnOrThrow: () => raise(reason), committed };
    }
  }

  /** Answers the reason. On a full disk SQLite rolls back the whole group by itself. */
  function undo(batch: Batch, error: unknown): unknown {
    let reason = error;
    try {
      if (!batch.isEmpty() && writer.database.isTransaction) {
        writer.undo();
        dropWritten(caches);
        return reason;
      }
    } catch (fault) {
      reason = fault;
    }
    abandon(batch, reason);
    return reason;
  }

  return {
    async run(unit) {
      const { returnOrThrow, committed } = await inTurn(() => join(unit));
      await committed;
      return returnOrThrow();
    },
    async afterCommitted() {
      if (continuing > 0) await nextTurn();
    },
  };
}

function raise(reason: unknown): never {
  throw reason;
}

function tryRollback(writer: Writer): void {
  try {
    writer.rollback();
  } catch {
    // The first error explains more, and the next `begin` rolls back again.
  }
}

type Joined<T> = { readonly returnOrThrow: () => T; readonly committed: Promise<void> };
type Batch = ReturnType<typeof createBatch>;

/** The transactions that wait for the commit. */
function createBatch() {
  const members: PromiseWithResolvers<void>[] = [];
  return {
    isEmpty: () => members.length === 0,
    add(): Promise<void> {
      const member = Promise.withResolvers<void>();
      // It may reject before its transaction awaits it.
      member.promise.catch(() => undefined);
      members.push(member);
      return member.promise;
    },
    /**
     * One per turn of the event loop: the continuation of one has run before the next one starts,
     * so that a stop finds the process that the transaction before it has launched.
     */
    acknowledge(): void {
      const [first, ...others] = members;
      first?.resolve();
      for (const { resolve } of others) setImmediate(resolve);
    },
    fail(error: unknown): void {
      for (const { reject } of members) reject(error);
    },
  };
}

/** Runs work in the order of the calls; a failure does not stop the next. */
function createQueue(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work);
    last = mine.catch(() => undefined);
    return mine;
  };
}
