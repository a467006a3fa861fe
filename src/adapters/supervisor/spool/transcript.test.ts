import { execFileSync } from "node:child_process";
import { appendFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { aSupervisor } from "../../../../test/kit/fake-agent/supervised.ts";
import { aTempDir } from "../../../../test/kit/tmp-dir.ts";
import { readEnd, readTranscript } from "./transcript.ts";

test("each page of a transcript continues where the one before ended", async () => {
  const { path, page } = aFile("一\ntwo\n\nfour\n");

  expect(await page(0, 7)).toEqual({ lines: ["一", "two"], nextOffset: 8, size: 14 });
  expect(await page(8, 8)).toEqual({ lines: ["", "four"], nextOffset: 14, size: 14 });
  expect(await page(14, 8)).toEqual({ lines: [], nextOffset: 14, size: 14 });
  appendFileSync(path, "five\n");
  expect(await page(14, 8)).toEqual({ lines: ["five"], nextOffset: 19, size: 19 });
});

test("pages of any size return all lines once and in order", async () => {
  const lines = Array.from({ length: 40 }, (_, n) => "魔".repeat(n % 7) + n);
  const { page } = aFile(`${lines.join("\n")}\n`);

  for (const maxBytes of [23, 24, 25, 40, 64, 1_000]) {
    const seen: string[] = [];
    for (let offset = 0; ;) {
      const { lines: some, nextOffset, size } = await page(offset, maxBytes);
      seen.push(...some);
      expect(nextOffset).toBeGreaterThan(offset);
      offset = nextOffset;
      if (offset === size) break;
    }
    expect(seen).toEqual(lines);
  }
});

test("the end of a file is cut between characters and marked as truncated", async () => {
  const { path } = aFile("一二三👍\n");

  expect(await readEnd(path, 1_000)).toBe("一二三👍\n");
  expect(await readEnd(path, 14)).toBe("一二三👍\n");
  expect(await readEnd(path, 13)).toBe("…二三👍\n");
  expect(await readEnd(path, 11)).toBe("…二三👍\n");
  expect(await readEnd(path, 5)).toBe("…👍\n");
  expect(await readEnd(path, 4)).toBe("…\n");
  expect(await readEnd(path, 1)).toBe("…\n");
  expect(await readEnd(join(aTempDir(), "none"), 10)).toBe("");
});

test("an offset inside a line starts with the next one", async () => {
  const { page } = aFile("first\nsecond\n");

  for (const offset of [1, 3, 5, 6]) {
    expect(await page(offset, 100)).toMatchObject({ lines: ["second"], nextOffset: 13 });
  }
  expect(await page(7, 100)).toEqual({ lines: [], nextOffset: 13, size: 13 });
});

test("an offset outside the file is moved to its beginning or end", async () => {
  const { page } = aFile("one\n");

  expect(await page(-5, 100)).toMatchObject({ lines: ["one"] });
  expect(await page(5_000, 100)).toEqual({ lines: [], nextOffset: 4, size: 4 });
});

test("a line longer than a page is truncated between characters, and its rest is skipped", async () => {
  const { page } = aFile(`${"魔術".repeat(200_000)}\nnext\n`);

  expect(await page(0, 10)).toMatchObject({ lines: ["魔術魔…"], nextOffset: 1_200_001 });
  expect(await page(1_200_001, 10)).toMatchObject({ lines: ["next"] });
  expect(await page(1, 10)).toMatchObject({ lines: ["next"] });
});

test("a line of exactly the size of a page is not truncated", async () => {
  const { page } = aFile("12345\n67890\n");

  expect(await page(0, 5)).toMatchObject({ lines: ["12345"], nextOffset: 6 });
  expect(await page(0, 4)).toMatchObject({ lines: ["1234…"], nextOffset: 6 });
});

test("an unfinished last line is returned once it is whole, or once the file no longer grows", async () => {
  const { path, page } = aFile("one\ntw");

  expect(await page(0, 100, true)).toMatchObject({ lines: ["one"], nextOffset: 4 });
  expect(await page(4, 100, true)).toMatchObject({ lines: [], nextOffset: 4 });
  expect(await page(4, 1, true)).toMatchObject({ lines: [], nextOffset: 4 });
  expect(await page(0, 100)).toMatchObject({ lines: ["one", "tw"], nextOffset: 6 });
  expect(await page(4, 100)).toMatchObject({ lines: ["tw"], nextOffset: 6 });
  expect(await page(4, 1)).toMatchObject({ lines: ["t…"], nextOffset: 6 });
  appendFileSync(path, "o\n");
  expect(await page(4, 100, true)).toMatchObject({ lines: ["two"], nextOffset: 8 });
});

test("bytes that are no text are read too, and a missing file is empty", async () => {
  const { path, page } = aFile(Buffer.from([0xff, 0x0a, 0x00, 0x0a]));

  expect(await page(0, 100)).toMatchObject({ lines: ["\ufffd", "\0"], nextOffset: 4 });
  writeFileSync(path, "");
  expect(await page(0, 100)).toEqual({ lines: [], nextOffset: 0, size: 0 });
  const nowhere = { path: `${path}.none`, offset: 9, maxBytes: 9, isGrowing: false };
  expect(await readTranscript(nowhere)).toEqual({ lines: [], nextOffset: 0, size: 0 });
});

test("a supervisor reads the output of running and of settled agents", async () => {
  const { supervisor, launch, started, ended, dir, spool } = aSupervisor();
  await launch("impl-1-a", ["message", "hello", "await", join(dir, "go")]);
  await started("impl-1-a");
  appendFileSync(spool("impl-1-a.1.out"), "unfinished");

  const living = await supervisor.readTranscript("impl-1-a", 1, 0, 10_000);
  writeFileSync(join(dir, "go"), "");
  await ended("impl-1-a");
  const settled = await supervisor.readTranscript("impl-1-a", 1, living.nextOffset, 10_000);

  expect(living.lines).not.toContain("unfinished");
  expect([...living.lines, ...settled.lines].join("\n")).toContain("hello");
  expect([...living.lines, ...settled.lines].join("\n")).toContain("unfinished");
  expect(settled.nextOffset).toBe(settled.size);
  expect(await supervisor.readOutputEnd("impl-1-a", 1, 10_000)).toContain("hello");
});

test("no agent id leads out of the spool", async () => {
  const { supervisor, dir } = aSupervisor();
  writeFileSync(join(dir, "secret-1-a.1.out"), "secret\n");

  const attempt = supervisor.readTranscript("../secret-1-a", 1, 0, 100);

  await expect(attempt).rejects.toThrow("cannot be the name");
});

function aFile(content: string | Buffer) {
  const path = join(aTempDir(), "out");
  writeFileSync(path, content);
  const page = (offset: number, maxBytes: number, isGrowing = false) =>
    readTranscript({ path, offset, maxBytes, isGrowing });
  return { path, page };
}

test("a pipe or a link in place of the output file is an empty transcript and does not block", async () => {
  const dir = aTempDir();
  const [pipe, link] = [join(dir, "pipe"), join(dir, "link")];
  execFileSync("mkfifo", [pipe]);
  symlinkSync("/etc/passwd", link);

  for (const path of [pipe, link]) {
    const page = await readTranscript({ path, offset: 0, maxBytes: 100, isGrowing: false });
    expect(page).toEqual({ lines: [], nextOffset: 0, size: 0 });
  }
});
