import { z } from "zod";
import type { Log } from "../../app/ports/world.ts";
import type { Peer } from "../../base/peer.ts";
import { leaseStates } from "../../contract/workers/messages.ts";
import type { WorkerLease } from "./worker-lease.ts";

const BEATS_PER_LEASE = 3;
const GOING_AWAY = 1_001;
const leaseAnswer = z.enum(leaseStates);

export type KeepBeating = {
  readonly peer: Peer;
  readonly lease: WorkerLease;
  readonly log: Log;
  readonly cut: () => void;
  /** The server could not ask the database at this time. */
  readonly onUnknown: (askedAt: number) => void;
};

/** Asks the server to extend the lease, as long as the connection lasts. */
export function keepBeating({ peer, lease, log, cut, onUnknown }: KeepBeating): { stop(): void } {
  const everyMs = Math.round(lease.lengthMs() / BEATS_PER_LEASE);
  async function beat(): Promise<void> {
    const askedAt = performance.now();
    try {
      const state = leaseAnswer.parse(await peer.call("beat", {}, everyMs));
      if (state === "held") return lease.extend(askedAt);
      if (state === "unknown") return onUnknown(askedAt);
      lease.end();
      peer.close(GOING_AWAY, "the lease has ended");
    } catch (error) {
      // A server that does not answer may be gone without a word: another one may be there.
      if (peer.isOpen()) cut();
      log.warn("The server does not answer.", { error: String(error) });
    }
  }
  const timer = setInterval(() => void beat(), everyMs);
  return { stop: () => clearInterval(timer) };
}
