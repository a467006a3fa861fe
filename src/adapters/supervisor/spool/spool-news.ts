import { promisify } from "node:util";
import { zstdCompress } from "node:zlib";
import { type AttemptKey, type TranscriptChunk } from "../../../app/ports/transcripts.ts";
import { MAX_CHUNK_BYTES } from "../../../domain/agents/transcript.ts";
import { startDayOf } from "../../../domain/ids.ts";
import { sizeOf } from "./spool.ts";
import { openIfThere, readBytes } from "./transcript.ts";

/** Bytes of one attempt in one shipment, so that all attempts have their turn. */
const SHIPMENT_BYTES = 4 * MAX_CHUNK_BYTES;

const compress = promisify(zstdCompress);

type ReadNews = AttemptKey & {
  readonly path: string;
  readonly from: number | undefined;
  readonly isOver: boolean;
};

export type Shipment<Attempt extends ReadNews> = {
  readonly attempt: Attempt;
  readonly chunks: readonly TranscriptChunk[];
  /** Where the next shipment begins. */
  readonly end: number;
  readonly hasMore: boolean;
  /** It has the end of the transcript. */
  readonly isWhole: boolean;
};

/** The next chunks of an attempt; undefined: it has written nothing new. Opens no unchanged file. */
export async function readNews<Attempt extends ReadNews>(
  attempt: Attempt,
): Promise<Shipment<Attempt> | undefined> {
  const { path, from = 0, isOver } = attempt;
  // After a power cut the file can be shorter than what was sent.
  const size = Math.max(from, sizeOf(path));
  if (size === from && !isOver) return undefined;
  const raw = await readFile(path, from, Math.min(SHIPMENT_BYTES, size - from));
  const end = from + raw.length;
  // A file that cannot be read further, such as a link in its place, ends here.
  const hasMore = end < size && raw.length > 0;
  const isWhole = isOver && !hasMore;
  if (raw.length === 0 && !isWhole) return undefined;
  const chunks = await chunksOf(attempt, from, raw);
  return {
    attempt,
    chunks: isWhole ? [...chunks, endOf(attempt, end)] : chunks,
    end,
    hasMore,
    isWhole,
  };
}

async function readFile(path: string, from: number, length: number): Promise<Buffer> {
  const file = length === 0 ? undefined : await openIfThere(path);
  if (!file) return Buffer.alloc(0);
  try {
    return await readBytes(file, from, length);
  } finally {
    await file.close();
  }
}

function chunksOf(key: AttemptKey, from: number, raw: Buffer): Promise<TranscriptChunk[]> {
  const count = Math.ceil(raw.length / MAX_CHUNK_BYTES);
  return Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const at = index * MAX_CHUNK_BYTES;
      const piece = raw.subarray(at, at + MAX_CHUNK_BYTES);
      const data = await compress(piece);
      return { ...keyOf(key), offset: from + at, length: piece.length, data };
    }),
  );
}

function endOf(key: AttemptKey, offset: number): TranscriptChunk {
  return { ...keyOf(key), offset, length: 0, data: new Uint8Array() };
}

function keyOf({ agentId, attempt }: AttemptKey) {
  return { agentId, attempt, startDay: startDayOf(agentId) };
}
