import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { Runner } from "../../../app/ports/runner.ts";
import { observe, type AgentProgress } from "../../../domain/agents/progress.ts";
import type { RunnerEvent } from "../../../domain/agents/runner.ts";
import { createLineReader } from "../spool/line-reader.ts";

/** Text deltas only feed the preview of the message being written: the newest are enough. */
export const MAX_PREVIEW_LINES = 32;
const MAX_PREVIEW_LINE_BYTES = 64 * 1024;
/** How much the clock of a file system may be behind that of the CLI, or of the daemon. */
const CALL_TOLERANCE_MS = 50;
const START_TOLERANCE_MS = 1_000;

export type AgentStream = ReturnType<typeof createAgentStream>;

type StreamOptions = {
  readonly path: string;
  readonly runner: Pick<Runner, "parse" | "isDelta">;
  readonly progress: AgentProgress;
  readonly maxLineBytes: number;
  readonly startedAt: number | null;
  readonly workingDirectory: string;
};

/** Folds one agent's stdout into its progress. */
export function createAgentStream(options: StreamOptions) {
  const { path, runner, maxLineBytes, startedAt, workingDirectory } = options;
  let fold = options.progress;
  let { lines, skippedLines } = options.progress;
  const deltas = createDeltas();

  const reader = createLineReader({
    path,
    from: options.progress.offset,
    maxLineBytes,
    handler: {
      onLine(bytes, start, end, at) {
        lines += 1;
        if (runner.isDelta(bytes, start, end)) return deltas.add(at, end - start);
        if (end === start) return;
        const events = parse(bytes.toString("utf8", start, end));
        if (events) take(events);
        else skippedLines += 1;
      },
      onTooLong() {
        lines += 1;
        skippedLines += 1;
      },
    },
  });

  function take(events: readonly RunnerEvent[]): void {
    for (const event of events) {
      // A whole message replaces the deltas before it; the other events follow them.
      if (event.type === "message") deltas.takeNewest(0);
      else if (event.type === "delta" || event.type === "end") foldDeltas(MAX_PREVIEW_LINES);
      fold = observe(fold, timed(event), existed);
    }
  }

  function foldDeltas(atMost: number): void {
    const { newest, missed } = deltas.takeNewest(atMost);
    if (missed > 0) fold = observe(fold, { type: "delta", text: " … " }, existed);
    for (const { at, length } of newest) {
      if (length > MAX_PREVIEW_LINE_BYTES) continue;
      const events = parse(reader.readAgain(at, length).toString("utf8"));
      for (const event of events ?? []) fold = observe(fold, event, existed);
    }
  }

  function parse(line: string): readonly RunnerEvent[] | undefined {
    return parseSafely(runner, line);
  }

  function existed(file: string, at: number | null): boolean {
    const born = birthOf(resolve(workingDirectory, file));
    // Gone by now, or not readable: before its call it was missing; after it, this is unknown.
    if (born === undefined) return at === null;
    if (at !== null) return born < at - CALL_TOLERANCE_MS;
    return startedAt === null || born < startedAt - START_TOLERANCE_MS;
  }

  return {
    read: reader.read,
    size: reader.size,
    close: reader.close,
    get offset(): number {
      return reader.offset;
    },
    get scanned(): number {
      return reader.scanned;
    },
    /** The file is shorter than what was read (power cut): read on at its end, count a skipped line. */
    clampTo(size: number): void {
      reader.restartAt(size);
      skippedLines += 1;
    },
    finish(): void {
      reader.finish();
      foldDeltas(MAX_PREVIEW_LINES);
    },
    /** For the database: the progress and the offset up to which it was read. */
    snapshot(previewLines: number): AgentProgress {
      foldDeltas(previewLines);
      return { ...fold, offset: reader.offset, lines, skippedLines };
    },
  };
}

/** A runner must not throw. If it does, only this line is lost. */
function parseSafely(runner: Pick<Runner, "parse">, line: string) {
  try {
    return runner.parse(line);
  } catch {
    return undefined;
  }
}

type Delta = { readonly at: number; readonly length: number };

/** Positions of text deltas. The newest are read again when a preview is needed. */
function createDeltas() {
  let kept: Delta[] = [];
  let dropped = 0;
  return {
    add(at: number, length: number): void {
      kept.push({ at, length });
      if (kept.length < 4 * MAX_PREVIEW_LINES) return;
      dropped += kept.length - MAX_PREVIEW_LINES;
      kept = kept.slice(-MAX_PREVIEW_LINES);
    },
    /** Forgets all of them; `missed` is the number of those that are not in the answer. */
    takeNewest(atMost: number): { readonly newest: readonly Delta[]; readonly missed: number } {
      const newest = atMost === 0 ? [] : kept.slice(-atMost);
      const missed = dropped + kept.length - newest.length;
      kept = [];
      dropped = 0;
      return { newest, missed };
    },
  };
}

/**
 * The file may already be written when the line about it is read, so its birth is compared with the
 * time of the line. A CLI that replaces files says itself which of them are new.
 */
function birthOf(path: string): number | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })?.birthtimeMs;
  } catch {
    // A folder that is none, or no permission.
    return undefined;
  }
}

/** Events without a time get the time of reading, which follows the writing closely. */
function timed(event: RunnerEvent): RunnerEvent {
  const isTimed =
    event.type === "user" || event.type === "tool_started" || event.type === "tool_finished";
  return isTimed && event.at === undefined ? { ...event, at: Date.now() } : event;
}
