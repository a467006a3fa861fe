import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { aLaunch, aSupervisor, eventually } from "../../../test/kit/fake-agent/supervised.ts";

test("a launcher killed while launching leaves every agent started once, or certainly not started", async () => {
  const { supervisor, ledger, dir, launcherPid } = aSupervisor();
  const ids = Array.from({ length: 30 }, (_, index) => `impl-1-${index}` as const);
  const script = ["log", join(dir, "starts"), "exit", "3"];

  const launches = ids.map((id) => supervisor.launch(aLaunch(id, script)));
  await launches[0];
  process.kill(launcherPid(), "SIGKILL");
  await Promise.all(launches);
  await eventually("all", () => ids.every((id) => ledger.get(id).outcome) || undefined);
  const lost = ids.filter((id) => ledger.get(id).outcome === "not_launched");
  await Promise.all(lost.map((id) => supervisor.launch(aLaunch(id, script, { attempt: 2 }))));
  await eventually("the rest", () => lost.every((id) => ledger.get(id, 2).outcome) || undefined);

  const starts = readFileSync(join(dir, "starts"), "utf8").trim().split("\n");
  expect(starts.toSorted()).toEqual(ids.toSorted());
  for (const id of ids) {
    expect(ledger.get(id, lost.includes(id) ? 2 : 1)).toMatchObject({
      outcome: "ended",
      exitCode: 3,
    });
  }
  expect(ledger.violations).toEqual([]);
});

test("a launcher that cannot be started makes the start fail instead of hang", async () => {
  const { launch, ended } = aSupervisor({ launcher: { command: ["/nowhere/launcher"] } });
  const { launch: launchToo, ended: endedToo } = aSupervisor({
    launcher: { command: [process.execPath, "-e", "throw new Error('broken build')"] },
  });
  // The supervisor reports the error only after the third launcher in a row.
  for (const attempt of [1, 2, 3]) {
    await launch("impl-1-a", [], { attempt });
    await ended("impl-1-a", attempt);
    await launchToo("impl-1-b", [], { attempt });
    await endedToo("impl-1-b", attempt);
  }

  expect(await ended("impl-1-a", 3)).toMatchObject({ outcome: "start_failed" });
  expect((await ended("impl-1-a", 3)).error).toContain("ENOENT");
  expect((await endedToo("impl-1-b", 3)).error).toContain("broken build");
});
