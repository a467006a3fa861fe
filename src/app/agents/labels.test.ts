import { expect, test, vi } from "vitest";
import { aCore, aRole, ended, started } from "../../../test/kit/core.ts";
import { launchesOf, reasonOf, withLabels } from "../../../test/kit/labelled-agents.ts";
import { main } from "../../../test/kit/running-agent.ts";
import type { AgentId } from "../../domain/ids.ts";
import { createGroup } from "../groups/create-group.ts";
import { runMagentic } from "../groups/run-magentic.ts";
import { runSequential } from "../groups/run-sequential.ts";
import { planInternalAgent } from "./plan-internal-agent.ts";

const NONE: AgentId = "no-agent-0";

test("a server runs only agents whose labels it has, and the others wait and say for which label", async () => {
  const core = await aCore({ serverId: "a", offer: { labels: ["gpu", "big"] } });

  const [gpu = NONE, arm = NONE, plain = NONE] = await withLabels(core, [["gpu"], ["arm"], []]);

  expect(await launchesOf(core, 2)).toEqual([gpu, plain]);
  expect(await reasonOf(core, arm)).toBe(
    "ラベル arm を持つサーバーやワーカーがつながっていません。",
  );
  expect(await reasonOf(core, gpu)).toBeUndefined();
});

test("an agent that a server cannot run yet is looked at again, also without an event", async () => {
  const labels: string[] = [];
  const core = await aCore({ serverId: "a", offer: { labels } });
  const [id = NONE] = await withLabels(core, [["gpu"]]);
  for (let round = 0; round < 5; round++) await core.quiet();
  await new Promise((resolve) => setTimeout(resolve, 100));

  labels.push("gpu");

  expect(await launchesOf(core, 1)).toEqual([id]);
});

test("an agent has the labels of its role and those of its request, each once", async () => {
  const core = await aCore({
    serverId: "a",
    roles: [aRole({ labels: ["gpu", "big"] })],
    offer: { labels: ["gpu"] },
  });

  const [id = NONE] = await withLabels(core, [["big", "arm"]]);

  expect(await core.store.getAgent(id)).toMatchObject({ labels: ["arm", "big", "gpu"] });
  expect(await reasonOf(core, id)).toContain("arm、big を");
});

test("with one host a label that it does not have is refused, and nothing is queued", async () => {
  const core = await aCore({ offer: { labels: ["gpu"] } });

  const act = withLabels(core, [["gpu"], ["gpu", "arm"]]);

  await expect(act).rejects.toMatchObject({
    code: "INVALID_ARGUMENTS",
    message: expect.stringContaining("arm"),
    hint: expect.stringContaining("server.labels"),
  });
  expect((await core.store.listAgents({ limit: 10 })).total).toBe(0);
});

test("with one host a role whose labels it does not have is refused, also in a stage and for a task", async () => {
  const core = await aCore({ roles: [aRole({ labels: ["arm"] })] });
  const group = await createGroup(core, main, {
    description: "x",
    mode: "sequential",
    parentGroupId: null,
  });
  const request = { role: "impl-code", prompt: "x", workingDirectory: null, timeoutMs: null };
  const stages = [[request]];
  const internal = core.internalRoles.get("executor");
  if (!internal) throw new Error("there is an executor");
  const internalRoles = new Map([["executor", { ...internal, labels: ["arm"] }]]);

  const staged = runSequential(core, main, { groupId: group.id, stages, onFailure: "stop" });
  const executing = planInternalAgent(
    { ...core, internalRoles },
    { workingDirectory: "/" },
    "executor",
    { prompt: "x", timeoutMs: null },
  );

  await expect(staged).rejects.toMatchObject({ code: "INVALID_ARGUMENTS" });
  await expect(executing).rejects.toMatchObject({ code: "INVALID_ARGUMENTS" });
});

test.each([undefined, "a"])(
  "a host with 2 slots runs 2 agents at once, and the next one when one ends (server %s)",
  async (serverId) => {
    const core = await aCore({ ...(serverId && { serverId }), offer: { slots: 2 } });

    const [first = NONE, second = NONE, third = NONE] = await withLabels(core, [[], [], []]);

    expect(await launchesOf(core, 2)).toEqual([first, second]);
    await core.observe(started(first), ended(first));
    expect(await launchesOf(core, 3)).toEqual([first, second, third]);
  },
);

test.each([undefined, "a"])(
  "a host with 0 slots runs nothing, and its agents say so (server %s)",
  async (serverId) => {
    const core = await aCore({
      ...(serverId && { serverId }),
      roles: [aRole(), aRole({ id: "orchestrator" })],
      offer: { slots: 0 },
    });

    const [id = NONE] = await withLabels(core, [[]]);
    await runMagentic(core, main, {
      description: "x",
      task: "x",
      completionCriteria: "x",
      scope: "x",
      constraints: null,
      context: null,
      maxIterations: 3,
      availableRoles: null,
      workingDirectory: null,
      timeoutMs: null,
    });

    expect(await launchesOf(core, 0)).toEqual([]);
    expect(await reasonOf(core, id)).toContain("server.slots が 0");
  },
);

test.each([undefined, "a"])(
  "agents above the limit of their label wait, and those behind them start (server %s)",
  async (serverId) => {
    const core = await aCore({
      ...(serverId && { serverId }),
      offer: { labels: ["gpu", "big"] },
      settings: { labelLimits: { gpu: 1 }, maxConcurrent: 3 },
    });

    const [first = NONE, second = NONE, third = NONE, big = NONE] = await withLabels(core, [
      ["gpu"],
      ["gpu"],
      ["big", "gpu"],
      ["big"],
    ]);

    expect(await launchesOf(core, 2)).toEqual([first, big]);
    expect(await reasonOf(core, second)).toBe(
      "ラベル gpu のエージェントが上限の 1 体動いています（agent.limits）。",
    );
    await core.observe(started(first), ended(first));
    expect(await launchesOf(core, 3)).toEqual([first, big, second]);
    await core.observe(started(second), ended(second));
    expect(await launchesOf(core, 4)).toEqual([first, big, second, third]);
  },
);

test("an agent that waits for a label does not keep the last free slot from the agents behind it", async () => {
  const core = await aCore({
    offer: { labels: ["gpu"] },
    settings: { labelLimits: { gpu: 1 }, maxConcurrent: 2 },
  });

  const [first = NONE, , , behind = NONE] = await withLabels(core, [["gpu"], ["gpu"], ["gpu"], []]);

  expect(await launchesOf(core, 2)).toEqual([first, behind]);
});

test("without limits and labels the store is not asked for labels or hosts", async () => {
  const core = await aCore({ serverId: "a" });
  const asked = vi.spyOn(core.store, "listLabelsInUse");

  const [id = NONE] = await withLabels(core, [[]]);
  await reasonOf(core, id);

  expect(await launchesOf(core, 1)).toEqual([id]);
  expect(asked).not.toHaveBeenCalled();
});
