import { fileURLToPath } from "node:url";
import { processesWith } from "../kit/processes.ts";
import { expect, open, test } from "./kit.ts";
import { expectAccessible } from "./kit/checks.ts";
import { aDaemon, type Daemon } from "./kit/daemon.ts";
import { restOf, type Rest } from "./kit/rest.ts";

const FAKE_CLIS = fileURLToPath(new URL("../kit/bin", import.meta.url));

let daemon: Daemon;
let rest: Rest;
test.beforeAll(async () => {
  daemon = await aDaemon();
  rest = restOf(daemon.url);
});
test.afterAll(() => daemon.end());

const LISTENS = "耳をすます\n#rehearsal say 始めました\n#rehearsal listen 600000";

async function aRunningAgent(): Promise<{ groupId: string; agentId: string }> {
  const groupId = await rest.group("一人だけの組");
  const [agentId = ""] = await rest.run(groupId, [LISTENS]);
  await rest.reachAgent(agentId, "running");
  return { groupId, agentId };
}

test("the agent page sends a message and shows when the agent has read it", async ({
  page,
  say,
}) => {
  const { agentId } = await aRunningAgent();
  await open(page, daemon.url, `/agents/${agentId}`);
  await expect(page.getByText("始めました").first()).toBeVisible();
  const box = page.getByRole("textbox", {
    name: say("エージェントへのメッセージ", "Message to the agent"),
  });
  await box.fill("先に試験を書いてください");
  await page.keyboard.press("Control+Enter");
  await expect(box).toHaveValue("");
  const notices = page.getByRole("region", { name: say("通知", "Notifications") });
  await expect(notices.getByText("先に試験を書いてください")).toBeVisible();
  await expect(notices.locator("[aria-current=step]")).toHaveText(say("既読", "Read"));
  await expect(
    page.getByRole("tabpanel").getByText("先に試験を書いてください").first(),
  ).toBeVisible();
});

test("the agent page stops an agent after a confirmation and says why it was stopped", async ({
  page,
  say,
}) => {
  const { agentId } = await aRunningAgent();
  await open(page, daemon.url, `/agents/${agentId}`);
  await page.getByRole("button", { name: say("停止…", "Stop…") }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText(agentId)).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole("button").last().click();
  await expect(page.locator("main header").getByText(say("停止", "Stopped"))).toBeVisible();
  await rest.reachAgent(agentId, "cancelled");
  await expect(page.getByText(say("停止された", "It was stopped"))).toBeVisible();
});

test("the group page stops and deletes a group, and the history keeps its agents", async ({
  page,
  say,
}) => {
  const groupId = await rest.group("止められる組");
  const agentIds = await rest.run(groupId, [LISTENS, LISTENS]);
  for (const agentId of agentIds) await rest.reachAgent(agentId, "running");
  await open(page, daemon.url, `/groups/${groupId}`);
  const remove = page.getByRole("button", { name: say("削除…", "Delete…") });
  await expect(remove).toBeDisabled();
  await page.getByRole("button", { name: say("停止…", "Stop…") }).click();
  const dialog = page.getByRole("dialog");
  for (const agentId of agentIds) await expect(dialog.getByText(agentId)).toBeVisible();
  await dialog.getByRole("button", { name: say("2 体を停止する", "Stop 2 agents") }).click();
  await expect(dialog).toHaveCount(0);
  for (const agentId of agentIds) await rest.reachAgent(agentId, "cancelled");

  await remove.click();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: say("削除する", "Delete group") })
    .click();
  await expect(page).toHaveURL(`${daemon.url}/groups`);
  await page.goto(`${daemon.url}/history`);
  for (const agentId of agentIds) await expect(page.getByText(agentId).first()).toBeVisible();
});

test("the transcript grows while the agent works, and does not scroll away from a reader", async ({
  page,
  say,
}) => {
  const groupId = await rest.group("話しつづける");
  const talk = Array.from({ length: 60 }, (_, i) => `#rehearsal say 第${i}行`).join("\n");
  const [agentId = ""] = await rest.run(groupId, [
    `話して\n${talk}\n#rehearsal sleep 4000\n#rehearsal say 最後の行\n#rehearsal listen 600000`,
  ]);
  await open(page, daemon.url, `/agents/${agentId}`);
  const log = page.getByRole("region", { name: say("トランスクリプト", "Transcript") });
  await expect(log.getByText("第59行").first()).toBeVisible();
  await log.hover();
  await page.mouse.wheel(0, -4_000);
  await expect(log.getByText("第0行").first()).toBeVisible();
  await rest.reachAgent(agentId, "running");
  await expect(page.getByText(say("新着", "new")).first()).toBeVisible();
  await expect(log.getByText("第0行").first()).toBeVisible();
  await page.keyboard.press("f");
  await expect(log.getByText("最後の行").first()).toBeVisible();
});

test("a tile shows tokens and their cost, live and after a reload", async ({ page, stage }) => {
  const models = { "claude-4-sonnet": { input: 3, output: 15 } };
  const priced = await stage({ config: { prices: { currency: "USD", models } } });
  const groupId = await priced.rest.group("値段のある組");
  await open(page, priced.daemon.url, `/groups/${groupId}`);
  const [agentId = ""] = await priced.rest.run(groupId, ["働く\n#rehearsal usage 100000 20000"]);
  const tile = page.getByRole("article").filter({ hasText: agentId });

  for (const figure of [/12万|120K/, /\$0\.6/]) await expect(tile).toContainText(figure);
  await page.reload();
  for (const figure of [/12万|120K/, /\$0\.6/]) await expect(tile).toContainText(figure);
});

test("the usage of today is updated as soon as an agent has ended", async ({ page, stage }) => {
  const { daemon: fresh, rest: its } = await stage();
  const groupId = await its.group("今日の組");
  await open(page, fresh.url);
  await expect(page.getByText("0 tok", { exact: true })).toBeVisible();
  await its.run(groupId, ["働く\n#rehearsal usage 100000 20000"]);
  await expect(page.getByText(/^(?:12万|120K) tok$/)).toBeVisible();
});

test("an agent that runs without a connection to us is marked as degraded, until it connects", async ({
  page,
  say,
  stage,
}) => {
  const { daemon: own, rest: ownRest } = await stage({
    config: { agent: { runner: "cursor", connectWithin_ms: 300, env: ["FAKE_AGENT_SLEEP"] } },
    env: { PATH: `${FAKE_CLIS}:/usr/bin:/bin`, FAKE_AGENT_SLEEP: "600" },
  });
  const groupId = await ownRest.group("接続しない組");
  const [agentId = ""] = await ownRest.run(groupId, ["挨拶を書いて"]);
  await open(page, own.url, "/");
  const mark = page.getByText(say("縮退", "Degraded"), { exact: true });
  await expect(page.getByRole("article").filter({ has: mark })).toBeVisible();

  await open(page, own.url, `/agents/${agentId}`);
  const note = page.getByRole("status").filter({ hasText: "kuromajutsu init" });
  await expect(note).toBeVisible();
  await expectAccessible(page);

  const token = tokenOf(agentId);
  await fetch(`${own.url}/mcp`, { method: "POST", headers: { authorization: `Bearer ${token}` } });
  await expect(note).toBeHidden();
  await expect(mark).toBeHidden();
});

function tokenOf(agentId: string): string {
  const [found] = processesWith(`KUROMAJUTSU_AGENT_ID=${agentId}`);
  const name = "KUROMAJUTSU_AGENT_TOKEN=";
  return found?.environment.find((each) => each.startsWith(name))?.slice(name.length) ?? "";
}
