import { expect, test } from "vitest";
import { z } from "zod";
import { aCore, ended, started, type TestCore } from "../../../../test/kit/core.ts";
import { until } from "../../../../test/kit/daemon.ts";
import { anHttpDoor } from "../../../../test/kit/http-door.ts";
import { aDashboard } from "../../../../test/kit/live-client.ts";
import { main } from "../../../../test/kit/running-agent.ts";
import { createGroup } from "../../../app/groups/create-group.ts";
import { deleteGroup } from "../../../app/groups/delete-group.ts";
import { runAgents } from "../../../app/groups/run-agents.ts";

/** Number of agents of deleted groups that stay in the lists. */
const KEPT = 20;

async function aFinishedGroup(core: TestCore, count: number) {
  const { id } = await createGroup(core, main, {
    description: "x",
    mode: "concurrent",
    parentGroupId: null,
  });
  const request = { role: "impl-code", prompt: "x", workingDirectory: null, timeoutMs: null };
  const agents = count
    ? await runAgents(core, main, {
        groupId: id,
        agents: Array.from({ length: count }, () => request),
      })
    : [];
  await core.quiet();
  for (const agent of agents) await core.observe(started(agent.id), ended(agent.id));
  core.advance(1_000);
  return { id, agentIds: agents.map((agent) => agent.id) };
}

const agentsAnswer = z.object({
  agents: z.array(z.object({ agentId: z.string() })),
  total: z.number(),
});
const groupsAnswer = z.object({ groups: z.array(z.object({ groupId: z.string() })) });

/** The agents that each door lists. */
async function listedAt(core: TestCore) {
  const door = await anHttpDoor(core);
  const read = async (path: string) => (await fetch(`${door.url}${path}`)).json();
  const { state } = await (await aDashboard(door.url)).frame("snapshot");
  const { agents, total } = agentsAnswer.parse(await read("/api/agents?limit=1000"));
  const { groups } = groupsAnswer.parse(await read("/api/groups"));
  return {
    url: door.url,
    read,
    total,
    rest: agents.map(({ agentId }) => agentId).toSorted(),
    live: state.agents.map(({ agentId }) => agentId).toSorted(),
    restGroups: groups.map(({ groupId }) => groupId).toSorted(),
    liveGroups: state.groups.map(({ groupId }) => groupId).toSorted(),
  };
}

test("REST and the live state list the same agents: those of active groups and twenty others", async () => {
  const core = await aCore({ settings: { maxConcurrent: 100 } });
  const old = await aFinishedGroup(core, 15);
  const young = await aFinishedGroup(core, 15);
  const active = await aFinishedGroup(core, 2);
  const empty = await aFinishedGroup(core, 0);
  for (const { id } of [old, young, empty]) await deleteGroup(core, main, { groupId: id });

  const listed = await listedAt(core);

  expect(listed.rest).toHaveLength(KEPT + 2);
  expect(listed.total).toBe(KEPT + 2);
  expect(listed.live).toEqual(listed.rest);
  expect(listed.restGroups).toEqual([old.id, young.id, active.id].toSorted());
  expect(listed.liveGroups).toEqual(listed.restGroups);
  const ofOld = agentsAnswer.parse(await listed.read(`/api/agents?groupId=${old.id}`));
  expect(ofOld).toMatchObject({ total: 5, agents: { length: 5 } });
  const completed = agentsAnswer.parse(await listed.read("/api/agents?status=completed"));
  expect(completed.total).toBe(KEPT + 2);
});

test("one group and the history still have every agent of a deleted group", async () => {
  const core = await aCore({ settings: { maxConcurrent: 100 } });
  const group = await aFinishedGroup(core, 25);
  await deleteGroup(core, main, { groupId: group.id });
  const { read } = await listedAt(core);

  const one = z
    .object({ agents: z.array(z.unknown()), totalAgents: z.number() })
    .parse(await read(`/api/groups/${group.id}`));
  const history = z
    .object({ entries: z.array(z.unknown()) })
    .parse(await read("/api/history?limit=200"));

  expect(one).toMatchObject({ totalAgents: 25, agents: { length: 25 } });
  expect(history.entries).toHaveLength(25);
});

test("a connected dashboard gets an event for agents and groups that leave the view", async () => {
  const core = await aCore({ settings: { maxConcurrent: 100 } });
  const old = await aFinishedGroup(core, 15);
  const young = await aFinishedGroup(core, 15);
  const empty = await aFinishedGroup(core, 0);
  await deleteGroup(core, main, { groupId: old.id });
  const door = await anHttpDoor(core);
  const dashboard = await aDashboard(door.url);
  await dashboard.frame("snapshot");

  await deleteGroup(core, main, { groupId: young.id });
  await deleteGroup(core, main, { groupId: empty.id });

  const events = () => dashboard.frames().flatMap((it) => (it.t === "events" ? it.ev : []));
  await until(() => events().some(({ type }) => type === "group:left_view"));
  const inView = (await core.store.listAgentsInView(100)).map(({ agent }) => agent.id);
  const leftIds = events().flatMap((event) =>
    event.type === "agent:left_view" ? event.data.agentIds : [],
  );
  expect(leftIds.toSorted()).toEqual(old.agentIds.filter((id) => !inView.includes(id)).toSorted());
  expect(events().filter(({ type }) => type === "group:left_view")).toMatchObject([
    { data: { groupId: empty.id } },
  ]);
});
