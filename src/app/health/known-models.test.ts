import { expect, onTestFinished, test, vi } from "vitest";
import { brokenCli } from "../../../test/kit/broken-clis.ts";
import { aRole } from "../../../test/kit/core.ts";
import { aHealthCore, type AHealthCore, type HealthCore } from "../../../test/kit/health.ts";
import { main } from "../../../test/kit/running-agent.ts";
import { planAgent } from "../agents/plan-agent.ts";
import { planInternalAgent } from "../agents/plan-internal-agent.ts";
import { listRoles } from "../roles/list-roles.ts";
import { checkHealth } from "./check-health.ts";
import { targetOf } from "./health-targets.ts";
import { learnModels } from "./learn-models.ts";
import { validateModel } from "./validate-model.ts";

const ENABLED = { enabled: true, cacheTtlMs: 600_000, timeoutMs: 5_000, concurrency: 2 };
const REQUEST = { role: "impl-code", prompt: "p", workingDirectory: null, timeoutMs: null };
const INVALID = aRole({ model: "gpt-6", modelFrom: "user" });
const plan = (core: HealthCore) => planAgent(core, main, REQUEST);

async function aStartedCore(over: Partial<AHealthCore> = {}): Promise<HealthCore> {
  return aHealthCore({
    folder: brokenCli("counts"),
    settings: { healthCheck: ENABLED },
    ...over,
  });
}

/** A Cursor runner that lists its models when the test releases it. */
function withSlowModels(core: HealthCore) {
  const answer = Promise.withResolvers<readonly string[] | undefined>();
  let asked = 0;
  const cursor = core.runners.get("cursor");
  if (!cursor) throw new Error("no cursor");
  const slow = {
    ...cursor,
    models: () => {
      asked += 1;
      return answer.promise;
    },
  };
  const runners = new Map(core.runners).set("cursor", slow);
  return { core: { ...core, runners }, answer, asked: () => asked };
}

test("directly after the daemon's start, an agent with an invalid model is refused, not started", async () => {
  const core = await aStartedCore({ roles: [INVALID] });

  await expect(plan(core)).rejects.toMatchObject({
    code: "ROLE_UNAVAILABLE",
    message: expect.stringContaining('cursor has no model "gpt-6"'),
    hint: expect.stringContaining("gpt-5"),
  });
});

test("directly after the daemon's start, an agent with a valid model waits for the list of models and then runs", async () => {
  const { core, answer, asked } = withSlowModels(await aStartedCore());
  const planned = Promise.all([plan(core), plan(core)]);
  await vi.waitFor(() => expect(asked()).toBe(1), 60_000);

  answer.resolve(["claude-4-sonnet"]);

  await expect(planned).resolves.toMatchObject([{ role: { id: "impl-code" } }, {}]);
  expect(asked()).toBe(1);
});

test("a caller that waits too long for the list of models is refused with the time to call again", async () => {
  const { core, answer, asked } = withSlowModels(await aStartedCore({ roles: [INVALID] }));
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const refused = plan(core).catch((error: unknown) => error);
  await vi.waitFor(() => expect(asked()).toBe(1), 60_000);

  await vi.advanceTimersByTimeAsync(10_000);

  expect(await refused).toMatchObject({
    code: "ROLE_UNAVAILABLE",
    message: expect.stringContaining("being checked"),
    hint: expect.stringMatching(/Call again in \d+ s/),
  });
  expect(await listRoles(core)).toMatchObject([{ role: { id: "impl-code" }, checking: true }]);
  answer.resolve(["claude-4-sonnet"]);
  await vi.waitFor(() => expect(core.health.models("cursor")).toBeDefined());
  await expect(plan(core)).rejects.toThrow('cursor has no model "gpt-6"');
  expect(await listRoles(core)).toMatchObject([{ available: false, checking: false }]);
});

test("a CLI that cannot list its models makes no role unavailable", async () => {
  const core = await aStartedCore({ folder: brokenCli("models-fail"), roles: [INVALID] });

  await expect(plan(core)).resolves.toBeDefined();
});

test("the list of models from an earlier daemon is used without asking the CLI", async () => {
  const { core, asked } = withSlowModels(await aStartedCore());
  await core.store.transaction((unit) =>
    unit.putModels({
      runner: "cursor",
      models: ["claude-4-sonnet"],
      checkedAt: core.clock.now(),
    }),
  );

  await expect(plan(core)).resolves.toBeDefined();
  expect(asked()).toBe(0);
});

