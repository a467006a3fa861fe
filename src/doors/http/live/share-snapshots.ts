import type { Live } from "../../../app/live.ts";
import type { LiveState } from "../../../contract/live.ts";
import { encode, type Snapshot } from "./broadcast.ts";

/** So far behind, telling what has happened since would cost more than a new look. */
const MAX_BEHIND = 1_000;

/**
 * All who ask within a moment get the same one: a returning crowd costs one look at the store.
 * What has happened since it was made is told from the ring.
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
