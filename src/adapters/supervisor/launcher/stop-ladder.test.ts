import { expect, onTestFinished, test } from "vitest";
import { eventually } from "../../../../test/kit/fake-agent/supervised.ts";
import type { Processes, ProcessRow } from "../processes/process-table.ts";
import { createAgentTrees } from "./agent-trees.ts";
import type { StopRequest } from "./launcher-messages.ts";
import { createStopLadder, type Stopped } from "./stop-ladder.ts";

/** A machine on which signals do what the test says: wrapper 100 with its CLI 101. */
function aLadder(onSignal: (pid: number, signal: string, alive: Set<number>) => void) {
  const alive = new Set([100, 101]);
  const signals: string[] = [];
  const stopped: Stopped[] = [];
  const looks = { fail: false, failed: 0 };
  function look<T>(found: T): T {
    if (looks.fail) throw new Error("EMFILE");
    return found;
  }
  const processes: Processes = {
    table: () => look(new Map([...alive].map((pid) => [pid, row(pid)] as const))),
    get: (pid) => look(alive.has(pid) ? row(pid) : undefined),
    isStillThere: (pid) => look(alive.has(pid)),
    agentMark: () => undefined,
    isMentioned: () => false,
  };
  const ladder = createStopLadder({
    processes,
    trees: createAgentTrees(processes, () => []),
    kill(pid, signal) {
      signals.push(`${pid} ${signal}`);
      onSignal(pid, signal, alive);
    },
    onStopped: (_, each) => stopped.push(each),
    onFailedLook: () => void (looks.failed += 1),
    giveUpMs: 400,
    wrapperMs: 100,
  });
  onTestFinished(() => ladder.close());
  return {
    ladder,
    signals,
    alive,
    looks,
    stopped,
    end: () => eventually("the end", () => stopped[0]),
  };
}

function row(pid: number): ProcessRow {
  const parent = pid === 100 ? process.pid : 100;
  return { pid, parent, group: 100, session: 100, start: "1", command: "cli" };
}

const REQUEST: StopRequest = {
  type: "stop",
  key: "a.1",
  mark: "impl-1-a",
  pid: 100,
  start: "1",
  signal: "SIGINT",
  graceMs: 100,
};

test("an agent that obeys the polite signal gets only that signal", async () => {
  const { ladder, signals, end } = aLadder((_, __, alive) => alive.clear());

  ladder.add(REQUEST);
  ladder.add(REQUEST);

  expect(await end()).toEqual({ killed: [], survivors: [] });
  expect(signals).toEqual(["-100 SIGINT"]);
});

test("the stop ladder spares the wrapper so that it can write the exit code", async () => {
  const { ladder, signals, end } = aLadder((pid, signal, alive) => {
    if (pid === 101 && signal === "SIGKILL") alive.clear();
  });

  ladder.add(REQUEST);

  expect(await end()).toEqual({ killed: ["pid 101 (cli)"], survivors: [] });
  expect(signals).toEqual(["-100 SIGINT", "101 SIGKILL"]);
});

test("the stop ladder kills a wrapper that has no child left and does not end", async () => {
  const { ladder, signals, end } = aLadder((pid, signal, alive) => {
    if (signal === "SIGKILL") alive.delete(pid);
  });

  ladder.add(REQUEST);

  expect(await end()).toEqual({ killed: ["pid 101 (cli)"], survivors: [] });
  expect(signals).toEqual(["-100 SIGINT", "101 SIGKILL", "100 SIGKILL"]);
});

test("the stop ladder gives up on processes it cannot kill and names them", async () => {
  const { ladder, end } = aLadder(() => {});

  ladder.add(REQUEST);

  expect((await end()).survivors).toEqual(["pid 101 (cli)", "pid 100 (wrapper)"]);
});

test("an agent that has ended by itself is only swept", async () => {
  const { ladder, signals, alive, end } = aLadder((pid, _, left) => left.delete(pid));
  alive.delete(100);

  ladder.add({ ...REQUEST, signal: null });

  expect((await end()).survivors).toEqual([]);
  expect(signals.every((signal) => signal.endsWith("SIGKILL"))).toBe(true);
});

test("a sweep that cannot look kills nothing, ends nothing, and goes on once it can look again", async () => {
  const { ladder, signals, alive, looks, stopped, end } = aLadder((pid, signal, left) => {
    if (signal === "SIGKILL") left.delete(pid);
  });
  looks.fail = true;

  ladder.add(REQUEST);
  ladder.add({ ...REQUEST, key: "b.1", signal: null });
  // Longer than the ladder takes to give up (400 ms) when it can look.
  await eventually("three failed looks", () => looks.failed > 2);
  expect(signals).toEqual([]);
  expect(stopped).toEqual([]);
  looks.fail = false;

  expect(await end()).toMatchObject({ survivors: [] });
  expect(alive.has(101)).toBe(false);
});
