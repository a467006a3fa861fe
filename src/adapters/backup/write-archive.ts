import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { type FileHandle, link, open, rename } from "node:fs/promises";
import { dirname } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { BackupRefused } from "../../app/ports/backups.ts";
import { isCode } from "../../base/error-code.ts";
import { syncDirectory } from "../key-file.ts";
import { type BackupInfo, CHECKSUMS_ENTRY, INFO_ENTRY } from "./archive-format.ts";
import { BLOCK, encodeHeader, paddingOf, type TarFile } from "./tar-header.ts";

const CHUNK = 1_048_576;

export type ArchivedFile = TarFile & {
  /** Its bytes, or the file that has them. The file may grow: only `size` bytes are read. */
  readonly content: Buffer | { readonly file: string };
};

export type WriteArchive = {
  readonly path: string;
  /** A name on the same file system for the unfinished archive; the caller removes it. */
  readonly temporary: string;
  readonly info: BackupInfo;
  readonly files: readonly ArchivedFile[];
  readonly mayReplace: boolean;
  readonly onBytes: (bytes: number) => void;
};

/** Written under another name first: after a crash there is the whole archive or none. */
export async function writeArchive(options: WriteArchive): Promise<void> {
  const { path, temporary, mayReplace } = options;
  await pipeline(
    Readable.from(blocksOf(options)),
    createGzip(),
    createWriteStream(temporary, { flags: "wx", mode: 0o600, flush: true }),
  );
  if (mayReplace) await rename(temporary, path);
  else await linkNew(temporary, path);
  syncDirectory(dirname(path));
}

/** Unlike a rename, a link fails if a file of that name has appeared meanwhile. */
async function linkNew(temporary: string, path: string): Promise<void> {
  try {
    await link(temporary, path);
  } catch (error) {
    if (isCode(error, "EEXIST")) throw new BackupRefused({ kind: "exists", path });
    // Some file systems have no hard links.
    await rename(temporary, path);
  }
}

async function* blocksOf({ info, files, onBytes }: WriteArchive): AsyncGenerator<Buffer> {
  const checksums: Record<string, string> = {};
  for (const file of [jsonEntry(INFO_ENTRY, info), ...files]) {
    const source = await openSource(file);
    // The daemon has deleted it meanwhile.
    if (source === undefined) continue;
    const hash = createHash("sha256");
    yield encodeHeader(file, Date.parse(info.createdAt));
    for await (const chunk of contentOf(file, source)) {
      hash.update(chunk);
      onBytes(chunk.length);
      yield chunk;
    }
    yield Buffer.alloc(paddingOf(file.size));
    checksums[file.path] = hash.digest("hex");
  }
  const last = jsonEntry(CHECKSUMS_ENTRY, checksums);
  yield encodeHeader(last, Date.parse(info.createdAt));
  yield* contentOf(last, last.content);
  yield Buffer.alloc(paddingOf(last.size) + 2 * BLOCK);
}

async function openSource({ content }: ArchivedFile): Promise<Buffer | FileHandle | undefined> {
  if (Buffer.isBuffer(content)) return content;
  try {
    return await open(content.file);
  } catch (error) {
    if (isCode(error, "ENOENT")) return undefined;
    throw error;
  }
}

async function* contentOf(
  { path, size }: TarFile,
  source: Buffer | FileHandle,
): AsyncGenerator<Buffer> {
  if (Buffer.isBuffer(source)) return yield source;
  let left = size;
  try {
    while (left > 0) {
      const buffer = Buffer.allocUnsafe(Math.min(left, CHUNK));
      const { bytesRead } = await source.read(buffer, 0, buffer.length, size - left);
      if (bytesRead === 0) throw new Error(`${path} became shorter while it was read. Try again.`);
      left -= bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await source.close();
  }
}

function jsonEntry(path: string, value: unknown): ArchivedFile & { readonly content: Buffer } {
  const content = Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
  return { path, size: content.length, content };
}
