import { type FileHandle, open } from "node:fs/promises";
import { isCode } from "../../../base/error-code.ts";
import { READ_PLAIN } from "./spool.ts";

const CHUNK_BYTES = 256 * 1024;
const NEWLINE = 10;
const CUT = "…";

export type Transcript = {
  readonly lines: readonly string[];
  readonly nextOffset: number;
  readonly size: number;
};

export type ReadTranscript = {
  readonly path: string;
  readonly offset: number;
  readonly maxBytes: number;
  /** A last line without a newline is not whole yet, and is left for a later call. */
  readonly isGrowing: boolean;
};

/** Reads one page of lines asynchronously; memory is bounded by the size of a page. */
export async function readTranscript(options: ReadTranscript): Promise<Transcript> {
  const file = await openIfThere(options.path);
  if (!file) return { lines: [], nextOffset: 0, size: 0 };
  try {
    // The size is read once: later writes are for the next call.
    const { size } = await file.stat();
    const start = await startOfLine(file, Math.min(Math.max(0, options.offset), size), size);
    return { ...(await readLines(file, start, size, options)), size };
  } finally {
    await file.close();
  }
}

/** The last `maxBytes` of a file as text, cut between characters and marked as truncated. */
export async function readEnd(path: string, maxBytes: number): Promise<string> {
  const file = await openIfThere(path);
  if (!file) return "";
  try {
    const { size } = await file.stat();
    const from = Math.max(0, size - maxBytes);
    const bytes = await readBytes(file, from, size - from);
    return from === 0 ? bytes.toString("utf8") : CUT + wholeCharacters(bytes).toString("utf8");
  } finally {
    await file.close();
  }
}

/** Drops the rest of a UTF-8 character that was cut: up to three continuation bytes. */
function wholeCharacters(bytes: Buffer): Buffer {
  const start = bytes.subarray(0, 3).findIndex((byte) => (byte & 0xc0) !== 0x80);
  return bytes.subarray(start === -1 ? 3 : start);
}

async function openIfThere(path: string): Promise<FileHandle | undefined> {
  try {
    const file = await open(path, READ_PLAIN);
    if ((await file.stat()).isFile()) return file;
    await file.close();
    return undefined;
  } catch (error) {
    if (isCode(error, "ENOENT") || isCode(error, "ELOOP")) return undefined;
    throw error;
  }
}

async function readLines(
  file: FileHandle,
  start: number,
  size: number,
  { maxBytes, isGrowing }: ReadTranscript,
): Promise<Omit<Transcript, "size">> {
  // One byte more, for the newline of a line of exactly that length.
  const bytes = await readBytes(file, start, Math.min(maxBytes + 1, size - start));
  const end = bytes.lastIndexOf(NEWLINE);
  if (end >= 0) {
    const lines = bytes.toString("utf8", 0, end).split("\n");
    const nextOffset = start + end + 1;
    const isRest = nextOffset < size && start + bytes.length === size && !isGrowing;
    if (!isRest || bytes.length > maxBytes) return { lines, nextOffset };
    return { lines: [...lines, bytes.toString("utf8", end + 1)], nextOffset: size };
  }
  if (bytes.length === 0) return { lines: [], nextOffset: start };
  const newline = await findNewline(file, start + bytes.length, size);
  if (newline === undefined && isGrowing) return { lines: [], nextOffset: start };
  return {
    lines: [bytes.length > maxBytes ? cut(bytes.subarray(0, maxBytes)) : bytes.toString("utf8")],
    nextOffset: newline === undefined ? size : newline + 1,
  };
}

/** An offset inside a line moves to the start of the next line, or to the end of the file. */
async function startOfLine(file: FileHandle, offset: number, size: number): Promise<number> {
  if (offset === 0) return 0;
  const newline = await findNewline(file, offset - 1, size);
  return newline === undefined ? size : newline + 1;
}

async function findNewline(
  file: FileHandle,
  from: number,
  size: number,
): Promise<number | undefined> {
  for (let at = from; at < size; at += CHUNK_BYTES) {
    const bytes = await readBytes(file, at, Math.min(CHUNK_BYTES, size - at));
    const newline = bytes.indexOf(NEWLINE);
    if (newline >= 0) return at + newline;
  }
  return undefined;
}

async function readBytes(file: FileHandle, from: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, from);
  return buffer.subarray(0, bytesRead);
}

/** A streaming decoder holds back an incomplete character at the end. */
function cut(bytes: Buffer): string {
  return new TextDecoder().decode(bytes, { stream: true }) + CUT;
}
