import { appendFileSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { zstdDecompressSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { aTempDir } from "../../../../test/kit/tmp-dir.ts";
import { type AttemptKey, type TranscriptChunk } from "../../../app/ports/transcripts.ts";
import { MAX_CHUNK_BYTES } from "../../../domain/agents/transcript.ts";
import { createSpoolShipper } from "./ship-spool.ts";

const SILENT = { debug() {}, info() {}, warn() {}, error() {} };
const ONE = { agentId: "impl-1794733200-a", attempt: 1 } as const;
const TWO = { agentId: "impl-1794733200-b", attempt: 1 } as const;

const keyOf = ({ agentId, attempt }: AttemptKey): string => `${agentId}.${attempt}`;

/** Stores chunks in memory, and refuses those that leave a gap, as a store does. */
function aSpool() {
  const spoolDir = join(aTempDir(), "spool");
  mkdirSync(spoolDir);
  const stored = new Map<string, Buffer>();
  const ended = new Set<string>();
  const calls: (readonly TranscriptChunk[])[] = [];
  let asked = 0;
  let fault: "refuses" | "stores without an answer" | undefined;

  async function sink(chunks: readonly TranscriptChunk[]): Promise<void> {
    if (fault === "refuses") throw new Error("The database is away.");
    calls.push(chunks);
    for (const chunk of chunks) {
      const before = stored.get(keyOf(chunk)) ?? Buffer.alloc(0);
      expect(chunk.offset).toBeLessThanOrEqual(before.length);
      if (chunk.length === 0) ended.add(keyOf(chunk));
      const raw = chunk.length === 0 ? Buffer.alloc(0) : zstdDecompressSync(chunk.data);
      expect(raw.length).toBe(chunk.length);
      stored.set(keyOf(chunk), Buffer.concat([before.subarray(0, chunk.offset), raw]));
    }
    if (fault !== undefined) throw new Error("The answer was lost.");
  }

  function start() {
    const shipper = createSpoolShipper({
      spoolDir,
      sink,
      async acknowledged(attempts) {
        asked += 1;
        return attempts.map((attempt) => ({
          ...attempt,
          offset: stored.get(keyOf(attempt))?.length ?? 0,
          isComplete: ended.has(keyOf(attempt)),
        }));
      },
      log: SILENT,
      everyMs: 20,
    });
    onTestFinished(() => shipper.close());
    return shipper;
  }
  return {
    spoolDir,
    start,
    calls,
    asked: () => asked,
    fail: (how: typeof fault) => void (fault = how),
    write: (key: AttemptKey, text: string | Buffer) =>
      appendFileSync(join(spoolDir, `${keyOf(key)}.out`), text),
    text: (key: AttemptKey) => stored.get(keyOf(key))?.toString() ?? "",
    isEnded: (key: AttemptKey) => ended.has(keyOf(key)),
  };
}

test("output is sent while an agent writes it, and at its end with the end of the transcript", async () => {
  const { start, write, text, isEnded } = aSpool();
  const shipper = start();
  await shipper.resume();
  shipper.follow(ONE);

  write(ONE, "一\n二");
  await expect.poll(() => text(ONE)).toBe("一\n二");
  expect([isEnded(ONE), shipper.isShipped(ONE.agentId)]).toEqual([false, false]);
  const whenShipped = shipper.whenShipped(ONE.agentId);
  write(ONE, "\n三");
  await shipper.end([ONE]);

  expect(text(ONE)).toBe("一\n二\n三");
  expect([isEnded(ONE), shipper.isShipped(ONE.agentId)]).toEqual([true, true]);
  await whenShipped;
});

test("chunks have at most 64 KB, and those of several agents share a call", async () => {
  const { start, write, text, calls } = aSpool();
  const shipper = start();
  const long = Buffer.alloc(10 * MAX_CHUNK_BYTES + 5, "x");
  write(ONE, long);
  write(TWO, "short\n");
  shipper.follow(ONE);
  shipper.follow(TWO);

  await shipper.end([ONE, TWO]);

  expect(text(ONE).length).toBe(long.length);
  expect(text(TWO)).toBe("short\n");
  expect(new Set(calls[0]?.map(({ agentId }) => agentId)).size).toBe(2);
  const lengths = calls.flat().map(({ length }) => length);
  expect(Math.max(...lengths)).toBe(MAX_CHUNK_BYTES);
});

test("without news no file is opened, and nothing is asked or sent", async () => {
  const { start, write, calls, asked, spoolDir, text } = aSpool();
  const shipper = start();
  write(ONE, "x\n");
  shipper.follow(ONE);
  await expect.poll(() => text(ONE)).toBe("x\n");
  // A file of the same size that cannot be opened shows that it is not.
  rmSync(join(spoolDir, `${ONE.agentId}.1.out`));
  symlinkSync("ab", join(spoolDir, `${ONE.agentId}.1.out`));
  const before = [calls.length, asked()];
  await sleep(100);
  expect([calls.length, asked()]).toEqual(before);
});

test.each(["refuses", "stores without an answer"] as const)(
  "after a store that %s, everything is stored once and in order",
  async (how) => {
    const { start, write, text, fail } = aSpool();
    const shipper = start();
    await shipper.resume();
    shipper.follow(ONE);
    write(ONE, "one\n");
    fail(how);
    await shipper.end([]);
    await sleep(60);
    write(ONE, "two\n");
    fail(undefined);
    await expect.poll(() => text(ONE)).toBe("one\ntwo\n");

    await shipper.end([ONE]);
    expect(shipper.isShipped(ONE.agentId)).toBe(true);
    expect(text(ONE)).toBe("one\ntwo\n");
  },
);

test("the next process goes on behind what is stored, also with attempts that have ended meanwhile", async () => {
  const { start, write, text, calls, isEnded } = aSpool();
  const first = start();
  for (const key of [ONE, TWO]) {
    write(key, "one\n");
    first.follow(key);
  }
  await expect.poll(() => text(ONE) + text(TWO)).toBe("one\none\n");
  await first.close();
  for (const key of [ONE, TWO]) write(key, "two\n");
  const second = start();
  second.follow(ONE);
  expect(second.isShipped(TWO.agentId)).toBe(false);
  await second.resume();
  await second.whenShipped(TWO.agentId);
  await expect.poll(() => text(ONE)).toBe("one\ntwo\n");

  expect(text(TWO)).toBe("one\ntwo\n");
  expect([isEnded(ONE), isEnded(TWO)]).toEqual([false, true]);
  await second.close();
  const before = calls.length;
  const third = start();
  third.follow(ONE);
  await third.resume();
  await third.whenShipped(TWO.agentId);
  expect(calls.length).toBe(before);
});

test("nothing more is sent of agents that are forgotten, and one file that cannot be read holds up no other", async () => {
  const { start, write, text, spoolDir } = aSpool();
  const shipper = start();
  shipper.follow(ONE);
  write(ONE, "one\n");
  await expect.poll(() => text(ONE)).toBe("one\n");
  await shipper.forget([ONE.agentId]);
  write(ONE, "two\n");
  const three = { agentId: "impl-1794733200-c", attempt: 1 } as const;
  mkdirSync(join(spoolDir, `${three.agentId}.1.out`));
  writeFileSync(join(spoolDir, `${three.agentId}.1.out`, "x"), "");
  shipper.follow(three);
  shipper.follow(TWO);
  write(TWO, "x\n");

  await expect.poll(() => text(TWO)).toBe("x\n");
  expect(text(ONE)).toBe("one\n");
});
