import type { RunnerId } from "../../domain/agents/runner.ts";
import type { UpstreamProgress } from "./upstream.ts";

/** A message between servers that share a database. It may get lost, so nothing may depend on it. */
export type ServerMessage =
  /** The server that carries out a call for another one passes its progress on. */
  | { readonly type: "call_progress"; readonly callId: string; readonly progress: UpstreamProgress }
  /** The caller has cancelled the call; `from` is the server that handed it over. */
  | { readonly type: "cancel_call"; readonly callId: string; readonly from: string }
  /** Which hosts of the other servers have this directory? */
  | { readonly type: "find_directory"; readonly questionId: string; readonly path: string }
  /** A part of an answer: the hosts of one server do not fit into one message. */
  | {
      readonly type: "directory_answer";
      readonly questionId: string;
      readonly hosts: readonly HostReport[];
    };

/** What a server or a worker says about a directory. */
export type HostReport = {
  readonly id: string;
  readonly hasDirectory: boolean;
  /** The agent CLIs of a server. Those of workers are in their rows. */
  readonly runners?: readonly RunnerId[];
  /** Those of a server that are signed out there; absent: none, or an older server. */
  readonly unusable?: readonly RunnerId[];
};

/** Unlike events, these messages are not for clients. */
export type ServerMessages = {
  /** Messages of one type about one call may replace each other on the way: the newest arrives. */
  send(message: ServerMessage): void;
  /** Called with messages of other servers. Returns a function that ends the subscription. */
  on(listener: (message: ServerMessage) => void): () => void;
};
