import { expect, test } from "vitest";
import { aCore, ended, someProgress, started, type TestCore } from "../../../../test/kit/core.ts";
import { aConcurrentGroup, someAgents } from "../../../../test/kit/groups.ts";
import { anOutgoing, type OutgoingOver } from "../../../../test/kit/slack-outgoing.ts";
import { aFakeSlack } from "../../../../test/kit/slack/fake-slack.ts";
import { askFor } from "../../../../test/kit/task-flow.ts";
import { stopGroup } from "../../../app/groups/stop-group.ts";
import { NO_PROGRESS } from "../../../domain/agents/progress.ts";
import type { AgentId } from "../../../domain/ids.ts";

type Groups = "all" | "sequential" | "magentic";

async function aBoard(groups: Groups = "all") {
  const slack = await aFakeSlack();
  const acme = slack.workspace("acme");
  const channel = acme.channel("agents", []);
  const core = await aCore();
  const over: OutgoingOver = { boards: [{ channel, groups }] };
  const start = () => anOutgoing(core, slack, [acme], over);
  const texts = () => acme.history(channel).map(({ attachments }) => JSON.stringify(attachments));
  return { slack, acme, core, channel, start, texts };
}

/** The board shows the role and the end of the id. */
function endOf(id: string): string {
  return `\`${id.split("-").at(-1)}\``;
}

async function run(core: TestCore, count: number): Promise<readonly AgentId[]> {
  return someAgents(core, await aConcurrentGroup(core), count);
}

test("a group of a main agent has one message that follows its agents to the end", async () => {
  const { acme, core, channel, start, texts } = await aBoard();
  const outgoing = await start();
  const ids = await run(core, 3);
  await outgoing.settle();
  expect(texts()).toEqual([expect.stringContaining("グループ実行中")]);
  for (const id of ids) expect(texts()[0]).toContain(endOf(id));

  const [first, ...rest] = ids;
  if (!first) throw new Error("There are three.");
  await core.observe(started(first));
  await core.observe(ended(first, { progress: someProgress() }));
  core.advance(5_000);
  await outgoing.settle();
  expect(texts()[0]).toContain("1/3");

  for (const id of rest) {
    await core.observe(started(id));
    await core.observe(ended(id));
  }
  await outgoing.settle();

  expect(texts()).toEqual([expect.stringContaining("グループ完了")]);
  expect(texts()[0]).not.toContain("stop_group");
  expect(acme.history(channel)).toHaveLength(1);
});

test("a board says that its group is being stopped, without the button", async () => {
  const { core, start, texts } = await aBoard();
  const outgoing = await start();
  const group = await aConcurrentGroup(core);
  const [first, second] = await someAgents(core, group, 2);
  if (!first || !second) throw new Error("There are two.");
  for (const id of [first, second]) await core.observe(started(id));
  await stopGroup(core, group.id);
  await core.observe(ended(first, { progress: NO_PROGRESS }));
  await outgoing.settle();
  expect(texts()).toEqual([expect.stringContaining("停止処理中")]);
  expect(texts()[0]).not.toContain("stop_group");

  await core.observe(ended(second, { progress: NO_PROGRESS }));
  await outgoing.settle();

  expect(texts()).toEqual([expect.stringContaining("⏹️ グループ停止")]);
  expect(texts()[0]).not.toContain("停止処理中");
});

test("a board shows the groups of its mode", async () => {
  const { core, start, texts } = await aBoard("magentic");
  const outgoing = await start();
  await run(core, 1);
  await outgoing.settle();

  expect(texts()).toEqual([]);
});

test("a board does not show the groups of tasks", async () => {
  const { core, start, texts } = await aBoard();
  const outgoing = await start();
  await askFor(core);
  await outgoing.settle();

  expect(texts()).toEqual([]);
});

test("the end of a group that came while no daemon ran is shown by the next one", async () => {
  const { core, start, texts } = await aBoard();
  const first = await start();
  const ids = await run(core, 1);
  await first.settle();
  await first.close();
  for (const id of ids) {
    await core.observe(started(id));
    await core.observe(ended(id));
  }

  const next = await start();
  await next.settle();

  expect(texts()).toEqual([expect.stringContaining("グループ完了")]);
});

test("agents of groups below the group are lines of its board", async () => {
  const { core, start, texts } = await aBoard();
  const outgoing = await start();
  const group = await aConcurrentGroup(core);
  await someAgents(core, group);
  const [below] = await someAgents(core, await aConcurrentGroup(core, group.id));
  await outgoing.settle();

  expect(texts()).toEqual([expect.stringContaining(endOf(below ?? "none"))]);
});
