import { expect, test } from "vitest";
import { aSlackDoor, type SlackDoorKit } from "../../../../test/kit/slack-door.ts";
import type { FakePerson } from "../../../../test/kit/slack/workspace.ts";
import { taskSettingsOf } from "../../../adapters/config/task-settings.ts";
import { systemRandom } from "../../../adapters/world.ts";
import { requestApproval } from "../../../app/approvals/request-approval.ts";
import { createSlackCode } from "../../../app/people/slack-codes.ts";
import { configSchema } from "../../../contract/config/schema.ts";
import { decisionValue } from "../button-values.ts";
import { ACTIONS } from "../cards/action-ids.ts";

const asPerson = (id: string) =>
  ({ kind: "person", person: { id, name: id, role: "operator" } }) as const;

test.each([
  ["a user without a person", {}, "結び付いていません"],
  ["a guest", { isRestricted: true }, "ゲスト"],
  ["a guest of one channel", { isUltraRestricted: true }, "ゲスト"],
  ["a user of another workspace", { teamId: "T0OTHER" }, "ほかのワークスペース"],
  ["a user of another organization", { teamId: "E0OTHER" }, "ほかのワークスペース"],
  ["a user who has left", { deleted: true }, "結び付いていません"],
] as const)("%s is refused, and nothing changes", async (_, over, why) => {
  const { acme, core, tasks, told, settings } = await aSlackDoor();
  const user = acme.person("carol", over);
  if (Object.keys(over).length > 0) settings.people.push({ user: user.id, person: "alice" });
  const open = acme.channel("open", [user]);

  expect(await user.mentions(open, "集計して")).toMatchObject({ isAcked: true });

  await expect.poll(() => told(user)).toEqual([expect.stringContaining(why)]);
  expect(await tasks()).toEqual([]);
  const actor = `${user.id}.${acme.id}@slack`;
  const { entries } = await core.store.listAudit({ actor, limit: 5 });
  expect(entries).toMatchObject([{ action: "slack.refused" }]);
});

test("without sign-in only users who are mapped to the local person may act", async () => {
  const { acme, alice, bob, settings, tasks, told } = await aSlackDoor({ people: {} });
  const group = acme.userGroup("hr", [bob]);
  settings.people.push({ usergroup: group, role: "operator" });

  await alice.dm("集計して");
  await bob.dm("集計して");

  await expect.poll(() => told(bob)).toEqual([expect.stringContaining("結び付いていません")]);
  await expect.poll(tasks).toMatchObject([{ requester: "local" }]);
});

async function link(kit: SlackDoorKit, user: FakePerson, code: string): Promise<string> {
  const before = (await kit.told(user)).length;
  await user.slash(kit.channel, "/kuro", `link ${code}`);
  await expect.poll(() => kit.told(user)).toHaveLength(before + 1);
  return (await kit.told(user)).at(-1) ?? "";
}

test("a code of the dashboard links a Slack user to a person, once and in time", async () => {
  const kit = await aSlackDoor({ core: { hex: () => systemRandom.hex(6) } });
  const { acme, core, tasks } = kit;
  const [carol, dave] = [acme.person("carol"), acme.person("dave")];
  const { code } = await createSlackCode(core, asPerson("alice"));

  expect(code).toMatch(/^[0-9A-F]{6}-[0-9A-F]{6}$/);
  expect(await link(kit, carol, "000000-000000")).toContain("❌");
  expect(await link(kit, carol, code.toLowerCase().replace("-", " "))).toContain("*alice*");
  expect(await link(kit, dave, code)).toContain("❌");

  await carol.dm("集計して");
  await expect.poll(tasks).toMatchObject([{ requester: "alice" }]);
  const late = await createSlackCode(core, asPerson("bob"));
  core.advance(10 * 60_000);
  expect(await link(kit, dave, late.code)).toContain("❌");
  const { entries } = await core.store.listAudit({ subject: "alice", limit: 5 });
  expect(entries).toMatchObject([{ action: "slack.linked", data: { user: carol.id } }]);
});

test("a guest cannot use a code, and guessing codes is slow", async () => {
  const kit = await aSlackDoor();
  const guest = kit.acme.person("guest", { isRestricted: true });
  const { code } = await createSlackCode(kit.core, asPerson("alice"));

  expect(await link(kit, guest, code)).toContain("❌");
  for (let n = 1; n < 10; n++) await link(kit, guest, `${n}`);

  expect(await link(kit, guest, "11")).toContain("失敗が続いた");
  expect(await kit.core.store.getSlackLink(kit.acme.id, guest.id)).toBeUndefined();
});

