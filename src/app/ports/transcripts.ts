import type { AgentId } from "../../domain/ids.ts";
import type { TranscriptPage } from "./supervisor.ts";

/** One launch of an agent; it has a transcript of its own. */
export type AttemptKey = { readonly agentId: AgentId; readonly attempt: number };

/** A piece of what an attempt wrote to stdout. It may end inside a line or a character. */
export type TranscriptChunk = AttemptKey & {
  /** `startDayOf(agentId)`; readers derive it from the id, too. */
  readonly startDay: string;
  /** Where it begins in the transcript, in bytes. */
  readonly offset: number;
  /** Bytes before compression. 0: the attempt is over, and its transcript ends at `offset`. */
  readonly length: number;
  /** Compressed with zstd; empty if `length` is 0. */
  readonly data: Uint8Array;
};

/** How much of a transcript is stored. */
export type StoredEnd = AttemptKey & {
  /** Every byte before it is stored. */
  readonly offset: number;
  /** Nothing more of it is needed: its end is stored, or its agent has left the lists. */
  readonly isComplete: boolean;
};

/** The transcripts of all servers that share a database, beside the spool of each of them. */
export type Transcripts = {
  /**
   * Resolves when all of them are stored. A chunk that is stored already changes nothing, and chunks
   * of agents that have left the lists are dropped. Rejects, and stores nothing, if a chunk does not
   * continue what is stored: ask `acknowledged` where to go on.
   */
  put(chunks: readonly TranscriptChunk[]): Promise<void>;
  /** Where to go on with each of these transcripts, in the same order. */
  acknowledged(attempts: readonly AttemptKey[]): Promise<readonly StoredEnd[]>;
  /**
   * Lines from a byte offset on, as `Supervisor.readTranscript`. An unfinished last line is returned
   * once it is whole, or once the end of the transcript is stored.
   */
  read(
    agentId: AgentId,
    attempt: number,
    offset: number,
    maxBytes: number,
  ): Promise<TranscriptPage>;
  /** The last `maxBytes` as text, as `Supervisor.readOutputEnd`. */
  readEnd(agentId: AgentId, attempt: number, maxBytes: number): Promise<string>;
  /** Deletes every attempt of these agents. */
  remove(agentIds: readonly AgentId[]): Promise<void>;
  /** Frees the space of agents that began before this day (`2026-11-17`) and have left the lists. */
  removeBefore(day: string): Promise<void>;
  /**
   * Makes room for the agents of the next days. Safe to call on several servers at once. Chunks are
   * stored also without it.
   */
  prepare(now: number): Promise<void>;
  close(): Promise<void>;
};
