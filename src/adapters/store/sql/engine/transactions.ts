import { AsyncLocalStorage } from "node:async_hooks";
import type { UnitOfWork } from "../../../../app/ports/store.ts";
import { Refusal } from "../../../../domain/refusal.ts";
import { appendEvent } from "./events.ts";
import type { AfterCommit } from "./publisher.ts";
import type { Run } from "./queries.ts";
import type { Db } from "./tables.ts";
import { createUnitOfWork, type RowsOfUnit } from "./unit-of-work.ts";

/** The result of a committed transaction, and what must run after the commit. */
export type Committed<T> = { readonly result: T; readonly after: AfterCommit };

export type Transactions = {
  /** Whether the calling code runs inside a transaction that has not ended. */
  isInside(): boolean;
  run<T>(work: (unit: UnitOfWork) => Promise<T>): Promise<Committed<T>>;
};

/** The part of a transaction that differs between databases. */
export type TransactionEngine = {
  /** Commits what `body` wrote. It may run `body` again after a rollback. */
  within<T>(body: (db: Db) => Promise<Committed<T>>): Promise<Committed<T>>;
  /** Writes what follows from the events of the unit, before the commit. */
  writeAfter?(db: Db, after: AfterCommit): Promise<void>;
  /** Replaces reads and writes of the unit. */
  decorate(unit: RowsOfUnit, scope: () => Scope): Partial<RowsOfUnit>;
};

/**
 * Waits for calls that were not awaited before it ends: they would otherwise write outside the
 * transaction. A failed call fails the transaction even if its error was caught, because it may
 * have done half of its work or have rolled everything back.
 */
export function createTransactions(engine: TransactionEngine): Transactions {
  const scopes = new AsyncLocalStorage<Scope>();
  // One unit for all transactions: the async context of a call says which one it belongs to.
  const unit = createUnit(engine, () => {
    const scope = scopes.getStore();
    if (!scope?.open) throw new Error(ENDED);
    return scope;
  });

  async function runInScope<T>(
    db: Db,
    work: (unit: UnitOfWork) => Promise<T>,
  ): Promise<Committed<T>> {
    const scope = createScope(db);
    try {
      const result = await scopes.run(scope, () => work(unit));
      scope.check();
      await engine.writeAfter?.(db, scope.after);
      for (const act of scope.last) await act(db);
      return { result, after: scope.after };
    } catch (error) {
      // The database's own error explains more than an error that was derived from it.
      scope.open = false;
      await scope.settled();
      scope.admit();
      throw error;
    } finally {
      scope.open = false;
      await scope.settled();
    }
  }
  return {
    isInside: () => scopes.getStore()?.open ?? false,
    run: (work) => engine.within((db) => runInScope(db, work)),
  };
}

function createUnit(engine: TransactionEngine, scope: () => Scope): UnitOfWork {
  const unit = createUnitOfWork(async (use) => scope().run(use));
  return {
    ...unit,
    ...engine.decorate(unit, scope),
    async emit(event) {
      const { run, after } = scope();
      // Reserve the place before the insertion, so that concurrent calls keep their order.
      const emitted: AfterCommit["events"][number] = { event, id: null };
      after.events.push(emitted);
      emitted.id = await run((db) => appendEvent(db, event));
    },
    emitTransient(event) {
      scope().after.events.push({ event, id: null });
    },
    afterCommit(act) {
      scope().after.callbacks.push(act);
    },
  };
}

/** One attempt of a transaction. */
export type Scope = ReturnType<typeof createScope>;

function createScope(transaction: Db) {
  const pending = new Set<Promise<unknown>>();
  const broken: unknown[] = [];
  const after: AfterCommit = { events: [], callbacks: [] };
  /** Writes that run after the work and before the commit. */
  const last: ((db: Db) => Promise<void>)[] = [];

  const admit = () => {
    if (broken.length > 0) throw broken[0];
  };
  const follow = async (call: Promise<unknown>) => {
    pending.add(call);
    try {
      await call;
    } catch (error) {
      if (!(error instanceof Refusal)) broken.push(error);
    } finally {
      pending.delete(call);
    }
  };
  const run: Run = async (use) => {
    admit();
    const call = use(transaction);
    void follow(call);
    return call;
  };
  return {
    open: true,
    after,
    last,
    admit,
    run,
    check() {
      admit();
      if (pending.size > 0) throw new Error(NOT_AWAITED);
    },
    settled: () => Promise.allSettled(pending),
  };
}

const ENDED = "This unit of work has ended; await every call before the end of the transaction.";
const NOT_AWAITED = "A call of the unit of work was not awaited; everything was rolled back.";
