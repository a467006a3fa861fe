import { useEffect, useState, useSyncExternalStore } from "react";
import type { Entry } from "../../../../../src/contract/transcript/entries.ts";
import { createStreamReader } from "../../../../../src/contract/transcript/read-stream.ts";
import { type AnswerOf, get } from "../../../api/http.ts";

type Page = AnswerOf<"get", "/api/agents/{id}/transcript">;

export type TranscriptState = {
  readonly entries: readonly Entry[];
  /** Incremented on every change; `entries` stays the same array. */
  readonly version: number;
  /** Bytes skipped before the first entry. */
  readonly skipped: number;
  readonly size: number;
  /** Offset up to which the transcript has been read. */
  readonly offset: number;
  readonly isComplete: boolean;
  readonly error: unknown;
};

const PAGE_BYTES = 1_048_576;
const LEAST_BYTES = 1_024;
/** Longer transcripts are shown from their end; earlier parts load on request. */
const MAX_BYTES = 24 * PAGE_BYTES;
const TAIL_BYTES = 8 * PAGE_BYTES;
const EARLIER_BYTES = 8 * PAGE_BYTES;
const ASK_AGAIN_MS = 800;
const AFTER_ERROR_MS = 4_000;

const EMPTY: TranscriptState = {
  entries: [],
  version: 0,
  skipped: 0,
  size: 0,
  offset: 0,
  isComplete: false,
  error: null,
};

export type Transcript = {
  readonly subscribe: (listener: () => void) => () => void;
  readonly state: () => TranscriptState;
  readonly earlier: () => Promise<void>;
  /** Reads to the end, then polls until `stop`. */
  readonly follow: (isLive: boolean) => () => void;
};

/** The transcript of one agent, read in pages and continued while the agent runs. */
export function createTranscript(agentId: string): Transcript {
  const reader = createStreamReader("");
  const listeners = new Set<() => void>();
  let state: TranscriptState = { ...EMPTY, entries: reader.entries };
  let isBegun = false;
  /** Earlier parts, loaded on request. */
  let head: readonly Entry[] = [];
  let parts = 0;

  function change(next: Partial<TranscriptState>): void {
    const entries = head.length === 0 ? reader.entries : [...head, ...reader.entries];
    state = { ...state, ...next, entries, version: state.version + 1 };
    for (const listener of listeners) listener();
  }

  async function read(offset: number, signal?: AbortSignal, bytes = PAGE_BYTES): Promise<Page> {
    const page = await get("/api/agents/{id}/transcript", {
      params: { id: agentId },
      query: { offset, maxBytes: bytes },
      ...(signal && { signal }),
    });
    // If it was stopped meanwhile, drop the page; the next reader reads it again.
    signal?.throwIfAborted();
    return page;
  }

  async function begin(signal: AbortSignal): Promise<void> {
    const first = await read(0, signal);
    isBegun = true;
    if (first.size > MAX_BYTES) {
      const offset = first.size - TAIL_BYTES;
      return change({ skipped: offset, offset, size: first.size });
    }
    reader.push(first.lines);
    change({ offset: first.nextOffset, size: first.size });
  }

  /** Resolves to true at the current end. */
  async function readOn(signal: AbortSignal): Promise<boolean> {
    if (!isBegun) {
      await begin(signal);
      return state.offset >= state.size;
    }
    const page = await read(state.offset, signal);
    reader.push(page.lines);
    const isEnd = page.nextOffset >= page.size || page.nextOffset === state.offset;
    if (page.lines.length > 0 || page.size !== state.size || state.error !== null) {
      change({ offset: page.nextOffset, size: page.size, error: null });
    }
    return isEnd;
  }

  function follow(isLive: boolean): () => void {
    return poll(async (signal) => {
      try {
        const isEnd = await readOn(signal);
        if (!isEnd || isLive || signal.aborted) return isEnd ? ASK_AGAIN_MS : 0;
        change({ isComplete: true });
        return null;
      } catch (error) {
        if (!signal.aborted) change({ error });
        return AFTER_ERROR_MS;
      }
    });
  }

  async function earlier(): Promise<void> {
    const end = state.skipped;
    const from = Math.max(0, end - EARLIER_BYTES);
    head = [...(await readPart(`${++parts}.`, from, end, read)), ...head];
    change({ skipped: from });
  }

  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    state: () => state,
    earlier,
    follow,
  };
}

/** Repeats `step` after the time it returns, until that is null or the returned function is called. */
function poll(step: (signal: AbortSignal) => Promise<number | null>): () => void {
  const stop = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  async function run(): Promise<void> {
    const pauseMs = await step(stop.signal);
    if (pauseMs !== null && !stop.signal.aborted) timer = setTimeout(() => void run(), pauseMs);
  }
  void run();
  return () => {
    stop.abort();
    clearTimeout(timer);
  };
}

/** Reads the lines between two offsets. */
async function readPart(
  prefix: string,
  from: number,
  end: number,
  read: (offset: number, signal?: AbortSignal, bytes?: number) => Promise<Page>,
): Promise<readonly Entry[]> {
  const part = createStreamReader(prefix);
  let at = from;
  while (end - at > LEAST_BYTES) {
    const page = await read(at, undefined, Math.min(PAGE_BYTES, end - at));
    part.push(page.lines);
    at = page.nextOffset;
  }
  // Keep only the lines before the part that is already shown.
  const { lines } = at < end ? await read(at) : { lines: [] };
  for (const line of lines) {
    if (at >= end) break;
    part.push([line]);
    at += new TextEncoder().encode(line).length + 1;
  }
  return part.entries;
}

export function useTranscript(agentId: string, isLive: boolean) {
  const [transcript] = useState(() => createTranscript(agentId));
  const state = useSyncExternalStore(transcript.subscribe, transcript.state);
  useEffect(() => transcript.follow(isLive), [transcript, isLive]);
  return { state, earlier: transcript.earlier };
}
