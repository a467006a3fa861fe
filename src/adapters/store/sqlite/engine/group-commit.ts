import { setImmediate as nextTurn } from "node:timers/promises";
import { dropWritten, type RowCaches, settle } from "./cached-rows.ts";
import type { Writer } from "./connect.ts";
import type { GuardedFiles } from "./guarded-files.ts";

/** Units of work of a store, one at a time, and when what they did is safe. */
export type GroupCommit = {
  /** Resolves with the commit; until then nobody but the next units sees anything of it. */
  run<T>(unit: () => Promise<T>): Promise<T>;
  /** Resolves when all who are in what is committed have been told. */
  afterCommitted(): Promise<void>;
};

/**
 * Units that come in one round of the event loop share a transaction and its way to the disk, which
 * takes longer than all of them. A unit that fails is undone alone, and hears of it with the others:
 * the reason may be what one of them did. A commit that fails fails them all.
 */
export function createGroupCommit(
  writer: Writer,
  caches: RowCaches,
  files: GuardedFiles,
  onCommit: () => void = () => {},
): GroupCommit {
  const inTurn = createQueue();
  let open: Batch | undefined;
  /** Commits whose units are being told of them. */
  let telling = 0;

  function begin(): Batch {
    // Only where a rollback failed is there one open still.
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
      // The log may have been deleted meanwhile: then it is written into the database first.
      files.requireSaved();
    } catch (error) {
      return batch.fail(error);
    }
    batch.acknowledge();
    onCommit();
    telling += 1;
    // After the last of them.
    setImmediate(() => (telling -= 1));
  }

  function abandon(batch: Batch, error: unknown): void {
    open = undefined;
    settle(caches, false);
    batch.fail(error);
    try {
      writer.rollback();
    } catch {
      // The reason for it says more, and the next one to begin tries again.
    }
  }

  async function join<T>(unit: () => Promise<T>): Promise<Joined<T>> {
    const batch = (open ??= begin());
    try {
      if (!batch.isEmpty()) writer.nest();
      const result = await unit();
      if (!batch.isEmpty()) writer.merge();
      else setImmediate(() => void inTurn(async () => commit(batch)));
      return { outcome: () => result, committed: batch.add() };
    } catch (error) {
      const reason = undo(batch, error);
      // It may have seen what is not committed yet, and nobody is told of that before it is.
      const refuse = (): never => {
        throw reason;
      };
      return { outcome: refuse, committed: open === batch ? batch.add() : Promise.resolve() };
    }
  }

  /** Answers why it is undone. A full disk makes SQLite roll back everything by itself. */
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
      const { outcome, committed } = await inTurn(() => join(unit));
      await committed;
      return outcome();
    },
    async afterCommitted() {
      if (telling > 0) await nextTurn();
    },
  };
}

type Joined<T> = { readonly outcome: () => T; readonly committed: Promise<void> };
type Batch = ReturnType<typeof createBatch>;

/** Those whose work is over and who wait for the commit. */
function createBatch() {
  const members: PromiseWithResolvers<void>[] = [];
  return {
    isEmpty: () => members.length === 0,
    add(): Promise<void> {
      const member = Promise.withResolvers<void>();
      // It may fail before its unit has got as far as waiting for it.
      member.promise.catch(() => undefined);
      members.push(member);
      return member.promise;
    },
    /**
     * One after the other: what a unit's caller does once it is safe is done before the next hears
     * of it. Who was started by one is there when another stops it.
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

/** One after the other, in the order of the calls; a failure does not stop the next. */
function createQueue(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work);
    last = mine.catch(() => undefined);
    return mine;
  };
}
