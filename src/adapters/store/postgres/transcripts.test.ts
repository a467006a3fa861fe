import { randomBytes } from "node:crypto";
import { zstdCompressSync } from "node:zlib";
import { Client } from "pg";
import { expect, onTestFinished, test } from "vitest";
import { aGroup, anAgent, NOON } from "../../../../test/kit/builders.ts";
import { aMigratedUrl } from "../../../../test/kit/postgres/daemon-place.ts";
import { type TranscriptChunk } from "../../../app/ports/transcripts.ts";
import { MAX_CHUNK_BYTES } from "../../../domain/agents/transcript.ts";
import { agentId as idOf, dayOf, startDayOf, type AgentId } from "../../../domain/ids.ts";
import { readPage } from "../../transcript-pages.ts";
import { openPostgresStore } from "./postgres-store.ts";
import { openTranscripts } from "./transcripts.ts";

const DAY_MS = 86_400_000;
const ID = idOf("impl-code", NOON, "a3f2");

/** Transcripts in a new database that has this agent. */
async function transcriptsOf(...agents: readonly AgentId[]) {
  const url = await aMigratedUrl();
  const store = await openPostgresStore({ url });
  const transcripts = openTranscripts({ url });
  onTestFinished(async () => {
    await transcripts.close();
    await store.close();
  });
  await store.transaction(async (unit) => {
    await unit.insertGroup(aGroup());
    for (const id of agents) {
      await unit.insertAgent(
        anAgent({ id, createdAt: Date.parse(startDayOf(id)) + DAY_MS / 2 }),
        "x",
      );
    }
  });
  return { url, transcripts };
}

function chunkOf(raw: Buffer | string, offset: number, agentId = ID): TranscriptChunk {
  const bytes = Buffer.from(raw);
  const data = bytes.length === 0 ? bytes : zstdCompressSync(bytes);
  return {
    agentId,
    attempt: 1,
    startDay: startDayOf(agentId),
    offset,
    length: bytes.length,
    data,
  };
}

/** A whole transcript in chunks of this size, with its end. */
function chunksOf(raw: Buffer, size: number, agentId = ID): readonly TranscriptChunk[] {
  const count = Math.ceil(raw.length / size);
  const chunks = Array.from({ length: count }, (_, index) =>
    chunkOf(raw.subarray(index * size, (index + 1) * size), index * size, agentId),
  );
  return [...chunks, chunkOf("", raw.length, agentId)];
}

async function query(url: string, text: string, values: readonly unknown[] = []) {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(text, [...values]);
  await client.end();
  return rows;
}

const tableOf = (at: number) => `transcript_chunks_${dayOf(at).replaceAll("-", "")}`;

const partitionsOf = async (url: string): Promise<readonly string[]> =>
  (
    await query(
      url,
      "select inhrelid::regclass::text as name from pg_inherits where inhparent = 'transcript_chunks'::regclass",
    )
  ).map(({ name }) => String(name));

test("stored chunks are read as the lines of the file, whatever lines and characters they cut", async () => {
  const raw = Buffer.from(
    Array.from({ length: 60 }, (_, n) => `${"魔👍".repeat(n % 5)}${n}\n`).join(""),
  );
  const { transcripts } = await transcriptsOf(ID);
  await transcripts.put(chunksOf(raw, 7));
  const file = {
    size: raw.length,
    isGrowing: false,
    read: async (from: number, length: number) => raw.subarray(from, from + length),
  };

  for (const maxBytes of [1, 30, 10_000]) {
    for (let offset = 0; offset <= raw.length + 1; offset += 151) {
      const page = await transcripts.read(ID, 1, offset, maxBytes);
      expect(page).toEqual(await readPage(file, offset, maxBytes));
    }
  }
  expect(await transcripts.readEnd(ID, 1, 9)).toBe("…👍59\n");
});

