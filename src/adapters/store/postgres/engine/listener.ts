import type pg from "pg";
import type { ServerMessages } from "../../../../app/ports/server-messages.ts";
import type { Log } from "../../../../app/ports/world.ts";
import type { AppEvent } from "../../../../contract/events/events.ts";
import { createClient, isQueryTimeout, type Connect } from "./connect.ts";
import { createOutbox } from "./notify-outbox.ts";
import { createServerMessages, type ServerMessageBox } from "./server-messages.ts";
import { keyOfEvent, mergeEvents, readPayload } from "./shared-events.ts";

const CHANNEL = "kuromajutsu_events";
/** Its payloads are events that are not stored. */
const SHARED_CHANNEL = "kuromajutsu_shared";
/** Its payloads are messages between servers. */
const MESSAGE_CHANNEL = "kuromajutsu_messages";
const CHANNELS = [CHANNEL, SHARED_CHANNEL, MESSAGE_CHANNEL];
const RECONNECT_MS = 500;
/** A dead line shows only when something is sent. */
const CHECK_EVERY_MS = 10_000;
/** Commits of this time share one notification: each one costs PostgreSQL a global lock. */
const GATHER_MS = 10;

export type Listener = {
  /** Tells other servers that events were committed. */
  notify(): void;
  /** Passes an event that is not stored to other servers. It may get lost. */
  share(event: AppEvent): void;
  readonly messages: ServerMessages;
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
export function createListener(options: Options): Listener {
  const { connect, log, wake } = options;
  let client: pg.Client | undefined;
  let isClosed = false;
  let gathering: NodeJS.Timeout | undefined;
  let connecting = start();
  const outbox = createOutbox({
    keyOf: keyOfEvent,
    merge: mergeEvents,
    send: (payloads) => sendTo(SHARED_CHANNEL, payloads),
  });
  const messages = createServerMessages((payloads) => sendTo(MESSAGE_CHANNEL, payloads), log);
  const receive = createReceiver(options, messages);
  let last: Promise<unknown> = Promise.resolve();

  /** One at a time: a client runs no two queries at once. */
  function inTurn(statement: string, values: unknown[] = []): void {
    last = last.then(() => client && send(client, statement, values));
  }
  const check = setInterval(() => inTurn("select 1"), CHECK_EVERY_MS);
  check.unref();

  function sendTo(channel: string, payloads: readonly string[]): void {
    const statement = "select pg_notify($1, payload) from unnest($2::text[]) as payload";
    inTurn(statement, [channel, payloads]);
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
      if (processId !== ownPid) receive(channel, payload ?? "");
    });
    try {
      await next.connect();
      // A notification that is lost with the server is not missed: the poll finds the events.
      await next.query("set synchronous_commit = off");
      const { rows } = await next.query("select pg_backend_pid() as pid");
      ownPid = rows[0]?.pid;
      for (const channel of CHANNELS) await next.query(`listen ${channel}`);
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
    share: (event) => outbox.add(event),
    messages,
    async close() {
      isClosed = true;
      clearTimeout(gathering);
      clearInterval(check);
      outbox.close();
      messages.close();
      await connecting;
      await client?.end().catch(() => undefined);
    },
  };
}

async function send(client: pg.Client, statement: string, values: unknown[]): Promise<void> {
  try {
    await client.query(statement, values);
  } catch (error) {
    // A new one is opened when this one has ended.
    if (isQueryTimeout(error)) client.end().catch(() => undefined);
  }
}

function createReceiver(
  { log, wake, onShared }: Options,
  messages: ServerMessageBox,
): (channel: string, payload: string) => void {
  return (channel, payload) => {
    if (channel === CHANNEL) return wake();
    try {
      if (channel === MESSAGE_CHANNEL) messages.receive(payload);
      else onShared(readPayload(payload));
    } catch (error) {
      // A server of another version may send what this one does not know.
      log?.debug("A notification of another server could not be read.", { error: String(error) });
    }
  };
}
