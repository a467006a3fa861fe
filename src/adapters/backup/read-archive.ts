import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { type ArchiveFault, BackupRefused } from "../../app/ports/backups.ts";
import { isCode } from "../../base/error-code.ts";
import { parseJson } from "../../base/narrow.ts";
import {
  type BackupInfo,
  CHECKSUMS_ENTRY,
  checksumsShape,
  INFO_ENTRY,
  infoShape,
  MAX_JSON_BYTES,
  safeEntry,
} from "./archive-format.ts";
import { createByteReader, type ByteReader } from "./byte-reader.ts";
import { BLOCK, decodeHeader, paddingOf, type TarFile } from "./tar-header.ts";

export type ArchiveVisitor = {
  /** The first entry; reject to stop. */
  info(info: BackupInfo): Promise<void>;
  /** A file below `data/` or `project/`; its path is safe. Must read all of the content. */
  file(entry: TarFile, content: AsyncIterable<Buffer>): Promise<void>;
};

/** Reads an archive once, and rejects unless all of it is what was written. */
export async function readArchive(path: string, visitor: ArchiveVisitor): Promise<BackupInfo> {
  const refuse = (fault: ArchiveFault) => new BackupRefused({ kind: "damaged", path, fault });
  let info: BackupInfo | undefined;
  try {
    await pipeline(
      createReadStream(path),
      createGunzip(),
      async (source: AsyncIterable<Buffer>) => {
        info = await readEntries(createByteReader(source), visitor, refuse);
      },
    );
  } catch (error) {
    if (isCode(error, "ENOENT")) throw new BackupRefused({ kind: "no-archive", path });
    if (isCode(error, "Z_BUF_ERROR") || error instanceof TooShort) {
      throw refuse({ kind: "truncated" });
    }
    if (isZlibError(error)) throw refuse({ kind: "not-an-archive" });
    throw error;
  }
  if (info === undefined) throw refuse({ kind: "truncated" });
  return info;
}

/** The archive ends too early. */
class TooShort extends Error {}

async function readEntries(
  bytes: ByteReader,
  visitor: ArchiveVisitor,
  refuse: (fault: ArchiveFault) => BackupRefused,
): Promise<BackupInfo> {
  const found = new Map<string, string>();
  const first = await nextEntry(bytes, refuse);
  if (first?.path !== INFO_ENTRY) throw refuse({ kind: "not-an-archive" });
  const text = await readJsonEntry(bytes, first, refuse);
  const info = infoShape.safeParse(parseJson(text)).data;
  if (!info) throw refuse({ kind: "not-an-archive" });
  found.set(INFO_ENTRY, sha256(text));
  await visitor.info(info);
  let left = info.bytes;
  for (;;) {
    const entry = await nextEntry(bytes, refuse);
    if (!entry) throw refuse({ kind: "truncated" });
    if (entry.path === CHECKSUMS_ENTRY) {
      compare(found, await readJsonEntry(bytes, entry, refuse), refuse);
      // Reading on makes zlib verify its own checksum.
      await bytes.drain();
      return info;
    }
    // More than was announced would not fit into the space that was checked.
    left -= entry.size;
    if (safeEntry(entry.path) === undefined || found.has(entry.path) || left < 0) {
      throw refuse({ kind: "foreign-entry", path: entry.path });
    }
    const hash = createHash("sha256");
    await visitor.file(entry, hashed(bytes, entry.size, hash));
    await skip(bytes, paddingOf(entry.size));
    found.set(entry.path, hash.digest("hex"));
  }
}

async function nextEntry(
  bytes: ByteReader,
  refuse: (fault: ArchiveFault) => BackupRefused,
): Promise<TarFile | undefined> {
  const block = await exactly(bytes, BLOCK);
  const entry = decodeHeader(block);
  if (entry === undefined) {
    const path = block
      .subarray(0, 100)
      .toString("utf8")
      .replaceAll(/[\p{Cc}]/gu, "");
    throw refuse({ kind: "foreign-entry", path });
  }
  return entry === "end" ? undefined : entry;
}

async function readJsonEntry(
  bytes: ByteReader,
  { path, size }: TarFile,
  refuse: (fault: ArchiveFault) => BackupRefused,
): Promise<string> {
  if (size > MAX_JSON_BYTES) throw refuse({ kind: "foreign-entry", path });
  const text = (await exactly(bytes, size)).toString("utf8");
  await skip(bytes, paddingOf(size));
  return text;
}

function compare(
  found: ReadonlyMap<string, string>,
  text: string,
  refuse: (fault: ArchiveFault) => BackupRefused,
): void {
  const checksums = checksumsShape.safeParse(parseJson(text)).data;
  if (!checksums) throw refuse({ kind: "changed", path: CHECKSUMS_ENTRY });
  const paths = new Set([...found.keys(), ...Object.keys(checksums)]);
  for (const path of paths) {
    if (found.get(path) !== checksums[path]) throw refuse({ kind: "changed", path });
  }
}

async function* hashed(bytes: ByteReader, size: number, hash: ReturnType<typeof createHash>) {
  for (let left = size; left > 0;) {
    const chunk = await bytes.some(left);
    if (chunk === undefined) throw new TooShort();
    left -= chunk.length;
    hash.update(chunk);
    yield chunk;
  }
}

async function exactly(bytes: ByteReader, size: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (let left = size; left > 0;) {
    const chunk = await bytes.some(left);
    if (chunk === undefined) throw new TooShort();
    left -= chunk.length;
    parts.push(chunk);
  }
  return Buffer.concat(parts);
}

async function skip(bytes: ByteReader, size: number): Promise<void> {
  await exactly(bytes, size);
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function isZlibError(error: unknown): boolean {
  return error instanceof Error && "code" in error && String(error.code).startsWith("Z_");
}
