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

test("an agent starts, its output becomes progress, and it ends with its exit code", async () => {
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

test("a prompt of two megabytes reaches the agent whole, and its file is deleted at the end", async () => {
  const { launch, ended, dir, spool } = aSupervisor();
  const { command } = aLaunch("impl-1-a", ["stdin", join(dir, "size")]);

  await launch("impl-1-a", [], { command: { ...command, stdin: "方".repeat(700_000) } });
  await ended("impl-1-a");

  expect(Number(readFileSync(join(dir, "size"), "utf8"))).toBe(2_100_000);
  expect(existsSync(spool("impl-1-a.1.in"))).toBe(false);
});

test("only the owner can read the spool", async () => {
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
  // Files that the agent creates have the umask of the daemon.
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

test("the sweep after an attempt spares the processes of the next attempt", async () => {
  const { launch, ended, logged, dir } = aSupervisor();
  await launch("impl-1-a", ["child", join(dir, "child"), "exit", "1"]);
  await ended("impl-1-a");

  await launch("impl-1-a", ["await", join(dir, "go"), "end", "done"], { attempt: 2 });
  await eventually("the sweep", () => logged.find((line) => line.includes("leftover processes")));
  expect(isRunning(await pidIn(join(dir, "child")))).toBe(false);
  writeFileSync(join(dir, "go"), "");

  expect(await ended("impl-1-a", 2)).toMatchObject({ outcome: "ended", exitCode: 0 });
});

test("a command that cannot be executed is a failed start with a clear reason", async () => {
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

test("an agent that kills itself has its exit code; one whose wrapper is killed has none", async () => {
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

test("the last eight kilobytes of stderr are kept, cut between characters", async () => {
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

test("too much output is reported once, and the agent goes on until it is stopped", async () => {
  const { supervisor, launch, ended, ledger } = aSupervisor({
    maxSpoolBytes: 100_000,
    graceMs: 20_000,
  });

  await launch("impl-1-a", ["stderr", "60000", "deltas", "5000", "hang"]);
  await eventually("the limit", () => ledger.get("impl-1-a").limits || undefined);
  supervisor.stop("impl-1-a", "SIGTERM");

  expect(await ended("impl-1-a")).toMatchObject({ limits: 1, exitCode: 143 });
});

test("agentOfProcess finds the running agent that a process descends from", async () => {
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

test("a process that a finished agent left in its own session is ended and logged", async () => {
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

test("an observer that fails three times loses nothing and is called once a second", async () => {
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
  expect(logged.filter((line) => line.includes("Could not store what agents did"))).toHaveLength(1);
});

test("the observer is called once at a time, with all agents that are due", async () => {
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

test("a supervisor can poll the spool instead of watching it", async () => {
  const { launch, ended } = aSupervisor({ watchMode: "poll" });

  await launch("impl-1-a", ["events", "3", "sleep", "0.1", "events", "2", "exit", "7"]);
  expect(await ended("impl-1-a")).toMatchObject({ exitCode: 7, progress: { lines: 5 } });
});

test("closing the supervisor ends the launcher and leaves the agents running", async () => {
  const { supervisor, launch, started, launcherPid } = aSupervisor();
  await launch("impl-1-a", ["hang"]);
  const { pid } = await started("impl-1-a");
  const launcher = launcherPid();

  await supervisor.close();

  expect([isRunning(launcher), isRunning(pid)]).toEqual([false, true]);
});

test("the end of an agent is reported even when its prompt file cannot be deleted", async () => {
  const { launch, ended, spool, dir } = aSupervisor();
  await launch("impl-1-a", ["await", join(dir, "go")]);
  const prompt = spool("impl-1-a.1.in");
  rmSync(prompt);
  // unlink cannot delete a directory.
  mkdirSync(prompt);
  writeFileSync(join(dir, "go"), "");

  expect(await ended("impl-1-a")).toMatchObject({ outcome: "ended" });
});

test("a deleted spool directory is created again: new agents run, and the earlier one reports lost files", async () => {
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
  expect(logged.filter((line) => line.includes("was created again"))).toHaveLength(1);
  expect(statSync(spool(".")).mode & 0o777).toBe(0o700);
});
