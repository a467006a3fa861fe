import type { HumanCheck } from "../../domain/gateway/human-check.ts";

/** MCP servers behind the gateway, each with one shared client. Policies are not applied here. */
export type JsonObject = Readonly<Record<string, unknown>>;

export type UpstreamTool = {
  readonly server: string;
  readonly name: string;
  readonly title: string | null;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema: JsonObject | null;
  /** Annotations of the server: untrusted hints. */
  readonly annotations: JsonObject | null;
  /** Declared read-only in the configuration: may be called despite an open stop notification. */
  readonly isReadOnly: boolean;
  /** The configured rule for human checks of its calls. */
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
  /** As of the last time it was ready. */
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
  /** Sent in `_meta`, so that a server can recognise a repeated call. */
  readonly idempotencyKey: string;
  /** Asked directly before the call is sent. False: it is `unavailable` and never sent. */
  maySend(): boolean;
  onProgress(progress: UpstreamProgress): void;
};

/**
 * Why there is no answer. `unavailable`: never sent; `rejected`: the server answered with a
 * protocol error; `too_large`: the answer exceeds the limit; `cancelled`: the signal was aborted;
 * `timeout` and `lost`: the call was sent, and it is unknown whether it took effect.
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

/** Where upstream servers run that have one copy for all servers. */
export type Placement = {
  /** The other server that carries out calls of this one; null: this server does it itself. */
  ownerOf(upstream: string): string | null;
  /** Whether this server runs it for all. */
  isOwner(upstream: string): boolean;
};

export type Upstream = {
  /** The current state, in the order of the configuration; never waits. */
  servers(): readonly UpstreamServer[];
  /** Resolves when every server has been listed or has failed once, at the latest after `withinMs`. */
  settled(withinMs: number): Promise<void>;
  /** Rejects with an UpstreamFault. */
  call(call: UpstreamCall): Promise<UpstreamAnswer>;
  /** Called when tools or servers are added, removed or changed. */
  subscribe(listener: () => void): () => void;
  close(): Promise<void>;
};
