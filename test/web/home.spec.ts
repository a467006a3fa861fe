import { join } from "node:path";
import { expect, open, type Page, test } from "./kit.ts";
import { expectGood } from "./kit/checks.ts";
import { PEOPLE, signIn } from "./kit/people.ts";
import { seeded } from "./kit/seeded.ts";

const recent = (page: Page) =>
  page.getByRole("region", { name: /最近のタスクと結果|Recent tasks/ });
const checklist = (page: Page) =>
  page.getByRole("complementary", { name: /はじめの一歩|First steps/ });
const doneSteps = (page: Page) =>
  checklist(page)
    .getByRole("listitem")
    .filter({ hasText: /^(?:済み|done)/ });

test("the home page of a new installation says what to do first", async ({ page, stage, say }) => {
  const { daemon } = await stage();
  await open(page, daemon.url, "/");

  await expect(
    page.getByText(say("まだタスクはありません。", "There are no tasks yet")),
  ).toBeVisible();
  await expect(
    page.getByRole("button", { name: say("お試しタスクを 1 つ実行", "Run a sample task") }),
  ).toBeVisible();
  await expect(page.locator("pre")).toContainText('"mcpServers"');
  await expectGood(page);
});

test("the first steps tick themselves, and name the next one after the rehearsal", async ({
  page,
  stage,
  say,
}) => {
  const { daemon, rest } = await stage();
  const taskId = await rest.create(
    "小さな依頼\n#rehearsal steps agent:research\n#rehearsal in executor child listen 3000",
  );
  await open(page, daemon.url, "/");
  await expect(recent(page)).toContainText("小さな依頼");
  await expect(doneSteps(page)).toHaveCount(0);

  await rest.decide(await rest.pending(taskId, "prompt"));
  await rest.decide(await rest.pending(taskId, "process"));
  await expect(doneSteps(page)).toHaveText(say("済み下書きを承認する", "doneApprove a draft"));
  await rest.reach(taskId, ({ agents }) =>
    agents.some(({ role, status }) => role === "research" && status === "running"),
  );
  await rest.ask("PATCH", `/api/tasks/${taskId}`, { status: "blocked", reason: "列が変わるため" });
  await expect(recent(page)).toContainText(say("理由: 列が変わるため", "Reason: 列が変わるため"));
  await rest.reach(taskId, ({ executions }) => executions.at(-1)?.status === "blocked");
  await rest.ask("PATCH", `/api/tasks/${taskId}`, { status: "in_progress" });
  await rest.reach(taskId, ({ status }) => status === "completed");

  await expect(doneSteps(page)).toHaveCount(3);
  const row = recent(page).getByRole("listitem");
  await expect(row).toContainText(say("完了", "Completed"));
  await expect(row).toContainText(say("リハーサル", "ehears"));
  await expect(checklist(page)).toContainText(say("よくできました", "Well done"));
  await expect(checklist(page)).toContainText(say("次にすること", "Next"));
  await rest.tool("list_roles", {});
  await expect(doneSteps(page)).toHaveCount(4);
  await expect(checklist(page)).toContainText(say("test が接続しました", "test has connected"));
  await expectGood(page);

  await row.getByRole("link").click();
  await expect(page).toHaveURL(new RegExp(`/tasks/${taskId}`));
});

test("the sample task stays on the home page once there are tasks, and works in its own directory", async ({
  page,
  stage,
  say,
}) => {
  const { daemon, rest } = await stage();
  const before = await rest.create("小さな依頼");
  for (const kind of ["prompt", "process"]) await rest.decide(await rest.pending(before, kind));
  await rest.reach(before, ({ status }) => status === "completed");
  for (const size of [
    { width: 1440, height: 900 },
    { width: 390, height: 844 },
  ]) {
    await page.setViewportSize(size);
    await open(page, daemon.url, "/");
    const again = recent(page).getByRole("button", {
      name: say("お試しタスクを実行", "Run a sample task"),
    });
    await expect(again).toBeVisible();
    await expectGood(page);
  }
  await recent(page)
    .getByRole("button", { name: say("お試しタスクを実行", "Run a sample task") })
    .click();
  await expect(page).toHaveURL(/\/tasks\/task-/);
  const directory = join(daemon.dataDir, "sample");
  await expect(page.locator("main")).toContainText(directory);

  const taskId = new URL(page.url()).pathname.split("/").at(-1) ?? "";
  for (const kind of ["prompt", "process"]) await rest.decide(await rest.pending(taskId, kind));
  await rest.reach(taskId, ({ status }) => status === "completed");
  await expect(page.locator("main")).toContainText(join(directory, "control-room.txt"));
  await open(page, daemon.url, "/");
  await expect(recent(page).getByRole("listitem").first()).toContainText("control-room.txt");
});

test("the first steps can be closed, and stay closed", async ({ page, stage, say }) => {
  const { daemon, rest } = await stage();
  await rest.create("小さな依頼");
  await open(page, daemon.url, "/");
  await checklist(page)
    .getByRole("button", { name: say("この一覧を閉じる", "Close this list") })
    .click();

  await expect(checklist(page)).toHaveCount(0);
  await open(page, daemon.url, "/");
  await expect(recent(page)).toContainText("小さな依頼");
  await expect(checklist(page)).toHaveCount(0);
});

test("the home page shows why a task failed, and offers to retry it", async ({
  page,
  stage,
  say,
}) => {
  const { daemon, rest } = await stage();
  const taskId = await rest.create("できないこと\n#rehearsal in planner fail 案が出ません");
  await rest.reach(taskId, ({ status }) => status === "failed");
  await open(page, daemon.url, "/");

  await expect(recent(page).getByRole("listitem")).toContainText(say("失敗", "Failed"));
  await expect(page.getByRole("button", { name: say("再実行", "Retry") })).toBeVisible();
  await expectGood(page);
});

test("the home page offers a viewer neither the sample task nor the first steps", async ({
  page,
  context,
  stage,
  say,
}) => {
  const { daemon } = await stage({ config: { auth: { users: PEOPLE } } });
  await signIn(context, daemon.url, "victor");
  await open(page, daemon.url, "/");

  await expect(
    page.getByText(say("閲覧者は依頼できません", "Viewers cannot request")),
  ).toBeVisible();
  await expect(page.getByRole("button", { name: /お試しタスク|sample task/ })).toHaveCount(0);
  await expect(checklist(page)).toHaveCount(0);
  await expectGood(page);
});

test("a schedule that paused itself is in the list of what waits for a person", async ({
  page,
  stage,
  say,
}) => {
  const { daemon } = await stage(seeded("paused"));
  const why = say("依頼者がいなくなったため", "its requester is gone");

  await open(page, daemon.url);
  const waiting = page.getByRole("region", {
    name: say("あなたの判断を待っています", "Waiting for your decision"),
  });
  await expect(waiting).toContainText(why);
  await expectGood(page);
  await waiting.getByRole("link", { name: "毎朝のまとめ" }).click();
  await expect(page).toHaveURL(/\/schedules\/sch-/);

  await open(page, daemon.url, "/notifications");
  const item = page.locator("main").getByRole("listitem").filter({ hasText: "毎朝のまとめ" });
  await expect(item).toContainText(why);
});
