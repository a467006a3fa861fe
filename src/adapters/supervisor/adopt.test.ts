import { spawn } from "node:child_process";
import {
  existsSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { aLedger } from "../../../test/kit/fake-agent/ledger.ts";
import { aSupervisor, eventually } from "../../../test/kit/fake-agent/supervised.ts";
import { aTempDir } from "../../../test/kit/tmp-dir.ts";
import { procfs } from "./processes/process-table.ts";
import { claimForDaemon, createSpool, spoolFiles } from "./spool/spool.ts";

test("a second daemon goes on with a running agent exactly at the stored offset", async () => {
  const dir = aTempDir();
  const ledger = aLedger();
  const first = aSupervisor({ dir, ledger });
  await first.launch("impl-1-a", [
    "events",
    "3",
    "await",
    join(dir, "go"),
    "events",
    "2",
    "exit",
    "6",
  ]);
  await eventually("three lines", () => ledger.get("impl-1-a").progress.lines === 3 || undefined);
  await first.supervisor.close();

  writeFileSync(join(dir, "go"), "");
  const { supervisor, ended, spool } = aSupervisor({ dir, ledger });
  supervisor.adopt(ledger.adoption("impl-1-a"));
  await ended("impl-1-a");

  const { exitCode, progress } = ledger.get("impl-1-a");
  expect(exitCode).toBe(6);
  expect(progress).toMatchObject({ lines: 5, toolCallCount: 5, skippedLines: 0 });
  expect(progress.offset).toBe(statSync(spool("impl-1-a.1.out")).size);
  expect(existsSync(spool("impl-1-a.1.in"))).toBe(false);
  expect(ledger.told.filter(({ type }) => type === "started")).toHaveLength(1);
  expect(ledger.violations).toEqual([]);
});

test("an agent that ended while no daemon ran is settled with its code and all of its output", async () => {
  const dir = aTempDir();
  const ledger = aLedger();
  const first = aSupervisor({ dir, ledger });
  await first.launch("impl-1-a", ["await", join(dir, "go"), "events", "4", "exit", "8"]);
  await first.started("impl-1-a");
  await first.supervisor.close();
  writeFileSync(join(dir, "go"), "");
  await eventually(
    "its exit line",
    () => readFileSync(first.spool("impl-1-a.1.status"), "utf8").includes("exit") || undefined,
  );

  const { supervisor, ended } = aSupervisor({ dir, ledger });
  supervisor.adopt(ledger.adoption("impl-1-a"));
  await ended("impl-1-a");

  expect(ledger.get("impl-1-a")).toMatchObject({ exitCode: 8, progress: { lines: 4 } });
});

test("a pid line that no daemon has seen is reported as a start", async () => {
  const dir = aTempDir();
  const first = aSupervisor({ dir, observe: () => Promise.reject(new Error("never")) });
  await first.launch("impl-1-a", ["exit", "2"]);
  await eventually("it", () => existsSync(first.spool("impl-1-a.1.claim")) || undefined);
  await first.supervisor.close();

  const { supervisor, ledger, ended } = aSupervisor({ dir });
  supervisor.adopt(ledger.adoption("impl-1-a"));

  expect(await ended("impl-1-a")).toMatchObject({ outcome: "ended", exitCode: 2 });
  expect(ledger.told.map(({ type }) => type)).toEqual(["started", "ended"]);
});

test("after a reboot no process is taken for an agent of before", async () => {
  const { supervisor, ledger, ended, spool } = aSupervisor();
  const start = procfs.get(process.pid)?.start ?? "";
  const status = `boot other\npid ${process.pid} (sh) ${"0 ".repeat(19)}${start}\n`;
  for (const name of ["impl-1-a", "impl-1-b"]) {
    writeFileSync(spool(`${name}.1.status`), status);
    writeFileSync(spool(`${name}.1.out`), '{"type":"message","text":"before"}\nhalf');
  }

  const identity = { pid: process.pid, start, bootId: "other" };
  supervisor.adopt({ ...ledger.adoption("impl-1-a"), process: identity });
  // The earlier daemon had not seen this one start.
  supervisor.adopt({ ...ledger.adoption("impl-1-b"), process: null });

  for (const id of ["impl-1-a", "impl-1-b"] as const) {
    expect(await ended(id)).toMatchObject({
      outcome: "ended",
      exitCode: null,
      progress: { lines: 2, skippedLines: 1, lastMessage: "before" },
    });
  }
});

test("a process with the pid of an agent but another start time is not the agent", async () => {
  const { supervisor, ledger, ended } = aSupervisor({ bootId: "this" });

  supervisor.adopt({
    ...ledger.adoption("impl-1-a"),
    process: { pid: process.pid, start: "1", bootId: "this" },
  });

  expect(await ended("impl-1-a")).toMatchObject({ outcome: "ended", exitCode: null });
});

test("a launch that was intended and not made is claimed, and a late wrapper does not run it", async () => {
  const { supervisor, ledger, ended, launch, dir, spool } = aSupervisor();

  supervisor.adopt(ledger.adoption("impl-1-a"));
  expect((await ended("impl-1-a")).outcome).toBe("not_launched");

  expect(readFileSync(spool("impl-1-a.1.claim"), "utf8")).toBe("daemon");
  await launch("impl-1-a", ["touch", join(dir, "ran")]);
  await eventually(
    "its word",
    () => ledger.told.filter(({ type }) => type === "not_launched").length === 2 || undefined,
  );
  expect(existsSync(join(dir, "ran"))).toBe(false);
});

test("the claim of a daemon that died is recognised by the next daemon", async () => {
  const dir = aTempDir();
  createSpool(join(dir, "spool"));
  claimForDaemon(spoolFiles(join(dir, "spool"), "impl-1-a", 1));

  const { supervisor, ledger, ended } = aSupervisor({ dir });
  supervisor.adopt(ledger.adoption("impl-1-a"));

  expect((await ended("impl-1-a")).outcome).toBe("not_launched");
});

test("an attempt whose wrapper was killed between claim and pid line is given up", async () => {
  const { supervisor, ledger, ended, spool } = aSupervisor({ startMs: 3_000 });
  writeFileSync(spool("impl-1-a.1.claim"), "");

  supervisor.adopt(ledger.adoption("impl-1-a"));
  await sleep(200);
  expect(ledger.get("impl-1-a").outcome).toBeNull();

  expect((await ended("impl-1-a")).outcome).toBe("not_launched");
});

test("an adopted attempt with a slow wrapper is not given up", async () => {
  const { supervisor, ledger, ended, spool } = aSupervisor({ startMs: 100 });
  writeFileSync(spool("impl-1-a.1.claim"), "");
  // Stands in for the wrapper: a process with the claim in its command line.
  const slow = spawn("sleep", ["600"], { argv0: spool("impl-1-a.1.claim") });

  supervisor.adopt(ledger.adoption("impl-1-a"));
  await sleep(1_300);
  expect(ledger.get("impl-1-a").outcome).toBeNull();
  slow.kill("SIGKILL");

  expect((await ended("impl-1-a")).outcome).toBe("not_launched");
});

test("output that a power cut has shortened is read on at its end, with a skipped line", async () => {
  const dir = aTempDir();
  const ledger = aLedger();
  const first = aSupervisor({ dir, ledger });
  await first.launch("impl-1-a", ["events", "3", "await", join(dir, "go"), "events", "2"]);
  await eventually("three lines", () => ledger.get("impl-1-a").progress.lines === 3 || undefined);
  await first.supervisor.close();
  truncateSync(first.spool("impl-1-a.1.out"), 40);

  const { supervisor, ended, logged } = aSupervisor({ dir, ledger });
  supervisor.adopt(ledger.adoption("impl-1-a"));
  writeFileSync(join(dir, "go"), "");
  await ended("impl-1-a");

  expect(ledger.get("impl-1-a").progress).toMatchObject({ lines: 5, skippedLines: 1 });
  expect(ledger.get("impl-1-a").progress.offset).toBe(statSync(first.spool("impl-1-a.1.out")).size);
  expect(logged.join("\n")).toContain("shorter than what was already read");
});

test("an adopted agent can be stopped", async () => {
  const dir = aTempDir();
  const ledger = aLedger();
  const first = aSupervisor({ dir, ledger });
  await first.launch("impl-1-a", ["deaf", "events", "1", "hang"]);
  await eventually("its line", () => ledger.get("impl-1-a").progress.lines || undefined);
  await first.supervisor.close();

  const { supervisor, ended } = aSupervisor({ dir, ledger });
  supervisor.adopt(ledger.adoption("impl-1-a"));
  supervisor.stop("impl-1-a", "SIGTERM");
  await ended("impl-1-a");

  expect(ledger.get("impl-1-a")).toMatchObject({ exitCode: 137, survivors: [] });
});

test("a stop that the daemon did not survive is carried out by the next daemon", async () => {
  const dir = aTempDir();
  const ledger = aLedger();
  const first = aSupervisor({ dir, ledger, graceMs: 60_000 });
  await first.launch("impl-1-a", ["deaf", "events", "1", "hang"]);
  await eventually("its line", () => ledger.get("impl-1-a").progress.lines || undefined);
  first.supervisor.stop("impl-1-a", "SIGTERM");
  // Long enough for the polite signal, which this agent ignores.
  await sleep(300);
  await first.supervisor.close();
  expect(ledger.get("impl-1-a").outcome).toBeNull();

  const { supervisor, ended } = aSupervisor({ dir, ledger });
  supervisor.adopt(ledger.adoption("impl-1-a"));
  supervisor.stop("impl-1-a", "SIGTERM");
  await ended("impl-1-a");

  expect(ledger.get("impl-1-a")).toMatchObject({ exitCode: 137, survivors: [] });
  expect(ledger.violations).toEqual([]);
});

test("an agent that a signal ended between two daemons keeps its exit code when it is stopped again", async () => {
  const dir = aTempDir();
  const ledger = aLedger();
  const first = aSupervisor({ dir, ledger });
  await first.launch("impl-1-a", ["events", "1", "hang"]);
  await eventually("its line", () => ledger.get("impl-1-a").progress.lines || undefined);
  await first.supervisor.close();
  process.kill(-(ledger.get("impl-1-a").process?.pid ?? 0), "SIGTERM");
  await eventually(
    "its exit line",
    () => readFileSync(first.spool("impl-1-a.1.status"), "utf8").includes("exit") || undefined,
  );

  const { supervisor, ended } = aSupervisor({ dir, ledger });
  supervisor.adopt(ledger.adoption("impl-1-a"));
  supervisor.stop("impl-1-a", "SIGTERM");
  await ended("impl-1-a");

  expect(ledger.get("impl-1-a")).toMatchObject({ outcome: "ended", exitCode: 143, survivors: [] });
  expect(ledger.told.filter(({ type }) => type === "ended")).toHaveLength(1);
});

test.each([
  ["out", { exitCode: 8, progress: { lines: 0 } }],
  ["err", { exitCode: 8, stderrTail: "", progress: { lines: 4 } }],
  ["status", { exitCode: null, progress: { lines: 4 } }],
])("an agent whose .%s file can never be read is settled without it", async (ending, rest) => {
  const dir = aTempDir();
  const ledger = aLedger();
  const first = aSupervisor({ dir, ledger });
  await first.launch("impl-1-a", ["await", join(dir, "go"), "events", "4", "exit", "8"]);
  await first.started("impl-1-a");
  await first.supervisor.close();
  writeFileSync(join(dir, "go"), "");
  await eventually(
    "its exit line",
    () => readFileSync(first.spool("impl-1-a.1.status"), "utf8").includes("exit") || undefined,
  );
  const file = first.spool(`impl-1-a.1.${ending}`);
  rmSync(file);
  symlinkSync(file, file);

  const { supervisor, ended } = aSupervisor({ dir, ledger });
  supervisor.adopt(ledger.adoption("impl-1-a"));

  expect(await ended("impl-1-a")).toMatchObject({
    outcome: "ended",
    unreadable: expect.stringContaining("ELOOP"),
    ...rest,
  });
});
