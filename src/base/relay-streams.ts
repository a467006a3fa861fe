import { Duplex } from "node:stream";

/** A piece of one of many streams over a connection; without data the stream ends. */
export type RelayPiece = { readonly stream: number; readonly data?: string | undefined };

export type RelayStreams = {
  /** The other side began a stream, or goes on with one. */
  receive(piece: RelayPiece): void;
  /** Begins a stream to the other side. */
  open(): Duplex;
  /** The connection has ended, and all streams with it. */
  end(): void;
};

const MAX_STREAMS = 10_000;

/** Many streams of bytes over one connection of texts. */
export function createRelayStreams(options: {
  readonly send: (piece: RelayPiece) => void;
  readonly onOpened?: (stream: Duplex) => void;
}): RelayStreams {
  const { send, onOpened } = options;
  const streams = new Map<number, Duplex>();
  let last = 0;

  function create(id: number): Duplex {
    const stream = new Duplex({
      allowHalfOpen: false,
      read() {},
      write(chunk: Buffer, _encoding, done) {
        send({ stream: id, data: chunk.toString("base64") });
        done();
      },
      destroy(error, done) {
        if (streams.delete(id)) send({ stream: id });
        done(error);
      },
    });
    streams.set(id, stream);
    return stream;
  }

  return {
    receive({ stream: id, data }) {
      const known = streams.get(id);
      if (data === undefined) {
        streams.delete(id);
        known?.destroy();
        return;
      }
      const isNew = known === undefined;
      // A stream that this side has ended may still get pieces; they are dropped.
      if (isNew && (onOpened === undefined || id <= last || streams.size >= MAX_STREAMS)) return;
      const stream = known ?? create(id);
      if (isNew) {
        last = id;
        onOpened?.(stream);
      }
      stream.push(Buffer.from(data, "base64"));
    },
    open: () => create(++last),
    end() {
      const open = [...streams.values()];
      streams.clear();
      for (const stream of open) stream.destroy();
    },
  };
}