test("a server does not take the list of models of another server for its own", async () => {
  const { core, answer, asked } = withSlowModels(await aStartedCore({ serverId: "b" }));
  await core.store.transaction((unit) =>
    unit.putModels({
      runner: "cursor",
      models: ["claude-4-sonnet"],
      checkedAt: core.clock.now(),
    }),
  );
  answer.resolve(["gpt-5", "claude-4-sonnet"]);
  const learn = () =>
    learnModels(
      core,
      [targetOf(core, aRole(), { id: "cursor", defaultModel: null })],
      false,
      core.health.closing,
    );

  await plan(core);
  expect(core.health.models("cursor")?.models).toEqual(["gpt-5", "claude-4-sonnet"]);
  await learn();
  expect(asked()).toBe(1);
  core.advance(ENABLED.cacheTtlMs + 1);
  await learn();
  expect(asked()).toBe(2);
});

test("a rehearsal starts at once: it takes any model", async () => {
  const { core, asked } = withSlowModels(await aStartedCore({ roles: [INVALID] }));
  core.use(null);

  await expect(plan(core)).resolves.toMatchObject({ runner: { id: "rehearsal" } });
  expect(asked()).toBe(0);
  expect(await listRoles(core)).toMatchObject([{ available: true, checking: false }]);
});

test("with health checks turned off, no caller waits and the CLI is not asked for its models", async () => {
  const { core, asked } = withSlowModels(
    await aStartedCore({
      roles: [INVALID],
      settings: { healthCheck: { ...ENABLED, enabled: false } },
    }),
  );

  await expect(plan(core)).resolves.toBeDefined();
  expect(asked()).toBe(0);
});

test("a task's own agents are not started with an invalid model either", async () => {
  const core = await aStartedCore();
  const analyst = core.internalRoles.get("task-analyst");
  if (!analyst) throw new Error("no analyst");
  const roles = new Map(core.internalRoles).set("task-analyst", {
    ...analyst,
    model: "gpt-6",
    modelFrom: "user",
  });

  const act = planInternalAgent(
    { ...core, internalRoles: roles },
    { workingDirectory: "/" },
    "task-analyst",
    { prompt: "p", timeoutMs: null },
  );

  await expect(act).rejects.toMatchObject({
    code: "ROLE_UNAVAILABLE",
    message: expect.stringContaining('cursor has no model "gpt-6"'),
  });
});

/** A planner with its own model, and a CLI whose list of models changes. */
async function aPlanner(model: string) {
  const core = await aStartedCore();
  const [cursor, planner] = [core.runners.get("cursor"), core.internalRoles.get("planner")];
  if (!cursor || !planner) throw new Error("no cursor or no planner");
  let models: readonly string[] = ["claude-4-sonnet"];
  let asked = 0;
  const changing = {
    ...cursor,
    models: async () => {
      asked += 1;
      return models;
    },
  };
  const planning = {
    ...core,
    runners: new Map(core.runners).set("cursor", changing),
    internalRoles: new Map([["planner", { ...planner, model, modelFrom: "user" as const }]]),
  };
  return {
    core,
    asked: () => asked,
    offer: (...names: readonly string[]) => void (models = names),
    plan: () =>
      planInternalAgent(planning, { workingDirectory: "/" }, "planner", {
        prompt: "p",
        timeoutMs: null,
      }),
  };
}

test("before a task is refused because of an old list of models, the CLI is asked again", async () => {
  const { core, plan: planTask, offer } = await aPlanner("gpt-6");
  await expect(planTask()).rejects.toMatchObject({ code: "ROLE_UNAVAILABLE" });

  offer("claude-4-sonnet", "gpt-6");
  core.advance(3 * 86_400_000);

  await expect(planTask()).resolves.toMatchObject({ role: { id: "planner" } });
});

test("the CLI is asked about a missing model at most once a minute", async () => {
  const { core, plan: planTask, asked } = await aPlanner("gpt-6");
  for (let n = 0; n < 3; n++) await planTask().catch(() => undefined);
  expect(asked()).toBe(1);

  core.advance(60_000);
  for (let n = 0; n < 3; n++) await planTask().catch(() => undefined);

  expect(asked()).toBe(2);
});

test("the hint for a task's role names steps that exist", async () => {
  const { plan: planTask } = await aPlanner("gpt-6");

  await expect(planTask()).rejects.toMatchObject({
    hint: expect.stringMatching(
      /role planner.*claude-4-sonnet.*kuromajutsu reload.*retry the task/,
    ),
  });
  await expect(planTask()).rejects.not.toMatchObject({
    hint: expect.stringContaining("health-check"),
  });
});

test("the daemon's stop does not wait for a CLI that is slow to list its models", async () => {
  const { core, asked } = withSlowModels(await aStartedCore());
  const planned = planInternalAgent(core, { workingDirectory: "/" }, "planner", {
    prompt: "p",
    timeoutMs: null,
  });
  const validated = validateModel(core, INVALID);
  await vi.waitFor(() => expect(asked()).toBe(1), 60_000);
  const checked = checkHealth(core);

  await core.health.close();

  await expect(planned).rejects.toThrow("The daemon is stopping.");
  await validated;
  await checked;
  // A check that begins after the stop does not wait either.
  await validateModel(core, INVALID);
});
