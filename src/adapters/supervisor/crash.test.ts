import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { eventually, FAKE_AGENT, LAUNCHER } from "../../../test/kit/fake-agent/supervised.ts";
import { rounds } from "../../../test/kit/rounds.ts";
import { aTempDir } from "../../../test/kit/tmp-dir.ts";
import { procfs } from "./processes/process-table.ts";
import { sizeOf } from "./spool/spool.ts";

const ROUNDS = rounds({ all: 15, few: 3 });
const CRASH_DAEMON = join(import.meta.dirname, "../../../test/kit/fake-agent/crash-daemon.mjs");

type Expected = { readonly lines: number; readonly exitCode: number; readonly script: string[] };

/** Scripts that end in different ways; together they take a little longer than all the rounds. */
function aScript(index: number, startLog: string): Expected {
  const script = (...verbs: string[]): string[] => ["log", startLog, ...verbs];
  switch (index % 6) {
    case 0:
      return { lines: 3, exitCode: 3, script: script("events", "3", "exit", "3") };
    case 1:
      return { lines: 20_000, exitCode: 0, script: script("deltas", "20000", "sleep", "0.2") };
    case 2:
      return {
        lines: 7,
        exitCode: 137,
        script: script("garbage", "sleep", "0.3", "events", "4", "die"),
      };
    case 3:
      return {
        lines: 3,
        exitCode: 0,
        script: script("events", "2", "sleep", "0.4", "part", "half"),
      };
    case 4:
      return {
        lines: 3,
        exitCode: 4,
        script: script("events", "1", "long", "9000000", "events", "1", "exit", "4"),
      };
    default:
      return { lines: 0, exitCode: 9, script: script("sleep", "0.6", "exit", "9") };
  }
}

test("a daemon killed at random moments starts nothing twice and loses no line", async () => {
  const dir = aTempDir();
  const startLog = join(dir, "starts");
  const expected = new Map<string, Expected>();
  for (let index = 0; index < 10 * ROUNDS; index++) {
    expected.set(`impl-1-${index}`, aScript(index, startLog));
  }
  const plan = [...expected].map(([agentId, { script }]) => ({ agentId, script }));
  writeFileSync(join(dir, "plan.json"), JSON.stringify(plan));

  for (let round = 0; round < ROUNDS; round++) {
    const before = sizeOf(join(dir, "journal.jsonl"));
    const daemon = startDaemon(dir);
    // Half of the kills come anywhere, half in the middle of launching.
    if (round % 2 === 0) await sleep(100 + Math.random() * 400);
    else {
      await eventually("an intent", () => sizeOf(join(dir, "journal.jsonl")) > before || undefined);
      await sleep(Math.random() * 80);
    }
    // Sometimes the launcher goes first, in the middle of its work.
    if (round % 3 === 0) killLauncherOf(daemon.pid ?? -1);
    daemon.kill("SIGKILL");
    if (daemon.exitCode === null && daemon.signalCode === null) await once(daemon, "exit");
  }
  const last = startDaemon(dir);
  const [code] = await once(last, "exit");

  expect(existsSync(join(dir, "errors")) ? readErrors(dir) : "").toBe("");
  expect(code).toBe(0);
  const starts = readFileSync(startLog, "utf8").trim().split("\n");
  expect(starts.toSorted()).toEqual([...expected.keys()].toSorted());
  const found = [...readEnds(join(dir, "journal.jsonl"))].map(([agentId, end]) => ({
    agentId,
    lines: end.progress.lines,
    exitCode: end.exitCode,
    unread:
      statSync(join(dir, "spool", `${agentId}.${end.attempt}.out`)).size - end.progress.offset,
  }));
  const wanted = [...expected].map(([agentId, { lines, exitCode }]) => ({
    agentId,
    lines,
    exitCode,
    unread: 0,
  }));
  expect(found.toSorted(byId)).toEqual(wanted.toSorted(byId));
});

function startDaemon(dir: string) {
  return spawn(process.execPath, [CRASH_DAEMON, dir, LAUNCHER, FAKE_AGENT], { stdio: "inherit" });
}

function killLauncherOf(daemon: number): void {
  for (const { pid, parent } of procfs.table().values()) {
    if (parent === daemon) process.kill(pid, "SIGKILL");
  }
}

type End = {
  readonly attempt: number;
  readonly exitCode: number | null;
  readonly progress: { readonly lines: number; readonly offset: number };
};

function readEnds(journal: string): Map<string, End> {
  const ends = new Map<string, End>();
  for (const line of readFileSync(journal, "utf8").trim().split("\n")) {
    const batch: (End & { readonly type: string; readonly agentId: string })[] = JSON.parse(line);
    for (const each of batch) if (each.type === "ended") ends.set(each.agentId, each);
  }
  return ends;
}

/** Without the errors about killed launchers, which this test causes. */
function readErrors(dir: string): string {
  return readFileSync(join(dir, "errors"), "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("The launcher has ended"))
    .join("\n");
}

function byId(a: { agentId: string }, b: { agentId: string }): number {
  return a.agentId.localeCompare(b.agentId);
}
