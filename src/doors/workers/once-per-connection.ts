import type { Log } from "../../app/ports/world.ts";
import type { Peer } from "../../base/peer.ts";

/** A WebSocket that is closed for this reason got something that is not in the protocol. */
const BAD_MESSAGE = 1_008;

/**
 * Calls that a worker makes once per connection, because each begins what only the end of the
 * connection ends. A worker that repeats one is disconnected.
 */
export function createOncePerConnection(
  log: Pick<Log, "warn">,
  worker: string,
  peer: () => Pick<Peer, "close">,
) {
  const begun = new Set<string>();
  return {
    begin(call: "hello" | "ready"): void {
      if (begun.has(call)) {
        const why = `The worker has sent "${call}" twice over one connection.`;
        log.warn("A worker broke the protocol and is disconnected.", { worker, why });
        peer().close(BAD_MESSAGE, why);
        throw new Error(why);
      }
      begun.add(call);
    },
    /** It has begun nothing. */
    mayRepeat: (call: "hello" | "ready") => void begun.delete(call),
  };
}
