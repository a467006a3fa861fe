import type { Live, LiveEvent } from "../../../app/live.ts";
import type { LiveHello, ServerFrame, SingleMessage } from "../../../contract/live.ts";
import { MAX_BUFFERED_BYTES, type LiveClient } from "./client.ts";
import { coalesce, singleMessage } from "./coalesce.ts";

export type Snapshot = { readonly seq: number; readonly message: Buffer };

export type Broadcast = {
  add(client: LiveClient): void;
  remove(client: LiveClient): void;
  /** Continues from the last event the client has seen, or sends a snapshot. */
  resume(client: LiveClient, hello: LiveHello): Promise<void>;
  /** For a client that expects single messages. */
  startSingle(client: LiveClient): Promise<void>;
  close(): void;
};

export type BroadcastOptions = {
  readonly live: Live;
  readonly frameMs: number;
  /** The state, not older than `seq`. Concurrent callers share one. */
  readonly snapshot: (seq: number) => Promise<Snapshot>;
  readonly startup: (seq: number) => Promise<SingleMessage>;
  /** Called when a client could not be sent a snapshot. */
  readonly onError: (client: LiveClient, error: unknown) => void;
};

/** Collects events for a moment, encodes them once and sends them to every client that is up to date. */
export function createBroadcast(options: BroadcastOptions): Broadcast {
  const { live, frameMs, snapshot, startup, onError } = options;
  const clients = new Set<LiveClient>();
  /** The last seq that was broadcast; a joining client is brought exactly up to it. */
  let sentTo = live.seq();
  let timer: NodeJS.Timeout | undefined;
  const unsubscribe = live.subscribe(() => {
    if (clients.size > 0) timer ??= setTimeout(flush, frameMs);
  });

  function flush(): void {
    timer = undefined;
    const before = sentTo;
    const events = live.since(before);
    sentTo = live.seq();
    const frame = events && once(() => eventsFrame(before, sentTo, events));
    const singles = events && once(() => [...singlesOf(events)]);
    for (const client of clients) {
      // Other clients lag or are being brought up to date.
      if (client.at !== before) continue;
      if (!frame || !singles) catchUp(client);
      else if (client.protocol === "single") sendSingles(client, singles());
      else sendFrame(client, frame(), sentTo);
    }
  }

  /** The events between the client's seq and the last broadcast. */
  function catchUp(client: LiveClient): void {
    if (client.at === null || client.at === sentTo) return;
    const missed = missedBetween(live, client.at, sentTo);
    if (client.protocol === "single") return catchUpSingle(client, missed, sentTo);
    const frame = missed && eventsFrame(client.at, sentTo, missed);
    if (frame && frame.length <= MAX_BUFFERED_BYTES) sendFrame(client, frame, sentTo);
    else void sendState(client);
  }

  async function sendState(client: LiveClient): Promise<void> {
    client.at = null;
    try {
      const { seq, message } = await snapshot(sentTo);
      // It is up to date already, or has disconnected.
      if (client.at !== null || !clients.has(client)) return;
      if (!client.send(message)) return;
      client.at = seq;
      catchUp(client);
    } catch (error) {
      onError(client, error);
    }
  }

  return {
    add(client) {
      // There was no client, so the events since then need not be sent.
      if (clients.size === 0) sentTo = live.seq();
      clients.add(client);
      client.onDrained = () => {
        if (client.protocol === "single") catchUp(client);
        else if (client.protocol === "frames") void sendState(client);
      };
    },
    remove(client) {
      clients.delete(client);
    },
    async resume(client, hello) {
      client.protocol = "frames";
      const message = resumedFrame(live, hello, sentTo);
      if (message && message.length <= MAX_BUFFERED_BYTES) sendFrame(client, message, sentTo);
      else await sendState(client);
    },
    async startSingle(client) {
      client.protocol = "single";
      const seq = sentTo;
      try {
        const message = encode(await startup(seq));
        if (client.protocol !== "single" || !client.send(message)) return;
        client.at = seq;
        catchUp(client);
      } catch (error) {
        onError(client, error);
      }
    },
    close() {
      unsubscribe();
      clearTimeout(timer);
      clients.clear();
    },
  };
}

/** Undefined if the events are not kept any more. Events after `to` come with the next frame. */
function missedBetween(live: Live, seq: number, to: number): readonly LiveEvent[] | undefined {
  return live.since(seq)?.filter((event) => event.seq <= to);
}

/** Undefined if the client's last event is unknown, for example of an earlier daemon. */
function resumedFrame(live: Live, { epoch, seq }: LiveHello, to: number): Buffer | undefined {
  const isKnown = epoch === live.epoch && seq !== undefined && seq <= to;
  const missed = isKnown ? missedBetween(live, seq, to) : undefined;
  return missed && encode({ t: "resumed", epoch: live.epoch, seq: to, ev: coalesce(missed) });
}

function eventsFrame(before: number, to: number, events: readonly LiveEvent[]): Buffer {
  return encode({ t: "events", from: before + 1, to, ev: coalesce(events) });
}

type Single = { readonly seq: number; readonly message: Buffer };

function* singlesOf(events: readonly LiveEvent[]): Generator<Single> {
  for (const event of events) yield { seq: event.seq, message: encode(singleMessage(event)) };
}

function sendSingles(client: LiveClient, singles: Iterable<Single>): void {
  for (const { seq, message } of singles) {
    if (!client.send(message)) return;
    client.at = seq;
  }
}

/** The protocol of such a client has no snapshot: events that are not kept any more are lost. */
function catchUpSingle(
  client: LiveClient,
  missed: readonly LiveEvent[] | undefined,
  to: number,
): void {
  if (missed) sendSingles(client, singlesOf(missed));
  else client.at = to;
}

function sendFrame(client: LiveClient, frame: Buffer, to: number): void {
  if (client.send(frame)) client.at = to;
}

/** Bytes, because text would be encoded again for every client. */
export function encode(message: ServerFrame | SingleMessage): Buffer {
  return Buffer.from(JSON.stringify(message));
}

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}
