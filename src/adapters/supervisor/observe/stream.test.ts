import { mkdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { aSupervisor, eventually } from "../../../../test/kit/fake-agent/supervised.ts";
import { aTempDir } from "../../../../test/kit/tmp-dir.ts";

test("garbage lines are counted and skipped, and a character written in two parts is joined", async () => {
  const { launch, ended } = aSupervisor();
  const [head, tail] = ['{"type":"message","text":"黒\\351\\255', '\\224術"}\\n'];

  await launch("impl-1-a", ["garbage", "bytes", head, "sleep", "0.1", "bytes", tail, "line", ""]);
  const { progress } = await ended("impl-1-a");

  expect(progress).toMatchObject({ lines: 5, skippedLines: 3, lastMessage: "黒魔術" });
});

test("a last line without a newline counts when the agent has ended, not before", async () => {
  const { launch, ended, ledger, dir, spool } = aSupervisor();
  const part = '{"type":"message","text":"x"}';

  await launch("impl-1-a", ["events", "1", "part", part, "await", join(dir, "go")]);
  const offset = await eventually(
    "the first line",
    () => ledger.get("impl-1-a").progress.offset || undefined,
  );
  await eventually("the part", () => statSync(spool("impl-1-a.1.out")).size > offset || undefined);
  expect(ledger.get("impl-1-a").progress).toMatchObject({ lines: 1, lastMessage: "" });

  writeFileSync(join(dir, "go"), "");
  const { progress } = await ended("impl-1-a");

  expect(progress).toMatchObject({ lines: 2, lastMessage: "x" });
  expect(progress.offset).toBe(statSync(spool("impl-1-a.1.out")).size);
});

test("a line of 64 MB is skipped without blocking the event loop or filling memory", async () => {
  const slices: number[] = [];
  const { launch, ended, spool } = aSupervisor({ onSlice: ({ cpuMs }) => slices.push(cpuMs) });
  const before = process.memoryUsage().rss;

  await launch("impl-1-a", ["events", "2", "long", "67108864", "events", "3"]);
  const { progress } = await ended("impl-1-a");

  expect(progress).toMatchObject({ lines: 6, skippedLines: 1, toolCallCount: 5 });
  expect(progress.offset).toBe(statSync(spool("impl-1-a.1.out")).size);
  expect(Math.max(...slices)).toBeLessThanOrEqual(50);
  expect(process.memoryUsage().rss - before).toBeLessThan(60 * 1024 ** 2);
});

test("200,000 events are counted in short slices of the event loop", async () => {
  const slices: number[] = [];
  const { launch, ended } = aSupervisor({ onSlice: ({ cpuMs }) => slices.push(cpuMs) });

  await launch("impl-1-a", ["deltas", "100000", "events", "2000"]);
  await launch("impl-1-b", ["deltas", "100000", "message", "b"]);
  const [a, b] = [await ended("impl-1-a"), await ended("impl-1-b")];

  expect(a.progress).toMatchObject({ lines: 102_000, skippedLines: 0, toolCallCount: 2_000 });
  expect(b.progress).toMatchObject({ lines: 100_001, skippedLines: 0, lastMessage: "b" });
  expect(Math.max(...slices)).toBeLessThanOrEqual(50);
});

test("a few deltas are shown whole, and a message replaces them", async () => {
  const { launch, ended, ledger, dir } = aSupervisor();

  await launch("impl-1-a", [
    "deltas",
    "3",
    "await",
    join(dir, "go"),
    "deltas",
    "9",
    "message",
    "M",
  ]);
  await eventually(
    "the preview",
    () => ledger.get("impl-1-a").progress.lastMessage === "<1><2><3>" || undefined,
  );
  writeFileSync(join(dir, "go"), "");

  expect((await ended("impl-1-a")).progress).toMatchObject({ lines: 13, lastMessage: "M" });
});

test("a written file counts as created if it is younger than the agent, else as edited", async () => {
  const dir = aTempDir();
  const { launch, ended } = aSupervisor({ dir, clock: { now: () => Date.now() + 1_500 } });
  mkdirSync(join(dir, "work"));
  writeFileSync(join(dir, "work", "old"), "");
  utimesSync(join(dir, "work", "old"), 1, 1);

  const script = ["sleep", "0.8", "touch", "new", "wrote", "new", "wrote", "old", "wrote", "gone"];
  await launch("impl-1-a", script, { workingDirectory: join(dir, "work") });
  const { progress } = await ended("impl-1-a");

  expect(progress).toMatchObject({ createdFiles: ["new"], editedFiles: ["old", "gone"] });
});

test("a flood of output from one agent does not delay another agent", async () => {
  const { supervisor, launch, ended, ledger } = aSupervisor({
    maxSpoolBytes: 2 ** 40,
    graceMs: 20_000,
  });

  await launch("impl-1-a", ["flood"]);
  await eventually("the flood", () => ledger.get("impl-1-a").progress.lines || undefined);
  await launch("impl-1-b", ["events", "5"]);

  expect(await ended("impl-1-b")).toMatchObject({ exitCode: 0, progress: { lines: 5 } });
  supervisor.stop("impl-1-a", "SIGTERM");
  const { progress, exitCode } = await ended("impl-1-a");
  expect(exitCode).toBe(143);
  expect(progress.skippedLines).toBe(0);
});
