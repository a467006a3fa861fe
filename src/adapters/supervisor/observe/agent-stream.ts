import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { Runner } from "../../../app/ports/runner.ts";
import { observe, type AgentProgress } from "../../../domain/agents/progress.ts";
import type { RunnerEvent } from "../../../domain/agents/runner.ts";
import { createLineReader } from "../spool/line-reader.ts";

/** Text deltas only feed the preview of the message being written: the newest are enough. */
export const MAX_PREVIEW_LINES = 32;
const MAX_PREVIEW_LINE_BYTES = 64 * 1024;
const CREATED_TOLERANCE_MS = 1_000;

export type AgentStream = ReturnType<typeof createAgentStream>;

/** Folds one agent's stdout into its progress. */
export function createAgentStream(options: {
  readonly path: string;
  readonly runner: Pick<Runner, "parse" | "isDelta">;
  readonly progress: AgentProgress;
  readonly maxLineBytes: number;
  readonly startedAt: number | null;
  readonly workingDirectory: string;
}) {
  const { path, runner, maxLineBytes, startedAt, workingDirectory } = options;
  let fold = options.progress;
  let { lines, skippedLines } = options.progress;
  let deltas: { readonly at: number; readonly length: number }[] = [];
  let missedDeltas = 0;

  const reader = createLineReader({
    path,
    from: options.progress.offset,
    maxLineBytes,
    handler: {
      onLine(bytes, start, end, at) {
        lines += 1;
        if (runner.isDelta(bytes, start, end)) return remember(at, end - start);
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

  /** Keeps only the position: the newest deltas are read again when a preview is needed. */
  function remember(at: number, length: number): void {
    deltas.push({ at, length });
    if (deltas.length < 4 * MAX_PREVIEW_LINES) return;
    missedDeltas += deltas.length - MAX_PREVIEW_LINES;
    deltas = deltas.slice(-MAX_PREVIEW_LINES);
  }

  function take(events: readonly RunnerEvent[]): void {
    for (const event of events) {
      // A whole message replaces the deltas before it; the other events follow them.
      if (event.type === "message") forgetDeltas();
      else if (event.type === "delta" || event.type === "end") foldDeltas(MAX_PREVIEW_LINES);
      fold = observe(fold, timed(event), isNew);
    }
  }

  function foldDeltas(atMost: number): void {
    const shown = deltas.slice(-atMost);
    const missed = missedDeltas + deltas.length - shown.length;
    forgetDeltas();
    if (missed > 0) fold = observe(fold, { type: "delta", text: " … " }, isNew);
    for (const { at, length } of shown) {
      if (length > MAX_PREVIEW_LINE_BYTES) continue;
      const events = parse(reader.readAgain(at, length).toString("utf8"));
      for (const event of events ?? []) fold = observe(fold, event, isNew);
    }
  }

  function forgetDeltas(): void {
    deltas = [];
    missedDeltas = 0;
  }

  /** A runner must not throw. If it does, only this line is lost. */
  function parse(line: string): readonly RunnerEvent[] | undefined {
    try {
      return runner.parse(line);
    } catch {
      return undefined;
    }
  }

  function isNew(file: string): boolean {
    if (startedAt === null) return false;
    const absolute = resolve(workingDirectory, file);
    try {
      const stat = statSync(absolute, { throwIfNoEntry: false });
      return stat !== undefined && stat.birthtimeMs >= startedAt - CREATED_TOLERANCE_MS;
    } catch {
      // No directory or no permission: then the file is not known to be new.
      return false;
    }
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

/** Events without a time get the time of reading, which follows the writing closely. */
function timed(event: RunnerEvent): RunnerEvent {
  const isTimed =
    event.type === "user" || event.type === "tool_started" || event.type === "tool_finished";
  return isTimed && event.at === undefined ? { ...event, at: Date.now() } : event;
}
