import { expect, test } from "vitest";
import { NOON } from "../../../test/kit/builders.ts";
import { aCore, aRole } from "../../../test/kit/core.ts";
import { reasonOf, withLabels } from "../../../test/kit/labelled-agents.ts";
import { aWorkerRow, workersOf } from "../../../test/kit/worker-rows.ts";
import { createHostProblems } from "../health/host-problems.ts";
import { withoutUnlisted } from "./without-unlisted.ts";

const never = () => Promise.reject(new Error("not in this test"));

/** A server whose CLI lists model-a, and a worker. The role needs model-b. */
async function aServerWith(models: readonly string[], slots: number) {
  const row = aWorkerRow("wrk-2");
  const runners = [{ id: "claude", version: null, models }] as const;
  const rows = [{ ...row, details: row.details && { ...row.details, runners } }];
  const core = await aCore({
    serverId: "here",
    runners: ["claude"],
    roles: [aRole({ runner: "claude", model: "model-b" })],
    settings: { locale: "en" },
    offer: { slots },
    hosts: (clock) => ({
      hostProblems: createHostProblems(clock),
      workers: workersOf(rows),
      sessions: { reportOn: async () => rows.map(({ id }) => ({ id, hasDirectory: true })) },
    }),
  });
  core.installed.add("claude");
  const [id = "no-agent-0"] = await withLabels(core, [[]]);
  return { core, id };
}

test("an agent whose model no connected worker lists says so while it waits", async () => {
  const { core, id } = await aServerWith(["model-c"], 0);
  expect(await reasonOf(core, id)).toContain("has the model model-b of the CLI claude");
  const listed = await aServerWith(["model-b"], 0);
  expect(await reasonOf(listed.core, listed.id)).toBeUndefined();
});

test("a server leaves an agent whose model its CLI does not list to a worker that lists it", async () => {
  for (const [models, launched] of [
    [["model-b"], 0],
    [["model-c"], 1],
  ] as const) {
    const { core, id } = await aServerWith(models, 0);
    const server = { ...core, offer: { slots: () => 4, labels: () => [] } };
    core.health.learnModels("claude", { models: ["model-a"], checkedAt: NOON });
    const agents = await core.store.getAgents([id]);
    expect(await withoutUnlisted(server, agents)).toHaveLength(launched);
  }
});

test("a worker leaves an agent whose model its CLI does not list to other hosts", async () => {
  const { core, id } = await aServerWith(["model-c"], 0);
  const agents = await core.store.getAgents([id]);
  const keptWith = (models: readonly string[] | undefined) =>
    withoutUnlisted(
      {
        ...core,
        serverId: "wrk-2",
        host: {
          name: "wrk-2",
          models: () => models,
          problems: createHostProblems(core.clock),
          unfetched: { has: () => false, add() {} },
          accept: async (all) => all,
          hasDirectory: never,
          isRunning: never,
          launch: never,
          onHandedBack() {},
          sweepWorktrees() {},
        },
      },
      agents,
    );
  expect(await keptWith(["model-c"])).toEqual([]);
  expect(await keptWith(["model-b"])).toEqual(agents);
  expect(await keptWith(undefined)).toEqual(agents);
});
