import type { Live, LiveEvent } from "../../../app/live.ts";
import type { LiveHello, ServerFrame, SingleMessage } from "../../../contract/live.ts";
import { MAX_BUFFERED_BYTES, type LiveClient } from "./client.ts";
import { coalesce, singleMessage } from "./coalesce.ts";

export type Snapshot = { readonly seq: number; readonly message: Buffer };

export type Broadcast = {
  add(client: LiveClient): void;
  remove(client: LiveClient): void;
  /** Goes on where the client was, or tells it how things stand. */
  resume(client: LiveClient, hello: LiveHello): Promise<void>;
  /** For a client that knows single messages only. */
  startSingle(client: LiveClient): Promise<void>;
  close(): void;
};

export type BroadcastOptions = {
  readonly live: Live;
  readonly frameMs: number;
  /** The state, not older than `seq`. Shared by all who ask at the same time. */
  readonly snapshot: (seq: number) => Promise<Snapshot>;
  readonly startup: (seq: number) => Promise<SingleMessage>;
  /** A client could not be told how things stand. */
  readonly onError: (client: LiveClient, error: unknown) => void;
};

/** Everything that happened in a moment, encoded once and sent to everybody who is up to date. */
export function createBroadcast(options: BroadcastOptions): Broadcast {
  const { live, frameMs, snapshot, startup, onError } = options;
  const clients = new Set<LiveClient>();
  /** Frames were sent up to here; whoever joins is brought exactly here. */
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
      // Anyone else is being brought up to date, or lags and will be.
      if (client.at !== before) continue;
      if (!frame || !singles) catchUp(client);
      else if (client.protocol === "single") sendSingles(client, singles());
      else sendFrame(client, frame(), sentTo);
    }
  }

  /** From where the client stands to where everybody is. */
  function catchUp(client: LiveClient): void {
    if (client.at === null || client.at === sentTo) return;
    const missed = missedSince(client.at);
    if (client.protocol === "single") {
      // Such a client cannot be told a state: what is gone is gone.
      if (missed) sendSingles(client, singlesOf(missed));
      else client.at = sentTo;
      return;
    }
    const frame = missed && eventsFrame(client.at, sentTo, missed);
    if (frame && frame.length <= MAX_BUFFERED_BYTES) sendFrame(client, frame, sentTo);
    else void tellState(client);
  }

  /** Without what the next frame will bring. */
  function missedSince(seq: number): readonly LiveEvent[] | undefined {
    return live.since(seq)?.filter((event) => event.seq <= sentTo);
  }

  async function tellState(client: LiveClient): Promise<void> {
    client.at = null;
    try {
      const { seq, message } = await snapshot(sentTo);
      // Somebody else has told it meanwhile, or it has left.
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
      // Nobody was watching: there is nothing to send of what happened meanwhile.
      if (clients.size === 0) sentTo = live.seq();
      clients.add(client);
      client.onDrained = () => {
        if (client.protocol === "single") catchUp(client);
        else if (client.protocol === "frames") void tellState(client);
      };
    },
    remove(client) {
      clients.delete(client);
    },
    async resume(client, { epoch, seq }) {
      client.protocol = "frames";
      const isKnown = epoch === live.epoch && seq !== undefined && seq <= sentTo;
      const missed = isKnown ? missedSince(seq) : undefined;
      const message =
        missed && encode({ t: "resumed", epoch: live.epoch, seq: sentTo, ev: coalesce(missed) });
      if (message && message.length <= MAX_BUFFERED_BYTES) sendFrame(client, message, sentTo);
      else await tellState(client);
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

function sendFrame(client: LiveClient, frame: Buffer, to: number): void {
  if (client.send(frame)) client.at = to;
}

/** Bytes, not text: text would be turned into bytes again for every client. */
export function encode(message: ServerFrame | SingleMessage): Buffer {
  return Buffer.from(JSON.stringify(message));
}

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}
