import { expect, test } from "vitest";
import { aCore, aRole } from "../../../test/kit/core.ts";
import { aConcurrentGroup, anOrchestratedGroup } from "../../../test/kit/groups.ts";
import { main } from "../../../test/kit/running-agent.ts";
import { createGroup } from "./create-group.ts";
import { deleteGroup } from "./delete-group.ts";

const roles = [aRole(), aRole({ id: "orchestrator" })];

test("a new group is active, stored and announced", async () => {
  const core = await aCore();

  const group = await createGroup(core, main, {
    description: "認証",
    mode: "sequential",
    parentGroupId: null,
  });

  expect(group).toMatchObject({ description: "認証", mode: "sequential", status: "active" });
  expect(await core.store.getGroup(group.id)).toEqual(group);
  expect(await core.store.listEvents(0, 10)).toMatchObject([
    { type: "group:created", groupId: group.id, data: { description: "認証", mode: "sequential" } },
  ]);
});

test("a group id that is taken is drawn again", async () => {
  const draws = ["aaaa", "aaaa", "bbbb"];
  const core = await aCore({ hex: () => draws.shift() ?? "cccc" });

  const ids = [(await aConcurrentGroup(core)).id, (await aConcurrentGroup(core)).id];

  expect(ids.map((id) => id.slice(-4))).toEqual(["aaaa", "bbbb"]);
});

test("a magentic group cannot be created without its orchestrator", async () => {
  const core = await aCore();

  const act = createGroup(core, main, { description: "x", mode: "magentic", parentGroupId: null });

  await expect(act).rejects.toMatchObject({ code: "MODE_MISMATCH" });
});

test("the parent of a group must exist and be active", async () => {
  const core = await aCore();
  const parent = await aConcurrentGroup(core);
  await deleteGroup(core, main, { groupId: parent.id });

  await expect(aConcurrentGroup(core, "grp-1-ffff")).rejects.toMatchObject({
    code: "GROUP_NOT_FOUND",
  });
  await expect(aConcurrentGroup(core, parent.id)).rejects.toMatchObject({
    code: "GROUP_NOT_ACTIVE",
  });
});

test("the group of an orchestrator is the parent of the groups that it creates", async () => {
  const core = await aCore({ roles });
  const { group, identity } = await anOrchestratedGroup(core);

  const own = await aConcurrentGroup(core, null, identity);
  const below = await aConcurrentGroup(core, own.id, identity);

  expect([own.parentGroupId, below.parentGroupId]).toEqual([group.id, own.id]);
});

test("an orchestrator cannot create a group below a group that is not its own", async () => {
  const core = await aCore({ roles });
  const { identity } = await anOrchestratedGroup(core);
  const other = await aConcurrentGroup(core);

  await expect(aConcurrentGroup(core, other.id, identity)).rejects.toMatchObject({
    code: "NOT_ALLOWED",
  });
});

test("an orchestrator has at most a hundred active groups, and deleting one makes room", async () => {
  const core = await aCore({ roles });
  const { identity } = await anOrchestratedGroup(core);
  const first = await aConcurrentGroup(core, null, identity);
  for (let count = 1; count < 100; count++) await aConcurrentGroup(core, null, identity);

  await expect(aConcurrentGroup(core, null, identity)).rejects.toMatchObject({
    code: "TOO_MANY_OPEN",
  });
  await deleteGroup(core, identity, { groupId: first.id });

  expect(await aConcurrentGroup(core, null, identity)).toMatchObject({ status: "active" });
});
