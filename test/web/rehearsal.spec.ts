import { expect, open, test } from "./kit.ts";
import { expectAccessible } from "./kit/checks.ts";
import { aDaemon, type Daemon } from "./kit/daemon.ts";
import { restOf, type Rest } from "./kit/rest.ts";

let daemon: Daemon;
let rest: Rest;
test.beforeAll(async () => {
  daemon = await aDaemon();
  rest = restOf(daemon.url);
});
test.afterAll(() => daemon.end());

test("without a CLI the dashboard, the group, the agent and the result are marked as a rehearsal", async ({
  page,
  say,
}) => {
  const groupId = await rest.group("リハーサルの組");
  const [agentId = ""] = await rest.run(groupId, ["x\n#rehearsal report success 済み"]);
  await rest.reachAgent(agentId, "resultReported");

  await open(page, daemon.url, "/");
  await expect(page.getByRole("note")).toContainText(say("リハーサルのみ", "Rehearsal only"));
  await expect(page.getByRole("note")).toContainText("Cursor CLI");
  await page
    .getByRole("navigation", { name: say("表示するグループ", "Groups to show") })
    .getByText(say("すべて", "All"))
    .click();
  await page.getByRole("button", { name: "リハーサルの組" }).click();
  const mark = say("リハーサル", "Rehearsal");
  await expect(page.locator("article").getByText(mark, { exact: true }).first()).toBeVisible();
  await expectAccessible(page);

  await open(page, daemon.url, `/agents/${agentId}?tab=result`);
  await expect(page.getByRole("tabpanel").getByText(mark, { exact: true })).toBeVisible();
  await open(page, daemon.url, "/history");
  await expect(page.getByText(mark, { exact: true }).first()).toBeVisible();
});

test("without a CLI every role is marked as a rehearsal and names no model", async ({
  page,
  say,
}) => {
  await open(page, daemon.url, "/roles");
  const roles = page.locator("article");
  await expect(roles.first()).toBeVisible();
  await expect(roles.filter({ hasText: say("リハーサルのみ", "Rehearsal only") })).toHaveCount(
    await roles.count(),
  );
  await expect(roles.filter({ hasText: "claude-4-sonnet" })).toHaveCount(0);
});

test("without a CLI the form for a new task, its card and its page are marked as a rehearsal", async ({
  page,
  say,
}) => {
  const taskId = await rest.create("リハーサルの依頼");
  await rest.pending(taskId, "prompt");
  const mark = say("リハーサル", "Rehearsal");
  for (const width of [1_440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await open(page, daemon.url, `/tasks/${taskId}`);
    await expect(page.locator("main header").getByText(mark, { exact: true })).toBeVisible();
    await open(page, daemon.url, "/tasks?view=list");
    await expect(page.locator("main").getByText(mark, { exact: true }).first()).toBeVisible();
    await open(page, daemon.url, "/");
    await page.getByRole("button", { name: say("新しいタスク", "New task") }).click();
    await expect(page.getByRole("dialog").getByRole("note")).toContainText(
      say("リハーサルのみ", "Rehearsal only"),
    );
  }
});

test("the agent page shows when the prompt was read and the answer of the last tool", async ({
  page,
  say,
}) => {
  const groupId = await rest.group("道具を使う組");
  const [agentId = ""] = await rest.run(groupId, [
    "x\n#rehearsal write notes.txt 一行目\n#rehearsal listen 600000",
  ]);
  await rest.reachAgent(agentId, "running");

  await open(page, daemon.url, `/agents/${agentId}`);
  const facts = page.getByRole("region", { name: say("概要", "Overview") });
  await expect(facts.getByText(say("直前のツール", "Last tool"))).toBeVisible();
  await expect(facts.getByText(say("プロンプト送信", "Prompt sent"))).toBeVisible();
});

test("the dashboard shows id, status, time, tool calls and current tool of an orchestrator", async ({
  page,
  say,
}) => {
  await rest.tool("run_magentic", {
    description: "指揮の組",
    task: "挨拶を書く\n#rehearsal child sleep 600000",
    completionCriteria: "あること",
    scope: "ここだけ",
  });
  await open(page, daemon.url, "/");

  const facts = page.locator("p", { hasText: /^orchestrator-\d+-[0-9a-f]{4}/ }).first();
  await expect(facts).toContainText(say("実行中", "Running"));
  await expect(facts).toContainText(/\d (?:秒|s)/);
  await expect(facts).toContainText("wait_agent");
  await expectAccessible(page);
});
