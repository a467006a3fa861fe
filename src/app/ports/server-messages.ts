import type { UpstreamProgress } from "./upstream.ts";

/** A message between servers that share a database. It may get lost, so nothing may depend on it. */
export type ServerMessage =
  /** The server that carries out a call for another one passes its progress on. */
  | { readonly type: "call_progress"; readonly callId: string; readonly progress: UpstreamProgress }
  /** The caller has cancelled the call; `from` is the server that handed it over. */
  | { readonly type: "cancel_call"; readonly callId: string; readonly from: string };

/** Unlike events, these messages are not for clients. */
export type ServerMessages = {
  /** Messages of one type about one call may replace each other on the way: the newest arrives. */
  send(message: ServerMessage): void;
  /** Called with messages of other servers. Returns a function that ends the subscription. */
  on(listener: (message: ServerMessage) => void): () => void;
};
