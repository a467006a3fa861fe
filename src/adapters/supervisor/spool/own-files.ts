import { isExhausted } from "../../exhausted.ts";
import type { TrackedAgent } from "../observe/tracked-agent.ts";
import type { FailedLooks } from "../processes/failed-looks.ts";

export type ReadOwn = <T>(agent: TrackedAgent, otherwise: T, read: () => T) => T;

/**
 * Reads one of an agent's own spool files. Without descriptors or memory it throws, and the next
 * poll tries again. Any other error (a link in place of the file, no permission) is permanent and
 * would keep the agent from ever settling: it goes on without the file, and its result says so.
 */
export function createReadOwn(onFailedLook: FailedLooks): ReadOwn {
  return (agent, otherwise, read) => {
    try {
      return read();
    } catch (error) {
      if (isExhausted(error)) throw error;
      onFailedLook(error, { key: agent.files.key });
      agent.unreadable = error instanceof Error ? error.message : String(error);
      return otherwise;
    }
  };
}
