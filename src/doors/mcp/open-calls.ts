import { setImmediate } from "node:timers/promises";
import type { CallToolResult } from "@modelcontextprotocol/server";
import { RESTARTED_RESULT } from "../../contract/daemon-restarted.ts";

/** The tool calls that are being answered, so that a stopping daemon leaves none without an answer. */
export function createOpenCalls() {
  const stopping = Promise.withResolvers<CallToolResult>();
  const open = new Set<Promise<unknown>>();
  return {
    /** The answer of the call, or DAEMON_RESTARTED if the daemon stops first. */
    async answer<Result>(call: Promise<Result>): Promise<Result | CallToolResult> {
      const answered = Promise.race([call, stopping.promise]);
      open.add(answered);
      try {
        return await answered;
      } finally {
        open.delete(answered);
      }
    },
    /** Resolves once the answers were handed to their connections. */
    async stop(): Promise<void> {
      stopping.resolve(RESTARTED_RESULT);
      await Promise.allSettled(open);
      await setImmediate();
    },
  };
}
