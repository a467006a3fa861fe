import { expect, test } from "vitest";
import { aCore, aRole, ended, started } from "../../../test/kit/core.ts";
import { aConcurrentGroup, anOrchestratedGroup, someAgents } from "../../../test/kit/groups.ts";
import { main } from "../../../test/kit/running-agent.ts";
import { aReport, askFor } from "../../../test/kit/task-flow.ts";
import { reportResult } from "../agents/report-result.ts";
import { deleteGroup } from "./delete-group.ts";

test("a group whose agents have ended is deleted, and their results stay", async () => {
  const core = await aCore();
  const group = await aConcurrentGroup(core);
  const [agentId] = await someAgents(core, group);
  if (!agentId) throw new Error("one agent was asked for");
  await core.observe(started(agentId), ended(agentId));

  expect(await deleteGroup(core, main, { groupId: group.id })).toMatchObject({ status: "deleted" });

  expect(await core.store.getGroup(group.id)).toMatchObject({
    status: "deleted",
    deletedAt: core.clock.now(),
  });
  expect(await core.store.getResult(agentId)).toMatchObject({ status: "success" });
  const events = await core.store.listEvents(0, 100);
  expect(events.at(-1)).toMatchObject({ type: "group:deleted", groupId: group.id });
});

test("a group is deleted only once, and only if it exists", async () => {
  const core = await aCore();
  const { id } = await aConcurrentGroup(core);
  await deleteGroup(core, main, { groupId: id });

  const again = deleteGroup(core, main, { groupId: id });

  await expect(again).rejects.toMatchObject({ code: "GROUP_NOT_ACTIVE" });
  await expect(deleteGroup(core, main, { groupId: "grp-1-ffff" })).rejects.toMatchObject({
    code: "GROUP_NOT_FOUND",
  });
});

test("a group with an agent at work stays; a process that lingers after its report does not keep it", async () => {
  const core = await aCore();
  const group = await aConcurrentGroup(core);
  const [agentId] = await someAgents(core, group);
  if (!agentId) throw new Error("one agent was asked for");
  await core.observe(started(agentId));

  await expect(deleteGroup(core, main, { groupId: group.id })).rejects.toMatchObject({
    code: "GROUP_HAS_RUNNING_AGENTS",
    message: expect.stringContaining("1 agent(s)"),
  });
  expect((await core.store.getGroup(group.id))?.status).toBe("active");

  const agent = { kind: "agent", agentId, role: "impl-code" } as const;
  await reportResult(core, agent, { agentId, report: aReport() });
  expect(await deleteGroup(core, main, { groupId: group.id })).toMatchObject({ status: "deleted" });
});

test("the active groups below a group are deleted with it, and no others", async () => {
  const core = await aCore();
  const top = await aConcurrentGroup(core);
  const middle = await aConcurrentGroup(core, top.id);
  const bottom = await aConcurrentGroup(core, middle.id);
  const other = await aConcurrentGroup(core);

  await deleteGroup(core, main, { groupId: top.id });

  const groups = await Promise.all(
    [top, middle, bottom, other].map(({ id }) => core.store.getGroup(id)),
  );
  expect(groups.map((group) => group?.status)).toEqual(["deleted", "deleted", "deleted", "active"]);
});

test("the group of a task that is not finished stays", async () => {
  const core = await aCore();
  const { id, groupId } = await askFor(core);

  await expect(deleteGroup(core, main, { groupId })).rejects.toMatchObject({
    code: "TRANSITION_NOT_ALLOWED",
    message: expect.stringContaining(id),
  });
  expect((await core.store.getGroup(groupId))?.status).toBe("active");
});

test("an orchestrator cannot delete a group that is not its own", async () => {
  const core = await aCore({ roles: [aRole(), aRole({ id: "orchestrator" })] });
  const { identity } = await anOrchestratedGroup(core);
  const other = await aConcurrentGroup(core);

  await expect(deleteGroup(core, identity, { groupId: other.id })).rejects.toMatchObject({
    code: "NOT_ALLOWED",
  });
});

test("a group is deleted even if the transcripts of its agents cannot be", async () => {
  const core = await aCore({ settings: { maxConcurrent: 30 } });
  const group = await aConcurrentGroup(core);
  for (const id of await someAgents(core, group, 21)) await core.observe(started(id), ended(id));
  const supervisor = {
    ...core.supervisor,
    removeSpool: () => Promise.reject(new Error("the disk is read-only")),
  };

  const deleted = await deleteGroup({ ...core, supervisor }, main, { groupId: group.id });

  expect(deleted.status).toBe("deleted");
});
