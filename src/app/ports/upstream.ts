import type { HumanCheck } from "../../domain/gateway/human-check.ts";

/** MCP servers behind the gateway. One shared client each; nothing here knows about policies. */
export type JsonObject = Readonly<Record<string, unknown>>;

export type UpstreamTool = {
  readonly server: string;
  readonly name: string;
  readonly title: string | null;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema: JsonObject | null;
  /** What the server says of itself: untrusted hints. */
  readonly annotations: JsonObject | null;
  /** The configuration says that it changes nothing: it may be called while a stop is open. */
  readonly isReadOnly: boolean;
  /** When a person checks a call of it, by the configuration. */
  readonly humanCheck: HumanCheck;
  /** sha256 of name, description and schemas. */
  readonly hash: string;
};

export const UPSTREAM_STATUSES = ["starting", "ready", "failed", "stopped"] as const;
export type UpstreamStatus = (typeof UPSTREAM_STATUSES)[number];

export type UpstreamServer = {
  readonly name: string;
  readonly transport: "stdio" | "http";
  readonly status: UpstreamStatus;
  readonly error: string | null;
  readonly restarts: number;
  /** Of the last time it was ready. */
  readonly tools: readonly UpstreamTool[];
};

export type ContentBlock = JsonObject & { readonly type: string };

export type UpstreamAnswer = {
  readonly content: readonly ContentBlock[];
  readonly structuredContent?: JsonObject;
  readonly isError: boolean;
};

export type UpstreamProgress = {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
};

export type UpstreamCall = {
  readonly server: string;
  readonly tool: string;
  readonly args: JsonObject;
  /** Cancels the call upstream. */
  readonly signal: AbortSignal;
  /** Travels in `_meta`, so that a server that can may recognise a repeat. */
  readonly idempotencyKey: string;
  onProgress(progress: UpstreamProgress): void;
};

/**
 * Why there is no answer. `unavailable`: never sent; `rejected`: the server answered with a
 * protocol error; `too_large`: it answered, with too much; `cancelled`: the signal; `timeout` and
 * `lost`: it was sent, and whether it took effect is not known.
 */
export type UpstreamFaultKind =
  | "unavailable"
  | "rejected"
  | "too_large"
  | "cancelled"
  | "timeout"
  | "lost";

export class UpstreamFault extends Error {
  readonly kind: UpstreamFaultKind;

  constructor(kind: UpstreamFaultKind, message: string) {
    super(message);
    this.name = "UpstreamFault";
    this.kind = kind;
  }
}

export type Upstream = {
  /** As it is now; never waits. In the order of the configuration. */
  servers(): readonly UpstreamServer[];
  /** Resolves when every server has been listed or has failed once, at the latest after `withinMs`. */
  settled(withinMs: number): Promise<void>;
  /** Rejects with an UpstreamFault. */
  call(call: UpstreamCall): Promise<UpstreamAnswer>;
  /** Tools came, went or changed, or a server did. */
  subscribe(listener: () => void): () => void;
  close(): Promise<void>;
};
