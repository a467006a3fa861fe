import { expect, test } from "vitest";
import { aCore, aRole } from "../../../test/kit/core.ts";
import { main } from "../../../test/kit/running-agent.ts";
import { planAgent } from "../agents/plan-agent.ts";
import { checkHealth } from "../health/check-health.ts";
import { listRoles } from "./list-roles.ts";
import { resolveRunner } from "./resolve-runner.ts";

const refusing = { settings: { rehearseWithoutCli: false } };

test("the runner auto resolves to an installed CLI, or to rehearsal without one", async () => {
  const core = await aCore();
  expect((await resolveRunner(core, aRole())).runner.id).toBe("rehearsal");

  core.installed.add("cursor");
  expect((await resolveRunner(core, aRole())).runner.id).toBe("cursor");
});

test("a role with a runner that this version does not have is refused with that reason", async () => {
  const core = await aCore();

  await expect(resolveRunner(core, aRole({ runner: "claude" }))).rejects.toMatchObject({
    code: "ROLE_UNAVAILABLE",
    message: "Role impl-code is set to run with claude, which this version cannot run yet.",
    hint: expect.stringContaining("auto, cursor, rehearsal"),
  });
});

test("a role whose CLI is not installed is refused with what to install", async () => {
  const core = await aCore();

  await expect(resolveRunner(core, aRole({ runner: "cursor" }))).rejects.toMatchObject({
    code: "ROLE_UNAVAILABLE",
    message: "Role impl-code needs the cursor CLI, which was not found on PATH.",
    hint: expect.stringContaining("Cursor CLI (`agent`)"),
  });
});

test("rehearseWithoutCli: false refuses agents when no CLI is installed, and names the CLIs", async () => {
  const core = await aCore(refusing);
  const act = planAgent(core, main, {
    role: "impl-code",
    prompt: "x",
    workingDirectory: null,
    timeoutMs: null,
  });

  await expect(act).rejects.toMatchObject({
    code: "ROLE_UNAVAILABLE",
    message: expect.stringContaining("no agent CLI was found on PATH"),
    hint: expect.stringContaining("Cursor CLI (`agent`)"),
  });
  const [role] = await listRoles(core);
  expect(role).toMatchObject({ available: false, reason: expect.stringContaining("no agent CLI") });
  await checkHealth(core);
  expect(core.health.get("impl-code")).toMatchObject({ runner: "cursor", available: false });
});

test("rehearseWithoutCli: false still allows an explicit rehearsal and an installed CLI", async () => {
  const core = await aCore(refusing);
  expect((await resolveRunner(core, aRole({ runner: "rehearsal" }))).runner.id).toBe("rehearsal");

  core.installed.add("cursor");
  expect((await resolveRunner(core, aRole())).runner.id).toBe("cursor");
});