test("a chunk that is sent again changes nothing, and a longer one at its offset replaces it", async () => {
  const { url, transcripts } = await transcriptsOf(ID);
  const first = chunkOf("one\ntw", 0);

  await transcripts.put([first, first]);
  await transcripts.put([first]);
  // The answer to the first call was lost, and the file has grown meanwhile.
  await transcripts.put([chunkOf("one\ntwo\n", 0), chunkOf("three\n", 8)]);
  await transcripts.put([first]);

  expect(await transcripts.read(ID, 1, 0, 100)).toEqual({
    lines: ["one", "two", "three"],
    nextOffset: 14,
    size: 14,
  });
  expect(
    await query(url, "select byte_offset::int, length from transcript_chunks order by 1"),
  ).toEqual([
    { byte_offset: 0, length: 8 },
    { byte_offset: 8, length: 6 },
  ]);
});

test("chunks that would leave a gap are refused with the rest of their call, and asking says where to go on", async () => {
  const other = idOf("impl-code", NOON, "b000");
  const { transcripts } = await transcriptsOf(ID, other);
  await transcripts.put([chunkOf("one\n", 0)]);

  const attempt = transcripts.put([chunkOf("three\n", 8), chunkOf("x\n", 0, other)]);

  await expect(attempt).rejects.toThrow("not stored up to byte 8");
  expect(
    await transcripts.acknowledged([
      { agentId: other, attempt: 1 },
      { agentId: ID, attempt: 1 },
      { agentId: ID, attempt: 2 },
    ]),
  ).toEqual([
    { agentId: other, attempt: 1, offset: 0, isComplete: false },
    { agentId: ID, attempt: 1, offset: 4, isComplete: false },
    { agentId: ID, attempt: 2, offset: 0, isComplete: false },
  ]);
  await transcripts.put([chunkOf("two\n", 4), chunkOf("three\n", 8)]);
  expect((await transcripts.read(ID, 1, 0, 100)).lines).toEqual(["one", "two", "three"]);
});

test("an unfinished last line is returned once the end is stored, and the file may still grow after it", async () => {
  const { transcripts } = await transcriptsOf(ID);
  const stored = async () => (await transcripts.acknowledged([{ agentId: ID, attempt: 1 }]))[0];
  expect(await transcripts.read(ID, 1, 0, 100)).toEqual({ lines: [], nextOffset: 0, size: 0 });

  await transcripts.put([chunkOf("one\ntw", 0)]);
  expect(await transcripts.read(ID, 1, 0, 100)).toEqual({ lines: ["one"], nextOffset: 4, size: 6 });
  await transcripts.put([chunkOf("", 6)]);
  expect(await transcripts.read(ID, 1, 0, 100)).toMatchObject({ lines: ["one", "tw"] });
  expect(await stored()).toMatchObject({ offset: 6, isComplete: true });

  await transcripts.put([chunkOf("o\n", 6)]);
  expect(await transcripts.read(ID, 1, 0, 100)).toMatchObject({ lines: ["one", "two"] });
  expect(await stored()).toMatchObject({ offset: 8, isComplete: false });
});

test("a transcript of 24 MB is stored and read in pages, and its end is found at once", async () => {
  const { transcripts } = await transcriptsOf(ID);
  const lines = Array.from(
    { length: 6_000 },
    (_, n) => `${n} ${randomBytes(64).toString("hex")}${"黒魔術".repeat(435)}`,
  );
  const raw = Buffer.from(`${lines.join("\n")}\n`);
  expect(raw.length).toBeGreaterThan(24_000_000);
  const chunks = chunksOf(raw, MAX_CHUNK_BYTES);
  for (let at = 0; at < chunks.length; at += 16) await transcripts.put(chunks.slice(at, at + 16));

  const seen: string[] = [];
  for (let offset = 0; offset < raw.length;) {
    const page = await transcripts.read(ID, 1, offset, 1_048_576);
    expect(page.size).toBe(raw.length);
    seen.push(...page.lines);
    offset = page.nextOffset;
  }
  // Not with toEqual: it would take seconds to compare and to print 24 MB.
  expect(seen.length === lines.length && seen.every((line, n) => line === lines[n])).toBe(true);
  const tail = await transcripts.readEnd(ID, 1, 8_192);
  expect(tail.endsWith(`${lines.at(-1)}\n`)).toBe(true);
});

