import type { Live } from "../../../app/live.ts";
import type { LiveState } from "../../../contract/live.ts";
import { encode, type Snapshot } from "./broadcast.ts";

/** If a snapshot is this far behind, a new one costs less than replaying the events since. */
const MAX_BEHIND = 1_000;

/**
 * Concurrent callers share one snapshot, so that many reconnecting clients cost one read of the store.
 * Events since the snapshot are replayed from the ring.
 */
export function shareSnapshots(
  live: Live,
  keepMs: number,
  read: () => Promise<LiveState>,
): (seq: number) => Promise<Snapshot> {
  let recent: { readonly seq: number; readonly made: Promise<Snapshot> } | undefined;

  async function make(seq: number): Promise<Snapshot> {
    const state = await read();
    return { seq, message: encode({ t: "snapshot", epoch: live.epoch, seq, state }) };
  }

  return (seq) => {
    if (recent && seq - recent.seq <= MAX_BEHIND) return recent.made;
    const mine = { seq, made: make(seq) };
    recent = mine;
    setTimeout(() => {
      if (recent === mine) recent = undefined;
    }, keepMs).unref();
    return mine.made;
  };
}
