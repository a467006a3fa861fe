import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { isCode } from "../../../base/error-code.ts";
import { READ_PLAIN } from "./spool.ts";

const CHUNK_BYTES = 256 * 1024;
const LOOK_AT_THE_CLOCK_EVERY = 32;
/** Shared by all readers: a chunk is read and handled synchronously. */
const chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES);

export type LineHandler = {
  /** A line without its newline is bytes[start..end); `at` is where it begins in the file. */
  onLine(bytes: Buffer, start: number, end: number, at: number): void;
  onTooLong(): void;
};

type ReaderOptions = {
  readonly path: string;
  readonly from: number;
  readonly maxLineBytes: number;
  readonly handler: LineHandler;
};

/**
 * Reads a growing file line by line. The file itself is the buffer: only the position of an
 * unfinished line is kept, and a line that spans two chunks is read again when it is whole. So time
 * is linear and memory constant, whatever the length of a line.
 */
export function createLineReader(options: ReaderOptions) {
  const { path, maxLineBytes, handler } = options;
  const file = createPlainFile(path);
  let offset = options.from;
  let scanned = options.from;

  /** Reads to the end of the file, or until that time; answers whether there is more. */
  function read(until: number): boolean {
    for (;;) {
      const bytes = file.readInto(chunk, scanned);
      if (bytes === 0) return false;
      if (!handleChunk(bytes, until)) return true;
      if (performance.now() >= until) return true;
    }
  }

  /** False: out of time inside the chunk; the rest after `offset` is read again. */
  function handleChunk(bytes: number, until: number): boolean {
    const base = scanned;
    const view = chunk.subarray(0, bytes);
    let start = 0;
    for (let count = 1; ; count++) {
      const newline = view.indexOf(10, start);
      if (newline < 0) break;
      if (offset < base) handleSpanning(base + newline);
      else if (newline - start > maxLineBytes) handler.onTooLong();
      else handler.onLine(view, start, newline, offset);
      start = newline + 1;
      offset = base + start;
      if (count % LOOK_AT_THE_CLOCK_EVERY === 0 && performance.now() >= until) {
        scanned = offset;
        return false;
      }
    }
    scanned = base + bytes;
    return true;
  }

  function handleSpanning(end: number): void {
    const length = end - offset;
    if (length > maxLineBytes) return handler.onTooLong();
    const line = readAgain(offset, length);
    handler.onLine(line, 0, line.length, offset);
  }

  function readAgain(at: number, length: number): Buffer {
    const line = Buffer.allocUnsafe(length);
    return line.subarray(0, file.readInto(line, at));
  }

  return {
    read,
    /** The end of the last whole line; after finish() the end of all that was read. */
    get offset(): number {
      return offset;
    },
    get scanned(): number {
      return scanned;
    },
    size: file.size,
    close: file.close,
    /** Continues at this position; only before anything was read. */
    restartAt(position: number): void {
      offset = position;
      scanned = position;
    },
    /** Reads a line again that was passed to the handler before. */
    readAgain,
    /** End of the file: a last line without a newline counts too. */
    finish(): void {
      if (offset === scanned) return;
      handleSpanning(scanned);
      offset = scanned;
    },
  };
}

/** Opened at the first read; a file that does not exist yet is empty. */
function createPlainFile(path: string) {
  let fd: number | undefined;

  function open(): number | undefined {
    if (fd !== undefined) return fd;
    try {
      fd = openSync(path, READ_PLAIN);
    } catch (error) {
      if (!isCode(error, "ENOENT")) throw error;
    }
    return fd;
  }

  function readInto(buffer: Buffer, at: number): number {
    const file = open();
    return file === undefined ? 0 : readSync(file, buffer, 0, buffer.length, at);
  }

  function size(): number {
    const file = open();
    return file === undefined ? 0 : fstatSync(file).size;
  }

  function close(): void {
    if (fd !== undefined) closeSync(fd);
    fd = undefined;
  }

  return { readInto, size, close };
}
