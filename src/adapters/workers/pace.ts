const KIB = 1_024;
const FIRST_BYTES = 64 * KIB;
const LEAST_BYTES = 16 * KIB;
const MOST_BYTES = 1_024 * KIB;
/**
 * Far less than the time in which a beat must be answered, a third of the lease: it waits for the
 * piece before it, and without an answer the worker disconnects.
 */
const LONG_MS = 700;
const SHORT_MS = LONG_MS / 2;

export type Pace = (read: (maxBytes: number) => Promise<Uint8Array>) => Promise<Uint8Array>;

/**
 * Reads pieces over a connection that has other messages, too: one piece at a time, and as large as
 * arrives in a moment. However slow the connection is, other messages do not wait for long.
 */
export function createPace(now: () => number = () => performance.now()): Pace {
  let bytes = FIRST_BYTES;
  let last: Promise<unknown> = Promise.resolve();

  async function readNext(read: (maxBytes: number) => Promise<Uint8Array>): Promise<Uint8Array> {
    const began = now();
    const piece = await read(bytes);
    const tookMs = now() - began;
    if (tookMs > LONG_MS) bytes = Math.max(LEAST_BYTES, bytes / 2);
    else if (tookMs < SHORT_MS) bytes = Math.min(MOST_BYTES, bytes * 2);
    return piece;
  }

  return (read) => {
    const mine = last.then(() => readNext(read));
    last = mine.catch(() => undefined);
    return mine;
  };
}
