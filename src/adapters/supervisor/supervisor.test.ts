import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { aLedger } from "../../../test/kit/fake-agent/ledger.ts";
import {
  aLaunch,
  aSupervisor,
  eventually,
  FAKE_AGENT,
  isRunning,
  pidIn,
} from "../../../test/kit/fake-agent/supervised.ts";

test("an agent starts, its stream is folded, and it ends with its exit code", async () => {
  const { launch, ended, ledger, spool } = aSupervisor();

  await launch("impl-1-a", ["events", "3", "message", "done", "end", "all done", "exit", "5"]);
  const entry = await ended("impl-1-a");

  expect(entry).toMatchObject({ outcome: "ended", exitCode: 5, survivors: [] });
  expect(entry.progress).toMatchObject({
    lines: 5,
    skippedLines: 0,
    toolCallCount: 3,
    lastMessage: "all done",
    end: { ok: true, text: "all done" },
  });
  expect(entry.progress.offset).toBe(statSync(spool("impl-1-a.1.out")).size);
  expect(ledger.told.map(({ type }) => type).filter((type) => type !== "progress")).toEqual([
    "started",
    "ended",
  ]);
  expect(ledger.violations).toEqual([]);
});

test("a prompt of two megabytes arrives whole and is gone after the end", async () => {
  const { launch, ended, dir, spool } = aSupervisor();
  const { command } = aLaunch("impl-1-a", ["stdin", join(dir, "size")]);

  await launch("impl-1-a", [], { command: { ...command, stdin: "方".repeat(700_000) } });
  await ended("impl-1-a");

  expect(Number(readFileSync(join(dir, "size"), "utf8"))).toBe(2_100_000);
  expect(existsSync(spool("impl-1-a.1.in"))).toBe(false);
});

test("the spool is for its owner only", async () => {
  const { launch, started, dir, spool } = aSupervisor();

  await launch("impl-1-a", ["touch", join(dir, "made"), "await", join(dir, "go")]);
  await started("impl-1-a");
  await eventually("its file", () => existsSync(join(dir, "made")) || undefined);

  expect(statSync(spool(".")).mode & 0o777).toBe(0o700);
  const names = readdirSync(spool("."));
  expect(names.toSorted()).toEqual(
    ["claim", "err", "in", "out", "status"].map((ending) => `impl-1-a.1.${ending}`),
  );
  expect(names.map((name) => statSync(spool(name)).mode & 0o777)).toEqual(names.map(() => 0o600));
  // What the agent itself creates has the modes of whoever runs the daemon.
  expect(statSync(join(dir, "made")).mode & 0o777).toBe(0o666 & ~process.umask());
});

test("an agent gets exactly the environment it was given, and its mark", async () => {
  const { launch, ended, dir } = aSupervisor();
  const path = process.env["PATH"] ?? "";

  await launch("impl-1-a", [], {
    command: {
      argv: [FAKE_AGENT, "env", join(dir, "env")],
      env: { PATH: path, API_KEY: "sécret with spaces" },
      stdin: "",
    },
  });
  await ended("impl-1-a");

  const env = readFileSync(join(dir, "env"), "utf8").trim().split("\n");
  // The shells in between keep their own working directory.
  expect(env.filter((line) => !/^(PWD|OLDPWD|SHLVL|_)=/.test(line)).toSorted()).toEqual([
    "API_KEY=sécret with spaces",
    expect.stringMatching(/^KUROMAJUTSU_AGENT_MARK=impl-1-a@[0-9a-f]{16}$/),
    `PATH=${path}`,
  ]);
});

