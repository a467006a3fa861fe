import { AsyncLocalStorage } from "node:async_hooks";
import type { UnitOfWork } from "../../../../app/ports/store.ts";
import { Refusal } from "../../../../domain/refusal.ts";
import { type RowCaches, cachedQueries, invalidatingChanges } from "./cached-rows.ts";
import type { GroupCommit } from "./group-commit.ts";
import type { Run } from "./queries.ts";
import type { Db } from "./tables.ts";
import { createUnitOfWork } from "./unit-of-work.ts";

/** The transactions of a store. */
export type Transactions = {
  /** Whether code that runs now belongs to a transaction that has not ended. */
  isInside(): boolean;
  run<T>(work: (unit: UnitOfWork) => Promise<T>): Promise<T>;
};

/**
 * Work runs in one transaction. Calls that were begun and not awaited are waited for before the
 * end, or they would write after it, each on its own. A call that broke breaks the unit even if its
 * error was caught: it may have done half of its work, or have rolled everything back.
 */
export function createTransactions(
  db: Db,
  groupCommit: GroupCommit,
  caches: RowCaches,
): Transactions {
  const scopes = new AsyncLocalStorage<Scope>();
  // One for all: whose transaction a call belongs to is told by where it comes from.
  const unit = createUnit(caches, () => {
    const scope = scopes.getStore();
    if (!scope?.open) throw new Error(ENDED);
    return scope;
  });

  async function runInScope<T>(work: (unit: UnitOfWork) => Promise<T>): Promise<T> {
    const scope = createScope(db);
    try {
      const result = await scopes.run(scope, () => work(unit));
      scope.check();
      return result;
    } catch (error) {
      // Why the database refused says more than what was made of it, also to others.
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
    run: (work) => groupCommit.run(() => runInScope(work)),
  };
}

function createUnit(caches: RowCaches, scope: () => Scope): UnitOfWork {
  const unit = createUnitOfWork(async (use) => scope().run(use));
  const admit = () => scope().admit();
  return { ...unit, ...cachedQueries(caches, unit, admit), ...invalidatingChanges(caches, unit) };
}

type Scope = ReturnType<typeof createScope>;

function createScope(transaction: Db) {
  const pending = new Set<Promise<unknown>>();
  const broken: unknown[] = [];

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
