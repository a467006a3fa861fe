import { expect, test } from "vitest";
import { NOON } from "../../../test/kit/builders.ts";
import { aCore, aRole, aRunner, type TestCore } from "../../../test/kit/core.ts";
import { main } from "../../../test/kit/running-agent.ts";
import type { RunnerId } from "../../domain/agents/runner.ts";
import type { ProblemKind } from "../../domain/health/runner-problem.ts";
import type { Role } from "../../domain/roles/role.ts";
import { planAgent } from "../agents/plan-agent.ts";
import { listRoles } from "./list-roles.ts";
import { resolveRunner } from "./resolve-runner.ts";

const LIST = aRole({ runner: ["claude", "codex", "gemini"], model: "sonnet", modelFrom: "user" });

async function aCoreWith(installed: readonly RunnerId[], role: Role = LIST): Promise<TestCore> {
  const runners: RunnerId[] = ["cursor", "claude", "codex", "gemini", "rehearsal"];
  const core = await aCore({ runners, roles: [role] });
  for (const id of installed) core.installed.add(id);
  return core;
}

function trouble(core: TestCore, runner: RunnerId, kind: ProblemKind, until: number | null): void {
  const found = { reason: "said so", since: NOON, isResetKnown: false, count: 1 };
  core.health.setProblem({ runner, kind, until, ...found });
}

const resolved = async (core: TestCore, role: Role = LIST) => {
  const { runner, passedOver } = await resolveRunner(core, role);
  return [runner.id, passedOver];
};

test("the first runner of a fallback list is used while it works", async () => {
  const core = await aCoreWith(["claude", "codex"]);

  expect(await resolved(core)).toEqual(["claude", null]);
});

test("a runner that is missing, signed out or out of quota is passed over, and the role says why", async () => {
  const core = await aCoreWith(["codex", "gemini"]);
  trouble(core, "codex", "signed-out", null);

  expect(await resolved(core)).toEqual(["gemini", "claude is not installed, codex is signed out"]);
  trouble(core, "codex", "quota", NOON + 1);
  expect((await listRoles(core))[0]).toMatchObject({
    runner: "gemini",
    note: "claude is not installed, codex is out of quota: gemini is used.",
  });
});

test("a runner whose pause is over is tried again", async () => {
  const core = await aCoreWith(["claude", "codex"]);
  trouble(core, "claude", "quota", NOON);

  expect(await resolved(core)).toEqual(["claude", null]);
});

test("agents wait for a paused runner if every other one is paused or signed out", async () => {
  const core = await aCoreWith(["claude", "codex"]);
  trouble(core, "claude", "signed-out", null);
  trouble(core, "codex", "quota", NOON + 1);

  expect(await resolved(core)).toEqual(["codex", "claude is signed out"]);
});

test("auto passes over a CLI that is signed out, but never falls back to a rehearsal", async () => {
  const role = aRole();
  const core = await aCoreWith(["cursor", "claude"], role);
  trouble(core, "cursor", "signed-out", null);
  expect(await resolved(core, role)).toEqual(["claude", "cursor is signed out"]);

  trouble(core, "claude", "signed-out", null);
  expect(await resolved(core, role)).toEqual(["cursor", null]);
});

test("one model name belongs to the first runner of a list; the others use their default", async () => {
  const core = await aCoreWith(["claude", "codex"]);
  expect((await listRoles(core))[0]).toMatchObject({ runner: "claude", model: "sonnet" });

  trouble(core, "claude", "quota", NOON + 1);
  expect((await listRoles(core))[0]).toMatchObject({ runner: "codex", model: "default" });
});

test("a fallback without the model that the role names for it is passed over", async () => {
  const role = aRole({ runner: ["claude", "codex", "gemini"], model: { codex: "gpt-9" } });
  const core = await aCoreWith(["claude", "codex", "gemini"], role);
  trouble(core, "claude", "quota", NOON + 1);
  core.health.learnModels("codex", { models: ["gpt-5"], checkedAt: NOON });

  expect(await resolved(core, role)).toEqual([
    "gemini",
    "claude is out of quota, codex does not have the model of the role",
  ]);
});

test("a fallback that takes models outside its list is not passed over for its model", async () => {
  const role = aRole({ runner: ["claude", "codex", "gemini"], model: { codex: "gpt-9" } });
  const core = await aCoreWith(["claude", "codex", "gemini"], role);
  const codex = { ...aRunner("codex", core.installed), takesOtherModels: true as const };
  const runners = new Map([...core.runners, ["codex" as const, codex]]);
  trouble(core, "claude", "quota", NOON + 1);
  core.health.learnModels("codex", { models: ["gpt-5"], checkedAt: NOON });

  expect((await resolved({ ...core, runners }, role))[0]).toBe("codex");
});

test("a list of CLIs of which none is installed is refused with all their names", async () => {
  const core = await aCoreWith([]);

  await expect(resolveRunner(core, LIST)).rejects.toMatchObject({
    message:
      "Role impl-code needs one of the CLIs claude, codex, gemini; none of them was found on PATH.",
    hint: expect.stringContaining(
      "Claude Code (`claude`) with `npm install -g @anthropic-ai/claude-code` or the Codex CLI (`codex`) with `npm install -g @openai/codex` or",
    ),
  });
});

test("a role whose only CLI is signed out is refused; one that is at a limit is queued", async () => {
  const core = await aCoreWith(["claude"], aRole({ runner: "claude" }));
  const request = { role: "impl-code", prompt: "x", workingDirectory: null, timeoutMs: null };
  trouble(core, "claude", "signed-out", null);
  await expect(planAgent(core, main, request)).rejects.toMatchObject({ code: "ROLE_UNAVAILABLE" });

  trouble(core, "claude", "quota", NOON + 1);
  expect((await planAgent(core, main, request)).runner.id).toBe("claude");
});
