import type { Writer } from "./connect.ts";
import { forgetWritten, type Memories, settle } from "./remember.ts";

/** Units of work of a store, one at a time, and when what they did is safe. */
export type Batches = {
  /** Resolves with the commit; until then nobody but the next units sees anything of it. */
  run<T>(unit: () => Promise<T>): Promise<T>;
  /** In turn with the units, with nothing uncommitted before it. */
  between<T>(work: () => Promise<T>): Promise<T>;
};

/**
 * Units that come in one round of the event loop share a transaction and its way to the disk, which
 * takes longer than all of them. A unit that fails is undone alone; a commit that fails fails them
 * all, and none of them was acknowledged.
 */
export function createBatches(writer: Writer, memories: Memories): Batches {
  const inTurn = createQueue();
  let open: Batch | undefined;

  function begin(): Batch {
    // Only where a rollback failed is there one open still.
    writer.rollback();
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
    settle(memories, true);
    batch.resolve();
  }

  function abandon(batch: Batch, error: unknown): void {
    open = undefined;
    settle(memories, false);
    batch.reject(error);
    try {
      writer.rollback();
    } catch {
      // The reason for it says more, and the next one to begin tries again.
    }
  }

  async function join<T>(unit: () => Promise<T>): Promise<{ result: T; batch: Batch }> {
    const batch = (open ??= begin());
    if (batch.isShared) writer.nest();
    try {
      const result = await unit();
      if (batch.isShared) writer.merge();
      else setImmediate(() => void inTurn(async () => commit(batch)));
      batch.isShared = true;
      return { result, batch };
    } catch (error) {
      undo(batch, error);
      throw error;
    }
  }

  /** A full disk makes SQLite roll back everything by itself. */
  function undo(batch: Batch, error: unknown): void {
    if (!batch.isShared || !writer.database.isTransaction) return abandon(batch, error);
    try {
      writer.undo();
      forgetWritten(memories);
    } catch (fault) {
      abandon(batch, fault);
    }
  }

  return {
    async run(unit) {
      const { result, batch } = await inTurn(() => join(unit));
      await batch.committed;
      return result;
    },
    between: (work) =>
      inTurn(() => {
        if (open) commit(open);
        return work();
      }),
  };
}

type Batch = ReturnType<typeof createBatch>;

function createBatch() {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  // Whoever is in it hears of it; with nobody in it there is nobody to tell.
  promise.catch(() => undefined);
  return { committed: promise, resolve, reject, isShared: false };
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
