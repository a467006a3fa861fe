import { type FileHandle, open } from "node:fs/promises";
import { isCode } from "../../../base/error-code.ts";
import { EMPTY_PAGE, readPage, readTail, type TranscriptPage } from "../../transcript-pages.ts";
import { READ_PLAIN } from "./spool.ts";

export type ReadTranscript = {
  readonly path: string;
  readonly offset: number;
  readonly maxBytes: number;
  /** A last line without a newline is not whole yet, and is left for a later call. */
  readonly isGrowing: boolean;
};

/** Reads one page of lines of a spool file; a missing file is empty. */
export async function readTranscript(options: ReadTranscript): Promise<TranscriptPage> {
  const { path, offset, maxBytes, isGrowing } = options;
  const file = await openIfThere(path);
  if (!file) return EMPTY_PAGE;
  try {
    const { size } = await file.stat();
    const read = (from: number, length: number) => readBytes(file, from, length);
    return await readPage({ size, isGrowing, read }, offset, maxBytes);
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
    return await readTail(
      { size, read: (from, length) => readBytes(file, from, length) },
      maxBytes,
    );
  } finally {
    await file.close();
  }
}

/** Undefined also for a pipe or a link in place of the file. */
export async function openIfThere(path: string): Promise<FileHandle | undefined> {
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

export async function readBytes(file: FileHandle, from: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, from);
  return buffer.subarray(0, bytesRead);
}
