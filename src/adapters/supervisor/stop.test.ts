import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import {
  aSupervisor,
  eventually,
  isRunning,
  pidIn,
} from "../../../test/kit/fake-agent/supervised.ts";
import { procfs } from "./processes/process-table.ts";

test("an agent that obeys ends by the stop signal of its runner", async () => {
  const { supervisor, launch, started, ended } = aSupervisor({ graceMs: 20_000 });
  await launch("impl-1-a", ["hang"]);
  await launch("impl-1-b", ["hang"]);
  await started("impl-1-a");
  await started("impl-1-b");

  supervisor.stop("impl-1-a", "SIGTERM");
  supervisor.stop("impl-1-a", "SIGTERM");
  supervisor.stop("impl-1-b", "SIGINT");

  expect(await ended("impl-1-a")).toMatchObject({ exitCode: 143, survivors: [] });
  expect(await ended("impl-1-b")).toMatchObject({ exitCode: 130, survivors: [] });
});

test("an agent that ignores signals is killed after the grace period, and its exit code is known", async () => {
  const { supervisor, launch, ended, ledger } = aSupervisor({ graceMs: 200 });
  await launch("impl-1-a", ["deaf", "events", "1", "hang"]);
  await eventually("its line", () => ledger.get("impl-1-a").progress.lines || undefined);

  const began = performance.now();
  supervisor.stop("impl-1-a", "SIGTERM");

  expect(await ended("impl-1-a")).toMatchObject({ exitCode: 137, survivors: [] });
  expect(performance.now() - began).toBeGreaterThan(190);
});

test("a stopped agent ends only after all processes it started are dead", async () => {
  const { supervisor, launch, ended, dir } = aSupervisor({ graceMs: 200 });
  const [child, session] = [join(dir, "child"), join(dir, "session")];
  await launch("impl-1-a", ["child", child, "session", session, "hang"]);
  const pids = [await pidIn(child), await pidIn(session)];
  expect(pids.map(isRunning)).toEqual([true, true]);

  supervisor.stop("impl-1-a", "SIGTERM");
  const { survivors } = await ended("impl-1-a");

  expect(pids.map(isRunning)).toEqual([false, false]);
  expect(survivors).toEqual([]);
});

test("stopping an agent leaves an agent of another daemon with the same id alone", async () => {
  const [mine, theirs] = [aSupervisor({ graceMs: 200 }), aSupervisor()];
  const session = join(theirs.dir, "session");
  await theirs.launch("impl-1-a", ["session", session, "hang"]);
  const bystanders = [(await theirs.started("impl-1-a")).pid, await pidIn(session)];
  await mine.launch("impl-1-a", ["hang"]);
  await mine.started("impl-1-a");

  mine.supervisor.stop("impl-1-a", "SIGTERM");
  await mine.ended("impl-1-a");

  expect(bystanders.map(isRunning)).toEqual([true, true]);
  theirs.supervisor.stop("impl-1-a", "SIGTERM");
  await theirs.ended("impl-1-a");
});

test("stopping an agent ends a grandchild without our mark in its own session", async () => {
  const { supervisor, launch, ended, dir } = aSupervisor({ graceMs: 200 });
  await launch("impl-1-a", ["bare", join(dir, "bare"), "60000", "hang"]);
  const pid = await pidIn(join(dir, "bare"));
  expect(isRunning(pid)).toBe(true);

  supervisor.stop("impl-1-a", "SIGTERM");
  await ended("impl-1-a");

  expect(isRunning(pid)).toBe(false);
});

test("stopping an agent ends a grandchild without our mark whose parent has ended", async () => {
  const { supervisor, launch, ended, dir } = aSupervisor({ graceMs: 200 });
  // The launcher looks at the tree every two seconds; it must have done so while the parent lived.
  await launch("impl-1-a", ["bare", join(dir, "bare"), "7000", "hang"]);
  const pid = await pidIn(join(dir, "bare"));
  const parent = procfs.get(pid)?.parent ?? 0;
  await eventually("its parent to go", () => !isRunning(parent) || undefined);
  expect(isRunning(pid)).toBe(true);

  supervisor.stop("impl-1-a", "SIGTERM");
  await ended("impl-1-a");

  expect(isRunning(pid)).toBe(false);
});