test("chunks of agents that have left the lists are dropped, and nothing more of them is asked for", async () => {
  const { url, transcripts } = await transcriptsOf(ID);
  const gone = idOf("impl-code", NOON, "b000");
  await transcripts.put([chunkOf("one\n", 0), chunkOf("x\n", 0, gone)]);
  await query(url, "update agents set in_view = 0");
  await transcripts.put([chunkOf("two\n", 4)]);

  expect((await transcripts.read(ID, 1, 0, 100)).lines).toEqual(["one"]);
  expect((await transcripts.read(gone, 1, 0, 100)).size).toBe(0);
  const asked = [ID, gone].map((agentId) => ({ agentId, attempt: 1 }));
  expect((await transcripts.acknowledged(asked)).map(({ isComplete }) => isComplete)).toEqual([
    true,
    true,
  ]);
  await transcripts.remove([ID]);
  expect(await query(url, "select 1 from transcript_chunks")).toEqual([]);
});

test("days are created ahead by several servers at once, and those without agents in the lists are dropped", async () => {
  const days = [NOON, NOON + DAY_MS, NOON + 2 * DAY_MS];
  const [first, kept, last] = days.map((at) => idOf("impl-code", at, "a3f2"));
  if (!first || !kept || !last) throw new Error("There are three agents.");
  const { url, transcripts } = await transcriptsOf(first, kept, last);
  await Promise.all([1, 2, 3].map(() => transcripts.prepare(NOON)));
  const stored = "select distinct attstorage from pg_attribute where attname = 'data'";
  expect(await query(url, `${stored} and attrelid::regclass::text like 'transcript%'`)).toEqual([
    { attstorage: "e" },
  ]);
  const beforeAll = idOf("impl-code", NOON - 40 * DAY_MS, "a3f2");
  await transcripts.put([first, kept, last].map((id) => chunkOf("x\n", 0, id)));
  await query(
    url,
    "insert into transcript_chunks select $1::date, $2, attempt, byte_offset, length, data from transcript_chunks limit 1",
    [startDayOf(beforeAll), beforeAll],
  );
  expect(await partitionsOf(url)).toEqual(expect.arrayContaining(days.map(tableOf)));
  expect(await query(url, "select 1 from transcript_chunks_default")).toHaveLength(1);

  await query(url, "update agents set in_view = 0 where id <> $1", [kept]);
  await transcripts.removeBefore(dayOf(NOON + 2 * DAY_MS));

  const left = await partitionsOf(url);
  expect(days.map((at) => left.includes(tableOf(at)))).toEqual([false, true, true]);
  expect(await query(url, "select 1 from transcript_chunks_default")).toEqual([]);
  expect((await transcripts.read(kept, 1, 0, 9)).lines).toEqual(["x"]);
  // A day that is gone goes to the default partition, which keeps later days from being refused.
  await query(url, "update agents set in_view = 1");
  await transcripts.put([chunkOf("late\n", 0, first)]);
  await transcripts.prepare(NOON);
  expect((await transcripts.read(first, 1, 0, 9)).lines).toEqual(["late"]);
});

test("a user who may not create tables stores transcripts in the default partition, and retention deletes them", async () => {
  const at = NOON + 90 * DAY_MS;
  const id = idOf("impl-code", at, "a3f2");
  const { url, transcripts: owner } = await transcriptsOf(id);
  await owner.prepare(NOON);
  const role = `dml_${randomBytes(4).toString("hex")}`;
  await query(url, `create role ${role} login`);
  onTestFinished(async () => {
    await query(url, `drop owned by ${role}; drop role ${role}`);
  });
  await query(
    url,
    `grant select, insert, update, delete on all tables in schema public to ${role}`,
  );
  const transcripts = openTranscripts({ url: `${url}?options=-c%20role%3D${role}` });
  onTestFinished(() => transcripts.close());

  await transcripts.prepare(at);
  await transcripts.put([chunkOf("x\n", 0, id)]);
  expect(await query(url, "select 1 from transcript_chunks_default")).toHaveLength(1);
  await query(url, "update agents set in_view = 0");
  await transcripts.removeBefore(dayOf(at + DAY_MS));

  expect(await query(url, "select 1 from transcript_chunks")).toEqual([]);
});
