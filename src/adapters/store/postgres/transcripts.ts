import { promisify } from "node:util";
import { zstdDecompress } from "node:zlib";
import { sql } from "kysely";
import {
  type AttemptKey,
  type StoredEnd,
  type TranscriptChunk,
  type Transcripts,
} from "../../../app/ports/transcripts.ts";
import type { Log } from "../../../app/ports/world.ts";
import { MAX_CHUNK_BYTES } from "../../../domain/agents/transcript.ts";
import { startDayOf } from "../../../domain/ids.ts";
import { readPage, readTail, type TranscriptBytes } from "../../transcript-pages.ts";
import type { Db } from "../sql/engine/tables.ts";
import { createPool } from "./engine/connect.ts";
import { createDb } from "./engine/executor.ts";
import { createDays, dropDays } from "./transcript-days.ts";

const CONNECTIONS = 2;

const decompress = promisify(zstdDecompress);

/** Connections of its own: long transcripts must not hold up transactions. */
export function openTranscripts(options: {
  readonly url: string;
  readonly log?: Log | undefined;
}): Transcripts {
  const pool = createPool({ ...options, name: "kuromajutsu transcripts" }, CONNECTIONS);
  const db = createDb(pool);
  let isReported = false;

  async function open(key: AttemptKey): Promise<TranscriptBytes> {
    const [end] = await storedEnds(db, [key]);
    return {
      size: end?.offset ?? 0,
      isGrowing: !end?.isEnded,
      read: (from, length) => readBytes(db, key, from, length),
    };
  }

  return {
    put: (chunks) => putChunks(db, chunks),
    async acknowledged(attempts) {
      const ends = await storedEnds(db, attempts);
      return ends.map(({ agentId, attempt, offset, isEnded, isWanted }): StoredEnd => {
        return { agentId, attempt, offset, isComplete: isEnded || !isWanted };
      });
    },
    async read(agentId, attempt, offset, maxBytes) {
      return readPage(await open({ agentId, attempt }), offset, maxBytes);
    },
    async readEnd(agentId, attempt, maxBytes) {
      return readTail(await open({ agentId, attempt }), maxBytes);
    },
    async remove(agentIds) {
      if (agentIds.length === 0) return;
      const days = [...new Set(agentIds.map(startDayOf))];
      await sql`
        delete from transcript_chunks
          where day = any(${days}::date[]) and agent_id = any(${agentIds}::text[])`.execute(db);
    },
    removeBefore: (day) => dropDays(pool, day),
    async prepare(now) {
      const reason = await createDays(pool, now);
      if (reason === undefined || isReported) return;
      isReported = true;
      options.log?.info("Transcripts of new days are stored in the default partition.", { reason });
    },
    close: () => pool.end(),
  };
}

/** A chunk that is longer than the stored one at its offset replaces it: files only grow. */
async function putChunks(db: Db, chunks: readonly TranscriptChunk[]): Promise<void> {
  const given = inOrder(chunks);
  if (given.length === 0) return;
  const { rows } = await sql<{ agent_id: string; attempt: number; byte_offset: number }>`
    with given as (
      select * from unnest(
        ${given.map(({ startDay }) => startDay)}::date[],
        ${given.map(({ agentId }) => agentId)}::text[],
        ${given.map(({ attempt }) => attempt)}::integer[],
        ${given.map(({ offset }) => offset)}::bigint[],
        ${given.map(({ length }) => length)}::integer[],
        ${given.map(({ data }) => Buffer.from(data))}::bytea[],
        ${given.map(({ continues }) => continues)}::boolean[]
      ) as chunk (day, agent_id, attempt, byte_offset, length, data, continues)
    ), wanted as (
      select given.* from given
        join agents on agents.id = given.agent_id and agents.in_view = 1
    ), gaps as (
      select agent_id, attempt, byte_offset from wanted where not continues and not exists (
        select 1 from transcript_chunks as before
          where before.day = wanted.day and before.agent_id = wanted.agent_id
            and before.attempt = wanted.attempt
            and before.byte_offset < wanted.byte_offset
            and before.byte_offset >= wanted.byte_offset - ${MAX_CHUNK_BYTES}
            and before.byte_offset + before.length >= wanted.byte_offset)
    ), stored as (
      insert into transcript_chunks as known (day, agent_id, attempt, byte_offset, length, data)
        select day, agent_id, attempt, byte_offset, length, data from wanted
          where not exists (select 1 from gaps)
        on conflict (day, agent_id, attempt, byte_offset) do update
          set length = excluded.length, data = excluded.data
          where known.length < excluded.length
    )
    select agent_id, attempt, byte_offset from gaps`.execute(db);
  const [gap] = rows;
  if (!gap) return;
  throw new Error(
    `The transcript ${gap.agent_id}.${gap.attempt} is not stored up to byte ${gap.byte_offset}.`,
  );
}