test("agents stopped at the same time are stopped independently", async () => {
  const { supervisor, launch, started, ended, ledger } = aSupervisor({ graceMs: 200 });
  const ids = Array.from({ length: 8 }, (_, index) => `impl-1-${index}` as const);
  await Promise.all(ids.map((id, index) => launch(id, index % 2 ? ["hang"] : ["deaf", "hang"])));
  await Promise.all(ids.map(started));

  for (const id of ids.slice(1)) supervisor.stop(id, "SIGTERM");
  for (const id of ids.slice(1)) expect(await ended(id)).toMatchObject({ survivors: [] });

  const left = ledger.get("impl-1-0");
  expect(left.outcome).toBeNull();
  expect(isRunning(left.process?.pid ?? 0)).toBe(true);
  expect(ledger.violations).toEqual([]);
});

test("an agent that is stopped before it has started is stopped once it has", async () => {
  const { supervisor, launch, ended } = aSupervisor({ graceMs: 20_000 });

  const launching = launch("impl-1-a", ["hang"]);
  supervisor.stop("impl-1-a", "SIGTERM");
  await launching;

  expect(await ended("impl-1-a")).toMatchObject({ outcome: "ended", exitCode: 143 });
});

test("stopping an agent that has ended, or never existed, changes nothing", async () => {
  const { supervisor, launch, ended, ledger } = aSupervisor();
  await launch("impl-1-a", ["exit", "3"]);
  await ended("impl-1-a");

  supervisor.stop("impl-1-a", "SIGTERM");
  supervisor.stop("impl-1-nobody", "SIGTERM");
  await sleep(100);

  expect(ledger.get("impl-1-a").exitCode).toBe(3);
  expect(ledger.violations).toEqual([]);
});

test("a stop goes on when the launcher is killed while it carries it out", async () => {
  const { supervisor, launch, ledger, ended, launcherPid, logged } = aSupervisor({
    graceMs: 1_000,
  });
  await launch("impl-1-a", ["deaf", "events", "1", "hang"]);
  await eventually("its line", () => ledger.get("impl-1-a").progress.lines || undefined);
  const launcher = launcherPid();

  supervisor.stop("impl-1-a", "SIGTERM");
  await sleep(300);
  process.kill(launcher, "SIGKILL");

  expect(await ended("impl-1-a")).toMatchObject({ exitCode: 137, survivors: [] });
  expect(logged.join("\n")).toContain("The launcher has ended");
});

test("a wrapper that hangs is killed after its children, and the exit code is unknown", async () => {
  const { supervisor, launch, started, ended } = aSupervisor({ graceMs: 100 });
  await launch("impl-1-a", ["hang"]);
  const { pid } = await started("impl-1-a");
  process.kill(pid, "SIGSTOP");

  supervisor.stop("impl-1-a", "SIGTERM");

  expect(await ended("impl-1-a")).toMatchObject({ exitCode: null, survivors: [] });
  expect(isRunning(pid)).toBe(false);
});

test("an agent that ignores signals is killed after the grace period, also if its supervisor has given it up and is gone", async () => {
  const { supervisor, launch, started, ledger } = aSupervisor({
    graceMs: 1_500,
    orphansEndAfterMs: 60_000,
  });
  await launch("impl-1-a", ["deaf", "events", "1", "hang"]);
  const { pid } = await started("impl-1-a");
  await eventually("its line", () => ledger.get("impl-1-a").progress.lines || undefined);
  supervisor.stop("impl-1-a", "SIGTERM");
  await sleep(300);

  await supervisor.close({ isForGood: true });
  expect(isRunning(pid)).toBe(true);

  await eventually("its end", () => !isRunning(pid), 20_000);
});

test("agents of a supervisor that is closed for good end by themselves", async () => {
  const { supervisor, launch, started } = aSupervisor({ orphansEndAfterMs: 1_000 });
  await launch("impl-1-a", ["hang"]);
  const { pid } = await started("impl-1-a");

  await supervisor.close({ isForGood: true });

  expect(isRunning(pid)).toBe(true);
  await eventually("its end", () => !isRunning(pid), 20_000);
});
