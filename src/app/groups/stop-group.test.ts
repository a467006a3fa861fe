import { expect, test } from "vitest";
import { aCore, aRole, ended, started } from "../../../test/kit/core.ts";
import { aConcurrentGroup, anOrchestratedGroup, someAgents } from "../../../test/kit/groups.ts";
import { stopDescendants, stopGroup } from "./stop-group.ts";

test("stopping a group stops its running agents and those of the groups below it", async () => {
  const core = await aCore();
  const top = await aConcurrentGroup(core);
  const below = await aConcurrentGroup(core, top.id);
  const running = [...(await someAgents(core, top)), ...(await someAgents(core, below))];
  const [other] = await someAgents(core, await aConcurrentGroup(core));
  await core.observe(...running.map((id) => started(id)));

  expect(await stopGroup(core, top.id)).toEqual(running);
  await core.quiet();

  expect(core.stops.map(({ agentId }) => agentId)).toEqual(running);
  expect(core.stops.map(({ agentId }) => agentId)).not.toContain(other);
});

test("a queued agent of a stopped group never starts, although there is room for it then", async () => {
  const core = await aCore({ settings: { maxConcurrent: 1 } });
  const group = await aConcurrentGroup(core);
  const [first, second] = await someAgents(core, group, 2);
  if (!first || !second) throw new Error("two agents were asked for");
  await core.observe(started(first));

  await stopGroup(core, group.id);
  await core.observe(ended(first, { exitCode: 143 }));
  await core.quiet();

  expect(core.launches.map(({ agentId }) => agentId)).toEqual([first]);
  expect(await core.store.getAgent(second)).toMatchObject({ status: "cancelled" });
});

test("an agent that has ended is not stopped again", async () => {
  const core = await aCore();
  const group = await aConcurrentGroup(core);
  const [agentId] = await someAgents(core, group);
  if (!agentId) throw new Error("one agent was asked for");
  await core.observe(started(agentId), ended(agentId));

  expect(await stopGroup(core, group.id)).toEqual([]);
  expect(core.stops).toEqual([]);
});

test("a group that does not exist cannot be stopped", async () => {
  const core = await aCore();

  await expect(stopGroup(core, "grp-1-ffff")).rejects.toMatchObject({ code: "GROUP_NOT_FOUND" });
});

test("stopping what works for an orchestrator leaves the orchestrator itself running", async () => {
  const core = await aCore({ roles: [aRole(), aRole({ id: "orchestrator" })] });
  const { group, identity, orchestratorId } = await anOrchestratedGroup(core);
  const own = await aConcurrentGroup(core, null, identity);
  const agents = await someAgents(core, own);

  expect(await stopDescendants(core, group.id)).toEqual(agents);

  expect((await core.store.getAgent(orchestratorId))?.stopReason).toBeNull();
});
