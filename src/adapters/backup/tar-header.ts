/**
 * Headers of POSIX ustar archives (IEEE Std 1003.1, pax, "ustar Interchange Format"), which every tar
 * program reads. Only regular files: a backup has nothing else, and a restore accepts nothing else.
 */
export const BLOCK = 512;

const NAME_BYTES = 100;
const PREFIX_BYTES = 155;
const MAX_OCTAL_SIZE = 8 ** 11 - 1;

export type TarFile = { readonly path: string; readonly size: number };

/** Whether the path fits into a header. */
export function fitsHeader(path: string): boolean {
  return splitPath(path) !== undefined;
}

export function encodeHeader({ path, size }: TarFile, modifiedAt: number): Buffer {
  const split = splitPath(path);
  if (!split) throw new Error(`${path} is too long for an archive.`);
  const header = Buffer.alloc(BLOCK);
  header.write(split.name, 0, NAME_BYTES);
  header.write("0000600\0", 100);
  header.write("0000000\0", 108);
  header.write("0000000\0", 116);
  writeSize(header, size);
  header.write(
    `${Math.floor(modifiedAt / 1_000)
      .toString(8)
      .padStart(11, "0")}\0`,
    136,
  );
  header.write("0", 156);
  header.write("ustar\0", 257);
  header.write("00", 263);
  header.write(split.prefix, 345, PREFIX_BYTES);
  header.write(`${checksumOf(header).toString(8).padStart(6, "0")}\0 `, 148);
  return header;
}

/** undefined: no header of a regular file. "end": the block that ends an archive. */
export function decodeHeader(block: Buffer): TarFile | "end" | undefined {
  if (block.every((byte) => byte === 0)) return "end";
  if (Number.parseInt(textAt(block, 148, 8), 8) !== checksumOf(block)) return undefined;
  if (textAt(block, 257, 6) !== "ustar" || textAt(block, 156, 1) !== "0") return undefined;
  const [name, prefix] = [textAt(block, 0, NAME_BYTES), textAt(block, 345, PREFIX_BYTES)];
  const size = readSize(block);
  if (size === undefined) return undefined;
  return { path: prefix === "" ? name : `${prefix}/${name}`, size };
}

/** Files are padded to whole blocks. */
export const paddingOf = (size: number): number => (BLOCK - (size % BLOCK)) % BLOCK;

function splitPath(path: string): { readonly name: string; readonly prefix: string } | undefined {
  if (Buffer.byteLength(path) <= NAME_BYTES) return { name: path, prefix: "" };
  for (let at = path.indexOf("/"); at !== -1; at = path.indexOf("/", at + 1)) {
    const [prefix, name] = [path.slice(0, at), path.slice(at + 1)];
    const fits = Buffer.byteLength(name) <= NAME_BYTES && Buffer.byteLength(prefix) <= PREFIX_BYTES;
    if (fits && name !== "") return { name, prefix };
  }
  return undefined;
}

/** Sizes above 8 GiB are binary, as GNU tar writes them. */
function writeSize(header: Buffer, size: number): void {
  if (size <= MAX_OCTAL_SIZE) {
    header.write(`${size.toString(8).padStart(11, "0")}\0`, 124);
    return;
  }
  header[124] = 0x80;
  header.writeBigUInt64BE(BigInt(size), 128);
}

function readSize(block: Buffer): number | undefined {
  if (block[124] === 0x80) {
    const size = Number(block.readBigUInt64BE(128));
    return Number.isSafeInteger(size) ? size : undefined;
  }
  const text = textAt(block, 124, 12).trim();
  return /^[0-7]{1,11}$/.test(text) ? Number.parseInt(text, 8) : undefined;
}

/** The sum of all bytes, with the checksum itself as spaces. */
function checksumOf(header: Buffer): number {
  return header.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 0x20 : byte), 0);
}

function textAt(block: Buffer, start: number, length: number): string {
  const field = block.subarray(start, start + length);
  const end = field.indexOf(0);
  return field.subarray(0, end === -1 ? length : end).toString("utf8");
}
