import { expect, test } from "vitest";
import { aGroup, anAgent } from "../../../test/kit/builders.ts";
import { aCore, aRole } from "../../../test/kit/core.ts";
import {
  anOrchestrator,
  aRunningTask,
  aTaskAgent,
  callAs,
  ORCHESTRATOR,
} from "../../../test/kit/running-task.ts";

const FOREIGN = "impl-code-1794733200-ffff";

/** An orchestrator with two agents of its own, and an agent of another group. */
async function aFleet() {
  const core = await aCore({ roles: [aRole(), aRole({ id: "orchestrator" })] });
  await aRunningTask(core);
  const own = await anOrchestrator(core);
  await core.store.transaction(async (unit) => {
    await unit.insertGroup(aGroup({ id: "grp-1794733200-0f0f" }));
    await unit.insertAgent(anAgent({ id: FOREIGN, groupId: "grp-1794733200-0f0f" }), "secret");
  });
  return { core, own };
}

test("an orchestrator sees the status of its own agents; others do not exist for it", async () => {
  const { core, own } = await aFleet();
  const status = (agentId: string) => callAs(core, ORCHESTRATOR, "get_agent_status", { agentId });

  for (const id of [...own, ORCHESTRATOR]) {
    expect((await status(id)).answer).toMatchObject({ agentId: id });
  }
  expect((await status(FOREIGN)).answer).toMatchObject({ code: "AGENT_NOT_FOUND" });
  // The executor it was started below is not its own either.
  const above = await aTaskAgent(core, { id: "impl-code-1794733200-eeee" });
  expect((await status(above)).answer).toMatchObject({ code: "AGENT_NOT_FOUND" });
});

test("an orchestrator waits for its own agents only", async () => {
  const { core, own } = await aFleet();
  const wait = (agentIds: readonly string[]) =>
    callAs(core, ORCHESTRATOR, "wait_agent", { agentIds, maxBlock_ms: 0 });

  expect((await wait(own)).answer).toMatchObject({ pending: own });
  const { answer } = await wait([...own, FOREIGN]);
  expect(answer).toMatchObject({ code: "AGENT_NOT_FOUND" });
  expect(JSON.stringify(answer)).toContain(FOREIGN);
  expect(JSON.stringify(answer)).not.toContain(own[0]);
});

test("an orchestrator lists its own agents only, page by page, and a foreign group is empty", async () => {
  const { core, own } = await aFleet();
  const list = async (args: Readonly<Record<string, unknown>> = {}) =>
    (await callAs(core, ORCHESTRATOR, "list_agents", args)).answer;
  const mine = [...own, ORCHESTRATOR].toSorted();

  const seen: string[] = [];
  for (let cursor: unknown, pages = 0; pages < 10; pages++) {
    const page = await list({ limit: 1, ...(cursor ? { cursor } : {}) });
    expect(page["total"]).toBe(mine.length);
    for (const { agentId } of Array.isArray(page["agents"]) ? page["agents"] : []) {
      seen.push(agentId);
    }
    cursor = page["nextCursor"];
    if (cursor === undefined) break;
  }

  expect(seen.toSorted()).toEqual(mine);
  expect(await list({ groupId: "grp-1794733200-0f0f" })).toMatchObject({ agents: [], total: 0 });
  expect(await list({ groupId: "grp-1794733200-0b0b" })).toMatchObject({ total: own.length });
});
