const KIB = 1_024;
const LEAST_BYTES = 16 * KIB;
const MOST_BYTES = 1_024 * KIB;
/** A beat must be answered in a third of the lease, and waits for the piece that is being sent. */
const PIECES_PER_LEASE = 15;

type MovePiece = (maxBytes: number) => Promise<Uint8Array>;

export type Pace = (move: MovePiece) => Promise<Uint8Array>;

/**
 * Moves pieces over a connection that has other messages, too: one piece at a time, and as large as
 * arrives in a fraction of the lease. A connection that needs a third of the lease for the smallest
 * piece (7 KB per second with the default lease) is too slow for bundles.
 */
export function createPace(leaseMs: number, now: () => number = () => performance.now()): Pace {
  const longMs = leaseMs / PIECES_PER_LEASE;
  const shortMs = longMs / 2;
  // How fast a new connection is, is not known yet: a large first piece could delay a beat too long.
  let bytes = LEAST_BYTES;
  let last: Promise<unknown> = Promise.resolve();

  async function moveNext(move: MovePiece): Promise<Uint8Array> {
    const began = now();
    const piece = await move(bytes);
    const tookMs = now() - began;
    if (tookMs > longMs) bytes = Math.max(LEAST_BYTES, bytes / 2);
    else if (tookMs < shortMs) bytes = Math.min(MOST_BYTES, bytes * 2);
    return piece;
  }

  return (move) => {
    const mine = last.then(() => moveNext(move));
    last = mine.catch(() => undefined);
    return mine;
  };
}