type GivenChunk = TranscriptChunk & {
  /** It is at the beginning of the transcript, or behind another one of the same call. */
  readonly continues: boolean;
};

/** In the order of the key, without repeated chunks. */
function inOrder(chunks: readonly TranscriptChunk[]): readonly GivenChunk[] {
  const longest = new Map<string, TranscriptChunk>();
  for (const chunk of chunks) {
    const key = `${chunk.agentId}.${chunk.attempt}.${chunk.offset}`;
    if ((longest.get(key)?.length ?? -1) < chunk.length) longest.set(key, chunk);
  }
  const sorted = [...longest.values()].toSorted(byKey);
  return sorted.map((chunk, index) => {
    const before = sorted[index - 1];
    const continues =
      chunk.offset === 0 ||
      (before !== undefined &&
        before.agentId === chunk.agentId &&
        before.attempt === chunk.attempt &&
        before.offset + before.length >= chunk.offset);
    return { ...chunk, continues };
  });
}

function byKey(a: TranscriptChunk, b: TranscriptChunk): number {
  if (a.agentId !== b.agentId) return a.agentId < b.agentId ? -1 : 1;
  return a.attempt - b.attempt || a.offset - b.offset;
}

type End = AttemptKey & {
  readonly offset: number;
  /** The end of the transcript is stored. */
  readonly isEnded: boolean;
  /** Its agent is in the lists. */
  readonly isWanted: boolean;
};

async function storedEnds(db: Db, attempts: readonly AttemptKey[]): Promise<readonly End[]> {
  if (attempts.length === 0) return [];
  const { rows } = await sql<{ stored: number; is_ended: boolean; is_wanted: boolean }>`
    select coalesce(last.byte_offset + last.length, 0) as stored,
        coalesce(last.length = 0, false) as is_ended,
        exists (select 1 from agents where id = asked.agent_id and in_view = 1) as is_wanted
      from unnest(
        ${attempts.map(({ agentId }) => startDayOf(agentId))}::date[],
        ${attempts.map(({ agentId }) => agentId)}::text[],
        ${attempts.map(({ attempt }) => attempt)}::integer[]
      ) with ordinality as asked (day, agent_id, attempt, number)
      left join lateral (
        select byte_offset, length from transcript_chunks as chunk
          where chunk.day = asked.day and chunk.agent_id = asked.agent_id
            and chunk.attempt = asked.attempt
          order by byte_offset desc limit 1) as last on true
      order by number`.execute(db);
  return attempts.map(({ agentId, attempt }, index) => {
    const row = rows[index];
    return {
      agentId,
      attempt,
      offset: row?.stored ?? 0,
      isEnded: row?.is_ended ?? false,
      isWanted: row?.is_wanted ?? false,
    };
  });
}

/** Chunks may overlap, so each one adds only what is behind the bytes before it. */
async function readBytes(
  db: Db,
  { agentId, attempt }: AttemptKey,
  from: number,
  length: number,
): Promise<Buffer> {
  const to = from + length;
  const { rows } = await sql<{ byte_offset: number; length: number; data: Buffer }>`
    select byte_offset, length, data from transcript_chunks
      where day = ${startDayOf(agentId)}::date and agent_id = ${agentId} and attempt = ${attempt}
        and byte_offset > ${from - MAX_CHUNK_BYTES} and byte_offset < ${to}
        and byte_offset + length > ${from}
      order by byte_offset`.execute(db);
  const parts: Buffer[] = [];
  let at = from;
  for (const row of rows) {
    const end = row.byte_offset + row.length;
    if (end <= at) continue;
    const raw = await decompress(row.data, { maxOutputLength: row.length });
    parts.push(raw.subarray(at - row.byte_offset, Math.min(to, end) - row.byte_offset));
    at = Math.min(to, end);
  }
  return Buffer.concat(parts);
}
