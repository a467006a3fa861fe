import type pg from "pg";
import type { Log } from "../../../../app/ports/world.ts";
import { runCoalesced } from "../../../../base/run-coalesced.ts";
import { createClient, type Connect } from "./connect.ts";

const CHANNEL = "kuromajutsu_events";
const RECONNECT_MS = 500;
/** Commits of this time share one notification: each one costs PostgreSQL a global lock. */
const GATHER_MS = 10;

export type Listener = {
  /** Tells other servers that events were committed. */
  notify(): void;
  close(): Promise<void>;
};

type Options = {
  readonly connect: Connect;
  readonly log: Log | undefined;
  readonly wake: () => void;
};

/** Wakes the feed when another server has committed. Reconnects by itself. */
export function createListener({ connect, log, wake }: Options): Listener {
  let client: pg.Client | undefined;
  let isClosed = false;
  let gathering: NodeJS.Timeout | undefined;
  let connecting = start();

  async function start(): Promise<void> {
    if (isClosed) return;
    const next = createClient(connect);
    const restart = restartOnce(next);
    next.on("error", restart);
    next.on("end", restart);
    let ownPid: unknown;
    next.on("notification", ({ processId }) => {
      // Our own commits wake the feed themselves.
      if (processId !== ownPid) wake();
    });
    try {
      await next.connect();
      // A notification that is lost with the server is not missed: the poll finds the events.
      await next.query("set synchronous_commit = off");
      const { rows } = await next.query("select pg_backend_pid() as pid");
      ownPid = rows[0]?.pid;
      await next.query(`listen ${CHANNEL}`);
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
  // One at a time: a client runs no two queries at once.
  const send = runCoalesced(async () => {
    await client?.query(`notify ${CHANNEL}`).catch(() => undefined);
  });
  return {
    notify() {
      gathering ??= setTimeout(() => {
        gathering = undefined;
        void send();
      }, GATHER_MS).unref();
    },
    async close() {
      isClosed = true;
      clearTimeout(gathering);
      await connecting;
      await client?.end().catch(() => undefined);
    },
  };
}
