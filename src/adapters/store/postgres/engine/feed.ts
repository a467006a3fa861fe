import type { ServerMessages } from "../../../../app/ports/server-messages.ts";
import type { Log } from "../../../../app/ports/world.ts";
import { isForAllServers } from "../../../../app/shared-events.ts";
import { runFresh } from "../../../../base/run-fresh.ts";
import type { AppEvent } from "../../../../contract/events/events.ts";
import type { AfterCommit, Publisher } from "../../sql/engine/publisher.ts";
import type { Db } from "../../sql/engine/tables.ts";
import type { Connect } from "./connect.ts";
import { createListener } from "./listener.ts";
import { currentCursor, type Cursor, pullEvents } from "./pull-events.ts";
import { createProgressOrder } from "./shared-events.ts";

/** Notifications can be lost with their connection. */
const POLL_MS = 1_000;
/** A commit whose answer was lost may still show up in the feed; a rolled back one never does. */
const FORGET_FAILED_MS = 60_000;

export type Feed = {
  /** Call before the commit: the feed may read the events before the commit is answered. */
  expect(after: AfterCommit): Expected;
  /** Passes an event that is not stored to other servers. */
  share(event: AppEvent): void;
  readonly messages: ServerMessages;
  close(): Promise<void>;
};

export type Expected = {
  /** Runs the callbacks, then publishes the events, in order with those of other servers. */
  committed(): Promise<void>;
  /** The transaction was rolled back, or its end is not known: then its events may still come. */
  failed(): void;
};

type Options = {
  readonly db: Db;
  readonly connect: Connect;
  readonly publisher: Publisher;
  readonly log: Log | undefined;
};

/** `isCommitted`: false if the commit was not answered; then its callbacks did not run. */
type Own = { readonly after: AfterCommit; readonly isCommitted: Promise<boolean> };

/**
 * Delivers every stored event once, also those of other servers. Events of our own transactions are
 * published when they are read, not from memory: they would arrive twice, or in another order than
 * on other servers.
 */
export async function openFeed({ db, connect, publisher, log }: Options): Promise<Feed> {
  let cursor: Cursor = await currentCursor(db);
  /** By the number of each event that was not read yet. */
  const own = new Map<number, Own>();
  const sharing = createSharing(publisher, (event) => listener.share(event));
  let isClosed = false;
  let hasFailed = false;

  async function publish(seq: number, event: AfterCommit["events"][number]): Promise<void> {
    const mine = own.get(seq);
    if (!mine) return sharing.publishOther(event);
    own.delete(seq);
    if (!(await mine.isCommitted)) return publisher.deliver([event], true);
    // The first event of a transaction publishes all of them, with those that are not stored.
    if (seq === numbersOf(mine.after)[0]) sharing.publishOwn(mine.after.events);
  }
  async function pull(): Promise<void> {
    if (isClosed) return;
    try {
      const pulled = await pullEvents(db, cursor);
      cursor = pulled.cursor;
      for (const { seq, event } of pulled.events) await publish(seq, { event, id: seq });
      hasFailed = false;
    } catch (error) {
      if (!hasFailed && !isClosed) {
        log?.warn("Live events could not be read; retrying.", { error: String(error) });
      }
      hasFailed = true;
    }
  }
  const wake = runFresh(pull);
  const listener = createListener({
    connect,
    log,
    wake: () => void wake(),
    onShared: (events) => sharing.receive(events),
  });
  const poll = setInterval(() => void wake(), POLL_MS);
  poll.unref();

  return {
    expect(after) {
      const commit = Promise.withResolvers<boolean>();
      const numbers = numbersOf(after);
      for (const seq of numbers) own.set(seq, { after, isCommitted: commit.promise });
      return {
        async committed() {
          const running = publisher.runCallbacks(after.callbacks);
          commit.resolve(true);
          if (numbers.length === 0) sharing.publishOwn(after.events);
          else {
            listener.notify();
            await wake();
          }
          await running;
        },
        failed() {
          commit.resolve(false);
          setTimeout(() => {
            for (const seq of numbers) own.delete(seq);
          }, FORGET_FAILED_MS).unref();
        },
      };
    },
    share: (event) => sharing.share(event),
    messages: listener.messages,
    async close() {
      isClosed = true;
      clearInterval(poll);
      await listener.close();
    },
  };
}

/** Passes events that are not stored to other servers and takes theirs. */
function createSharing(publisher: Publisher, send: (event: AppEvent) => void) {
  const order = createProgressOrder();
  function share(event: AppEvent): void {
    if (isForAllServers(event)) send(event);
  }
  return {
    share,
    publishOwn(events: AfterCommit["events"]): void {
      publisher.deliver(events, true);
      for (const { event, id } of events) {
        if (id === null) share(event);
      }
    },
    publishOther(stored: AfterCommit["events"][number]): void {
      order.note(stored.event);
      publisher.deliver([stored], false);
    },
    receive(events: readonly AppEvent[]): void {
      for (const shared of events) {
        const event = order.admit(shared);
        if (event) publisher.deliver([{ event, id: null }], false);
      }
    },
  };
}

function numbersOf({ events }: AfterCommit): readonly number[] {
  return events.flatMap(({ id }) => (id === null ? [] : [id]));
}