test("what cannot be executed is a failed start with a clear reason", async () => {
  const { supervisor, ended, dir } = aSupervisor();
  const command = { argv: [join(dir, "missing")], env: {}, stdin: "" };

  await supervisor.launch(aLaunch("impl-1-a", [], { command }));
  await supervisor.launch(
    aLaunch("impl-1-b", [], { command: { ...command, argv: [import.meta.filename] } }),
  );
  await supervisor.launch(aLaunch("impl-1-c", [], { workingDirectory: join(dir, "nowhere") }));
  await supervisor.launch(
    aLaunch("impl-1-d", [], {
      command: { ...command, argv: [FAKE_AGENT, "x".repeat(200_000)] },
    }),
  );

  const errors = [];
  for (const id of ["impl-1-a", "impl-1-b", "impl-1-c", "impl-1-d"] as const) {
    const { outcome, error } = await ended(id);
    errors.push(`${outcome}: ${error}`);
  }
  expect(errors).toEqual([
    `start_failed: The command ${join(dir, "missing")} does not exist.`,
    `start_failed: The command ${import.meta.filename} is not executable.`,
    `start_failed: The working directory ${join(dir, "nowhere")} does not exist.`,
    "start_failed: spawn E2BIG",
  ]);
});

test("an agent that kills itself, and one whose wrapper is killed, end as far as anyone can know", async () => {
  const { launch, ended } = aSupervisor();

  await launch("impl-1-a", ["events", "2", "die"]);
  await launch("impl-1-b", ["events", "2", "complain", "was here", "orphan", "exit", "3"]);

  expect(await ended("impl-1-a")).toMatchObject({ exitCode: 137, progress: { lines: 2 } });
  expect(await ended("impl-1-b")).toMatchObject({
    outcome: "ended",
    exitCode: null,
    stderrTail: "was here",
    progress: { lines: 2 },
  });
});

test("of stderr the last eight kilobytes are kept, cut between characters", async () => {
  const { launch, ended } = aSupervisor();

  await launch("impl-1-a", [
    "stderr",
    "30000000",
    "complain",
    `x${"術".repeat(2_731)}`,
    "exit",
    "1",
  ]);
  const { stderrTail, progress } = await ended("impl-1-a");

  // 8192 = 2 bytes of a character that is cut + 2730 whole ones.
  expect(stderrTail).toBe("術".repeat(2_730));
  expect(progress.lines).toBe(0);
});

test("too much output is told once, and the agent goes on until it is stopped", async () => {
  const { supervisor, launch, ended, ledger } = aSupervisor({ maxSpoolBytes: 100_000 });

  await launch("impl-1-a", ["stderr", "60000", "deltas", "5000", "hang"]);
  await eventually("the limit", () => ledger.get("impl-1-a").limits || undefined);
  supervisor.stop("impl-1-a", "SIGTERM");

  expect(await ended("impl-1-a")).toMatchObject({ limits: 1, exitCode: 143 });
});

test("a process is known to be of the agent it descends from, while that agent lives", async () => {
  const { supervisor, launch, started, ended, dir } = aSupervisor();
  await launch("impl-1-a", ["child", join(dir, "pid"), "hang"]);
  const wrapper = await started("impl-1-a");
  const child = await pidIn(join(dir, "pid"));

  expect(await supervisor.agentOfProcess(child)).toBe("impl-1-a");
  expect(await supervisor.agentOfProcess(wrapper.pid)).toBe("impl-1-a");
  expect(await supervisor.agentOfProcess(process.pid)).toBeUndefined();
  expect(await supervisor.agentOfProcess(2 ** 22 + 1)).toBeUndefined();

  supervisor.stop("impl-1-a", "SIGTERM");
  await ended("impl-1-a");
  expect(await supervisor.agentOfProcess(wrapper.pid)).toBeUndefined();
});

test("what a finished agent left running in a session of its own is swept, and said", async () => {
  const { launch, ended, logged, dir } = aSupervisor();

  await launch("impl-1-a", ["session", join(dir, "pid"), "exit", "0"]);
  const pid = await pidIn(join(dir, "pid"));
  expect(await ended("impl-1-a")).toMatchObject({ exitCode: 0, survivors: [] });

  await eventually("the sweep", () => !isRunning(pid) || undefined);
  await eventually(
    "the word",
    () => logged.some((line) => line.includes(`pid ${pid} `)) || undefined,
  );
});

