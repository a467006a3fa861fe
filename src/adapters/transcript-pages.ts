const SCAN_BYTES = 256 * 1024;
const NEWLINE = 10;
const CUT = "…";

/** The bytes of a transcript, wherever they are stored. */
export type TranscriptBytes = {
  /** Read once for each page: later writes are for the next one. */
  readonly size: number;
  /** A last line without a newline is not whole yet, and is left for a later page. */
  readonly isGrowing: boolean;
  /** The bytes from an offset on; fewer than `length` only if there are no more. */
  readonly read: (from: number, length: number) => Promise<Buffer>;
};

export type TranscriptPage = {
  readonly lines: readonly string[];
  readonly nextOffset: number;
  readonly size: number;
};

export const EMPTY_PAGE: TranscriptPage = { lines: [], nextOffset: 0, size: 0 };

/** Reads one page of lines; memory is bounded by the size of a page. */
export async function readPage(
  bytes: TranscriptBytes,
  offset: number,
  maxBytes: number,
): Promise<TranscriptPage> {
  const { size } = bytes;
  const start = await startOfLine(bytes, Math.min(Math.max(0, offset), size));
  return { ...(await readLines(bytes, start, maxBytes)), size };
}

/** The last `maxBytes` as text, cut between characters and marked as truncated. */
export async function readTail(
  { size, read }: Pick<TranscriptBytes, "size" | "read">,
  maxBytes: number,
): Promise<string> {
  const from = Math.max(0, size - maxBytes);
  const bytes = await read(from, size - from);
  return from === 0 ? bytes.toString("utf8") : CUT + wholeCharacters(bytes).toString("utf8");
}

/** Drops the rest of a UTF-8 character that was cut: up to three continuation bytes. */
function wholeCharacters(bytes: Buffer): Buffer {
  const start = bytes.subarray(0, 3).findIndex((byte) => (byte & 0xc0) !== 0x80);
  return bytes.subarray(start === -1 ? 3 : start);
}

async function readLines(
  transcript: TranscriptBytes,
  start: number,
  maxBytes: number,
): Promise<Omit<TranscriptPage, "size">> {
  const { size, isGrowing } = transcript;
  // One byte more, for the newline of a line of exactly that length.
  const bytes = await transcript.read(start, Math.min(maxBytes + 1, size - start));
  const end = bytes.lastIndexOf(NEWLINE);
  if (end >= 0) {
    const lines = bytes.toString("utf8", 0, end).split("\n");
    const nextOffset = start + end + 1;
    const isRest = nextOffset < size && start + bytes.length === size && !isGrowing;
    if (!isRest || bytes.length > maxBytes) return { lines, nextOffset };
    return { lines: [...lines, bytes.toString("utf8", end + 1)], nextOffset: size };
  }
  if (bytes.length === 0) return { lines: [], nextOffset: start };
  const newline = await findNewline(transcript, start + bytes.length);
  if (newline === undefined && isGrowing) return { lines: [], nextOffset: start };
  return {
    lines: [bytes.length > maxBytes ? cut(bytes.subarray(0, maxBytes)) : bytes.toString("utf8")],
    nextOffset: newline === undefined ? size : newline + 1,
  };
}

/** An offset inside a line moves to the start of the next line, or to the end. */
async function startOfLine(bytes: TranscriptBytes, offset: number): Promise<number> {
  if (offset === 0) return 0;
  const newline = await findNewline(bytes, offset - 1);
  return newline === undefined ? bytes.size : newline + 1;
}

async function findNewline(
  { size, read }: TranscriptBytes,
  from: number,
): Promise<number | undefined> {
  for (let at = from; at < size; at += SCAN_BYTES) {
    const bytes = await read(at, Math.min(SCAN_BYTES, size - at));
    const newline = bytes.indexOf(NEWLINE);
    if (newline >= 0) return at + newline;
  }
  return undefined;
}

/** A streaming decoder holds back an incomplete character at the end. */
function cut(bytes: Buffer): string {
  return new TextDecoder().decode(bytes, { stream: true }) + CUT;
}
