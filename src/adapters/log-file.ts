import {
  closeSync,
  copyFileSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { isCode } from "../base/error-code.ts";

export type LogFileOptions = {
  readonly path: string;
  /** A file that would become larger is rotated. */
  readonly maxBytes: number;
  /** How many rotated files stay: `path.1` is the newest. */
  readonly keep: number;
};

export type LogFile = { write(line: string): void; close(): void };

/** How often to look whether another program has moved or deleted the file. */
const LOOK_MS = 1_000;

/**
 * A log that rotates by size. Rotation copies the file and then empties it: the file stays the same
 * one, so other descriptors of it (the daemon's stderr) go on writing to the newest file. A process
 * killed in between leaves some lines twice and loses none. Writing never throws: a full disk must
 * not stop the daemon. Lines that could not be written are counted, and the next line says so.
 */
export function openLogFile(options: LogFileOptions): LogFile {
  const { path, maxBytes, keep } = options;
  let file = openForAppend(path);
  let lookedAt = performance.now();
  let dropped = 0;
  let isTorn = false;

  function follow(): void {
    if (performance.now() - lookedAt < LOOK_MS) return;
    lookedAt = performance.now();
    if (statSync(path, { throwIfNoEntry: false })?.ino === fstatSync(file).ino) return;
    const next = openForAppend(path);
    closeSync(file);
    file = next;
  }

  function append(line: string): void {
    const bytes = Buffer.from(line);
    const written = writeSync(file, bytes);
    isTorn = written < bytes.length;
    if (isTorn) throw new Error("The disk is full.");
  }

  return {
    write(line) {
      try {
        follow();
        const { size } = fstatSync(file);
        if (size > 0 && size + Buffer.byteLength(line) > maxBytes) rotate(file, path, keep);
        // The disk became full in the middle of a line.
        if (isTorn) append("\n");
        if (dropped > 0) append(`${missing(dropped)}\n`);
        dropped = 0;
        append(line);
      } catch {
        dropped += 1;
      }
    },
    close: () => closeSync(file),
  };
}

/** Creates at most the folder of the file. */
function openForAppend(path: string): number {
  try {
    return openSync(path, "a", 0o600);
  } catch (error) {
    if (!isCode(error, "ENOENT")) throw error;
    mkdirSync(dirname(path), { mode: 0o700 });
    return openSync(path, "a", 0o600);
  }
}

function rotate(file: number, path: string, keep: number): void {
  if (keep > 0) {
    // Complete under another name first: a half copy must not replace an older log.
    const copy = `${path}.tmp`;
    try {
      copyFileSync(path, copy);
    } catch (error) {
      rmSync(copy, { force: true });
      throw error;
    }
    rmSync(`${path}.${keep}`, { force: true });
    for (let n = keep - 1; n >= 1; n--) moveIfThere(`${path}.${n}`, `${path}.${n + 1}`);
    renameSync(copy, `${path}.1`);
  }
  ftruncateSync(file);
}

function moveIfThere(from: string, to: string): void {
  if (statSync(from, { throwIfNoEntry: false })) renameSync(from, to);
}

function missing(count: number): string {
  return `${new Date().toISOString()} WARN  ${count} ${count === 1 ? "line" : "lines"} of this log could not be written.`;
}