test("an observer that refuses three times loses nothing and is not asked in between", async () => {
  let calls = 0;
  const ledger = aLedger();
  const { launch, logged } = aSupervisor({
    observe: async (batch) => {
      calls += 1;
      if (calls <= 3) throw new Error("database or disk is full");
      await ledger.observe(batch);
    },
  });

  const began = performance.now();
  await launch("impl-1-a", ["events", "1000", "message", "kept", "exit", "4"]);
  await launch("impl-1-b", ["exit", "0"]);
  await eventually(
    "both",
    () => (ledger.get("impl-1-a").outcome && ledger.get("impl-1-b").outcome) ?? undefined,
  );

  expect(performance.now() - began).toBeGreaterThan(2_900);
  expect(ledger.get("impl-1-a")).toMatchObject({
    exitCode: 4,
    progress: { lines: 1001, lastMessage: "kept" },
  });
  expect(ledger.violations).toEqual([]);
  expect(logged.filter((line) => line.includes("could not be stored"))).toHaveLength(1);
});

test("one call to the observer at a time, with all agents that are due in it", async () => {
  let underWay = 0;
  let most = 0;
  const sizes: number[] = [];
  const ledger = aLedger();
  const { launch } = aSupervisor({
    observe: async (batch) => {
      underWay += 1;
      most = Math.max(most, underWay);
      sizes.push(batch.length);
      await sleep(30);
      await ledger.observe(batch);
      underWay -= 1;
    },
  });

  const ids = Array.from({ length: 20 }, (_, index) => `impl-1-${index}` as const);
  await Promise.all(ids.map((id) => launch(id, ["events", "100"])));
  await eventually("all", () => ids.every((id) => ledger.get(id).outcome === "ended") || undefined);

  expect(most).toBe(1);
  expect(Math.max(...sizes)).toBeGreaterThan(1);
  expect(ledger.violations).toEqual([]);
});

test("the spool can be polled where it cannot be watched", async () => {
  const { launch, ended } = aSupervisor({ watchMode: "poll" });

  await launch("impl-1-a", ["events", "3", "sleep", "0.1", "events", "2", "exit", "7"]);
  expect(await ended("impl-1-a")).toMatchObject({ exitCode: 7, progress: { lines: 5 } });
});

test("closing ends the launcher and leaves the agents running", async () => {
  const { supervisor, launch, started, launcherPid } = aSupervisor();
  await launch("impl-1-a", ["hang"]);
  const { pid } = await started("impl-1-a");
  const launcher = launcherPid();

  await supervisor.close();

  expect([isRunning(launcher), isRunning(pid)]).toEqual([false, true]);
});

test("an end is told even when the prompt file cannot be deleted", async () => {
  const { launch, ended, spool, dir } = aSupervisor();
  await launch("impl-1-a", ["await", join(dir, "go")]);
  const prompt = spool("impl-1-a.1.in");
  rmSync(prompt);
  // Nobody deletes a directory with unlink.
  mkdirSync(prompt);
  writeFileSync(join(dir, "go"), "");

  expect(await ended("impl-1-a")).toMatchObject({ outcome: "ended" });
});

test("a spool directory that is deleted is made again: new agents run, and the one before says what it lost", async () => {
  const { launch, started, ended, dir, spool, logged } = aSupervisor();
  await launch("impl-1-a", ["events", "2", "await", join(dir, "go"), "end", "done"]);
  await started("impl-1-a");

  rmSync(spool("."), { recursive: true });
  await launch("impl-1-b", ["end", "also done"]);
  const second = await ended("impl-1-b");
  writeFileSync(join(dir, "go"), "");
  const first = await ended("impl-1-a");

  expect(second).toMatchObject({ outcome: "ended", exitCode: 0 });
  expect(second.progress.end).toMatchObject({ ok: true, text: "also done" });
  expect(first).toMatchObject({ outcome: "ended", exitCode: null, filesLost: true });
  expect(logged.filter((line) => line.includes("was made again"))).toHaveLength(1);
  expect(statSync(spool(".")).mode & 0o777).toBe(0o700);
});
