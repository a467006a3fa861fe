import type { AsyncLocalStorage } from "node:async_hooks";
import type { UnitOfWork } from "../../../app/ports/store.ts";
import { Refusal } from "../../../domain/refusal.ts";
import type { Writer } from "./connect.ts";
import type { Run } from "./queries.ts";
import { type Memories, recalling, settle, touching } from "./remember.ts";
import type { Db } from "./tables.ts";
import { createUnitOfWork } from "./unit-of-work.ts";

/** Whether code that runs now belongs to a transaction that has not ended. */
export type Scope = { open: boolean };

/**
 * Runs the work in one transaction. Calls that were begun and not awaited are waited for before
 * the end, or they would write after it, each on its own. A call that broke breaks the unit even
 * if its error was caught: it may have done half of its work, or have rolled everything back.
 */
export async function runUnit<T>(on: UnitBase, work: Work<T>): Promise<T> {
  const { writer, memories } = on;
  writer.begin();
  try {
    const result = await runWork(on, work);
    writer.commit();
    settle(memories, true);
    return result;
  } catch (error) {
    writer.rollback();
    settle(memories, false);
    throw error;
  }
}

export type UnitBase = {
  readonly writer: Writer;
  readonly scopes: AsyncLocalStorage<Scope>;
  readonly memories: Memories;
};

type Work<T> = (unit: UnitOfWork) => Promise<T>;

async function runWork<T>({ writer, scopes, memories }: UnitBase, work: Work<T>): Promise<T> {
  const scope: Scope = { open: true };
  const calls = createCalls(writer.db, scope);
  try {
    const unit = createUnitOfWork(calls.run);
    const result = await scopes.run(scope, () =>
      work({ ...unit, ...recalling(memories, unit, calls.admit), ...touching(memories, unit) }),
    );
    calls.check();
    return result;
  } finally {
    scope.open = false;
    await calls.settle();
  }
}

function createCalls(transaction: Db, scope: Scope) {
  const pending = new Set<Promise<unknown>>();
  const broken: unknown[] = [];

  const check = () => {
    if (broken.length > 0) throw broken[0];
    if (pending.size > 0) throw new Error(NOT_AWAITED);
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
  const admit = () => {
    if (!scope.open) throw new Error(ENDED);
    if (broken.length > 0) throw broken[0];
  };
  const run: Run = async (use) => {
    admit();
    const call = use(transaction);
    void follow(call);
    return call;
  };
  return { run, admit, check, settle: () => Promise.allSettled(pending) };
}

const ENDED = "This unit of work has ended; await every call before the end of the transaction.";
const NOT_AWAITED = "A call of the unit of work was not awaited; everything was rolled back.";
