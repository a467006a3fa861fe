import type pg from "pg";
import type { Log } from "../../../../app/ports/world.ts";
import type { AppEvent } from "../../../../contract/events/events.ts";
import { createClient, type Connect } from "./connect.ts";
import { createGatherer, readPayload } from "./shared-events.ts";

const CHANNEL = "kuromajutsu_events";
/** Its payloads are events that are not stored. */
const SHARED_CHANNEL = "kuromajutsu_shared";
const RECONNECT_MS = 500;
/** Commits of this time share one notification: each one costs PostgreSQL a global lock. */
const GATHER_MS = 10;

export type Listener = {
  /** Tells other servers that events were committed. */
  notify(): void;
  /** Passes an event that is not stored to other servers. It may get lost. */
  share(event: AppEvent): void;
  close(): Promise<void>;
};

type Options = {
  readonly connect: Connect;
  readonly log: Log | undefined;
  readonly wake: () => void;
  /** Called with events that another server has shared. */
  readonly onShared: (events: readonly AppEvent[]) => void;
};

/** Wakes the feed when another server has committed. Reconnects by itself. */
export function createListener({ connect, log, wake, onShared }: Options): Listener {
  let client: pg.Client | undefined;
  let isClosed = false;
  let gathering: NodeJS.Timeout | undefined;
  let connecting = start();
  const gatherer = createGatherer((payloads) => {
    const statement = `select pg_notify('${SHARED_CHANNEL}', payload) from unnest($1::text[]) as payload`;
    inTurn(statement, [payloads]);
  });
  let last: Promise<unknown> = Promise.resolve();

  /** One at a time: a client runs no two queries at once. */
  function inTurn(statement: string, values: unknown[] = []): void {
    last = last.then(() => client?.query(statement, values)).catch(() => undefined);
  }

  function receive(payload: string): void {
    try {
      onShared(readPayload(payload));
    } catch (error) {
      // A server of another version may send what this one does not know.
      log?.debug("Events of another server could not be read.", { error: String(error) });
    }
  }
  async function start(): Promise<void> {
    if (isClosed) return;
    const next = createClient(connect);
    const restart = restartOnce(next);
    next.on("error", restart);
    next.on("end", restart);
    let ownPid: unknown;
    next.on("notification", ({ processId, channel, payload }) => {
      // Our own commits wake the feed themselves.
      if (processId === ownPid) return;
      if (channel === SHARED_CHANNEL) receive(payload ?? "");
      else wake();
    });
    try {
      await next.connect();
      // A notification that is lost with the server is not missed: the poll finds the events.
      await next.query("set synchronous_commit = off");
      const { rows } = await next.query("select pg_backend_pid() as pid");
      ownPid = rows[0]?.pid;
      await next.query(`listen ${CHANNEL}`);
      await next.query(`listen ${SHARED_CHANNEL}`);
      client = next;
      // Reads what was committed while nothing listened.
      wake();
    } catch (error) {
      log?.debug("The connection for live events failed.", { error: String(error) });
      restart();
    }
  }
  function restartOnce(old: pg.Client): () => void {
    let isDone = false;
    return () => {
      if (isDone) return;
      isDone = true;
      if (client === old) client = undefined;
      old.end().catch(() => undefined);
      if (!isClosed) setTimeout(() => void (connecting = start()), RECONNECT_MS).unref();
    };
  }
  return {
    notify() {
      gathering ??= setTimeout(() => {
        gathering = undefined;
        inTurn(`notify ${CHANNEL}`);
      }, GATHER_MS).unref();
    },
    share: (event) => gatherer.add(event),
    async close() {
      isClosed = true;
      clearTimeout(gathering);
      gatherer.close();
      await connecting;
      await client?.end().catch(() => undefined);
    },
  };
}