test("a person who is removed from the configuration loses the link's power", async () => {
  const kit = await aSlackDoor();
  const carol = kit.acme.person("carol");
  const { code } = await createSlackCode(kit.core, asPerson("bob"));
  await link(kit, carol, code);

  kit.core.setPeople({ alice: "operator" });
  await carol.dm("集計して");

  await expect.poll(() => kit.told(carol)).toHaveLength(2);
  expect(await kit.tasks()).toEqual([]);
});

test("members of a mapped user group act as themselves, as long as they are members", async () => {
  const kit = await aSlackDoor();
  const { acme, settings, tasks, told } = kit;
  const [carol, dave] = [acme.person("carol"), acme.person("dave")];
  const group = acme.userGroup("hr", [carol]);
  settings.people.push({ usergroup: group, role: "operator" });

  await carol.dm("集計して");
  await dave.dm("集計して");
  await expect.poll(tasks).toMatchObject([{ requester: `${carol.id}.${acme.id}@slack` }]);
  await expect.poll(() => told(dave)).toHaveLength(1);

  await dave.joinsUserGroup(group);
  await carol.leavesUserGroup(group);
  await dave.dm("集計して");
  await carol.dm("集計して");
  await expect.poll(tasks).toHaveLength(2);
  await expect.poll(() => told(carol)).toHaveLength(1);
});

test("a change of a user group counts after five minutes, even if Slack does not announce it", async () => {
  const { acme, settings, tasks, told, core } = await aSlackDoor();
  const carol = acme.person("carol");
  const group = acme.userGroup("hr", [carol]);
  settings.people.push({ usergroup: group, role: "operator" });
  await carol.dm("集計して");
  await expect.poll(tasks).toHaveLength(1);

  acme.team.userGroups.set(group, { id: group, handle: "hr", users: [] });
  core.advance(5 * 60_000);
  await carol.dm("集計して");

  await expect.poll(() => told(carol)).toEqual([expect.stringContaining("結び付いていません")]);
  expect(await tasks()).toHaveLength(1);
});

test("members of a user group that cannot be read are refused", async () => {
  const kit = await aSlackDoor();
  const carol = kit.acme.person("carol");
  const group = kit.acme.userGroup("hr", [carol]);
  kit.settings.people.push({ usergroup: group, role: "operator" });
  const fault = { error: "missing_scope" };
  kit.slack.faults.add("usergroups.users.list", fault, { times: 10 });

  await carol.dm("集計して");

  await expect.poll(() => kit.told(carol)).toHaveLength(1);
  expect(await kit.tasks()).toEqual([]);
});

test("an approval rule may name a user group, and follows its members", async () => {
  const slackDoor = await aSlackDoor();
  const { acme, settings, told, channel, core } = slackDoor;
  const [carol, dave] = [acme.person("carol"), acme.person("dave")];
  const group = acme.userGroup("approvers", [carol]);
  settings.people.push({ usergroup: group, role: "operator" });
  const { tasks } = configSchema.parse({ tasks: { approval: { approvers: [`${group}@slack`] } } });
  const ruled = { ...core, settings: { ...core.settings, tasks: taskSettingsOf(tasks) } };
  const approval = await core.store.transaction((unit) =>
    requestApproval(ruled, unit, {
      kind: "call",
      taskId: null,
      requester: "alice",
      title: "確認",
      shown: { tool: "write" },
    }),
  );
  const card = await slackDoor.card(channel, "", {
    [ACTIONS.approveStep]: decisionValue(approval),
  });
  const status = async () => (await core.store.getApproval(approval.id))?.status;

  for (const user of [slackDoor.bob, dave]) {
    await user.click(card, ACTIONS.approveStep);
    await expect.poll(() => told(user)).toHaveLength(1);
    expect(await status()).toBe("pending");
  }
  await carol.leavesUserGroup(group);
  await carol.click(card, ACTIONS.approveStep);
  await expect.poll(() => told(carol)).toHaveLength(1);
  expect(await status()).toBe("pending");

  await carol.joinsUserGroup(group);
  await carol.click(card, ACTIONS.approveStep);

  await expect.poll(status).toBe("approved");
});

test("entries without a workspace count only in the app's own one", async () => {
  const kit = await aSlackDoor();
  const other = kit.slack.workspace("umbrella");
  kit.workspaces.push(other);
  // Ids are unique only within a workspace.
  const twin = other.person("mallory", { id: kit.alice.id });
  const eve = other.person("eve");
  kit.settings.people.push({ usergroup: other.userGroup("hr", [eve]), role: "operator" });

  await twin.dm("集計して");
  await eve.dm("集計して");

  const told = async () =>
    [...(await other.ephemerals(twin.id)), ...(await other.ephemerals(eve.id))].map(
      ({ text }) => text,
    );
  await expect.poll(told).toHaveLength(2);
  expect(await kit.tasks()).toEqual([]);
});
