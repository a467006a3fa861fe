import type {
  Upstream,
  UpstreamCall,
  UpstreamAnswer,
  UpstreamTool,
} from "../../../src/app/ports/upstream.ts";
import { upstreamWith } from "../task-flow.ts";

export type ChangingUpstream = Upstream & {
  /** Replaces the tools and notifies the subscribers. */
  change(...tools: readonly UpstreamTool[]): void;
  readonly calls: UpstreamCall[];
};

/** Upstream servers whose tools and answers the test changes. */
export function aChangingUpstream(
  tools: readonly UpstreamTool[],
  answer: (call: UpstreamCall) => Promise<UpstreamAnswer> = async () => SAID,
): ChangingUpstream {
  const listeners = new Set<() => void>();
  const calls: UpstreamCall[] = [];
  let now = upstreamWith(...tools);
  return {
    calls,
    change(...next) {
      now = upstreamWith(...next);
      for (const listener of listeners) listener();
    },
    servers: () => now.servers(),
    settled: async () => {},
    call(call) {
      calls.push(call);
      return answer(call);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: async () => {},
  };
}

const SAID: UpstreamAnswer = { content: [{ type: "text", text: "done" }], isError: false };
