import {
  UpstreamFault,
  type Upstream,
  type UpstreamAnswer,
  type UpstreamCall,
  type UpstreamFaultKind,
  type UpstreamTool,
} from "../../src/app/ports/upstream.ts";

type Reply = (call: UpstreamCall) => Promise<UpstreamAnswer>;

export type FakeUpstream = Upstream & {
  /** The calls so far, in order. */
  readonly sent: UpstreamCall[];
  /** Sets the answer to further calls of the tool. */
  on(tool: string, reply: Reply): void;
};

/** Upstream servers in memory; they answer `ok` unless a reply is set. */
export function aFakeUpstream(tools: readonly UpstreamTool[]): FakeUpstream {
  const sent: UpstreamCall[] = [];
  const replies = new Map<string, Reply>();
  const names = [...new Set(tools.map(({ server }) => server))];
  const servers = names.map((name) => ({
    name,
    transport: "stdio" as const,
    status: "ready" as const,
    error: null,
    restarts: 0,
    tools: tools.filter(({ server }) => server === name),
  }));
  return {
    sent,
    on: (tool, reply) => void replies.set(tool, reply),
    servers: () => servers,
    settled: async () => {},
    async call(call) {
      sent.push(call);
      return (replies.get(call.tool) ?? saying("ok"))(call);
    },
    subscribe: () => () => {},
    close: async () => {},
  };
}

export function aTool(name: string, over: Partial<UpstreamTool> = {}): UpstreamTool {
  return {
    server: "hr",
    name,
    title: null,
    description: name,
    inputSchema: { type: "object" },
    outputSchema: null,
    annotations: null,
    isReadOnly: false,
    humanCheck: "as-planned",
    hash: `hash of ${name}`,
    ...over,
  };
}

export function saying(text: string, over: Partial<UpstreamAnswer> = {}): Reply {
  return async () => ({ content: [{ type: "text", text }], isError: false, ...over });
}

export function failing(kind: UpstreamFaultKind): Reply {
  return async () => {
    throw new UpstreamFault(kind, `the server said ${kind}`);
  };
}

/** A reply that waits until it is released or the call is cancelled. */
export function held(): { readonly reply: Reply; letGo(text?: string): void } {
  const { promise, resolve } = Promise.withResolvers<string>();
  return {
    letGo: (text = "ok") => resolve(text),
    reply: (call) => {
      const cancelled = new Promise<never>((_done, reject) => {
        const cancel = () => reject(new UpstreamFault("cancelled", "the call was cancelled"));
        if (call.signal.aborted) cancel();
        call.signal.addEventListener("abort", cancel, { once: true });
      });
      return Promise.race([promise.then((text) => saying(text)(call)), cancelled]);
    },
  };
}
