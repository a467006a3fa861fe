import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, open, type Page, speak, test } from "./kit.ts";
import { expectGood } from "./kit/checks.ts";
import { aRequest } from "./kit/rest.ts";

const REASON =
  "列の構成が変わるので、新しい列の名前が決まるまで待ってください。決まったら知らせます";

test("the audit page, the audit tab and the feed say in words who blocked a task, and why", async ({
  page,
  stage,
  say,
}) => {
  const { daemon, rest } = await stage({ servers: ["notes"] });
  const taskId = await rest.start(aRequest("ノートを書いて", "first before step-3 listen 600000"));
  await rest.reach(taskId, ({ toolCalls }) => toolCalls.some(({ tool }) => tool === "write_note"));
  await rest.ask("PATCH", `/api/tasks/${taskId}`, { status: "blocked", reason: REASON });
  await rest.reach(taskId, ({ executions }) => executions.at(-1)?.status === "blocked");

  await open(page, daemon.url, `/tasks/${taskId}`);
  const feed = page.getByRole("tabpanel");
  await expect(feed).toContainText(
    say("あなた (local) がブロックしました", "you (local) blocked the task"),
  );
  await expect(feed).toContainText(REASON);
  await expectGood(page);
  await rest.ask("PATCH", `/api/tasks/${taskId}`, { status: "in_progress" });
  await expect(feed).toContainText(
    say("あなた (local) がブロックを解除しました", "you (local) unblocked the task"),
  );

  await page.getByRole("tab", { name: say("監査", "Audit") }).click();
  await expect(feed).toContainText(
    say("あなた (local) が実行方針を承認しました", "You (local) approved the prompt"),
  );
  await expect(feed.locator("summary", { hasText: "approval.decided" })).toHaveCount(0);

  await open(page, daemon.url, "/audit");
  const row = page.getByRole("row").filter({ hasText: REASON });
  await expect(row).toContainText(say("タスクをブロックしました", "blocked the task"));
  await expect(row.getByRole("link", { name: taskId })).toHaveAttribute("href", `/tasks/${taskId}`);
  await row.getByRole("button").click();
  const terms = page.locator("dt");
  await expect(
    terms.filter({ hasText: say("停止するエージェント", "Agents to stop") }),
  ).toBeVisible();
  await expectGood(page);
});

test("the header of a task says that it waits for you", async ({ page, stage, say }) => {
  const { daemon, rest } = await stage({ servers: ["notes"] });
  const taskId = await rest.start(aRequest("議事録を書いて", "check step-2"));
  await rest.pending(taskId, "step");

  await open(page, daemon.url, `/tasks/${taskId}`);

  await expect(page.locator("main header")).toContainText(
    say("あなたの判断待ち", "Waiting for you"),
  );
});

async function copiedFrom(page: Page, name: RegExp): Promise<string> {
  await page
    .getByRole("button", { name: /リンクと API|Link and API|コピーしました|Copied/ })
    .click();
  await page.getByRole("menuitem", { name }).click();
  await expect(page.getByRole("button", { name: /^(?:コピーしました|Copied)$/ })).toBeVisible();
  return page.evaluate(() => navigator.clipboard.readText());
}

function run(command: string): unknown {
  return JSON.parse(execFileSync("sh", ["-c", command], { encoding: "utf8", stdio: "pipe" }));
}

test("the curl commands of an approval and of an agent work in a real shell", async ({
  page,
  context,
  stage,
}) => {
  const { daemon, rest } = await stage();
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const taskId = await rest.create("小さな依頼\n#rehearsal steps agent:research");
  const { approvalId } = await rest.pending(taskId, "prompt");
  await open(page, daemon.url, `/approvals/${approvalId}`);
  expect(await copiedFrom(page, /このページへのリンク|link to this page/)).toBe(
    `${daemon.url}/approvals/${approvalId}`,
  );
  await expectGood(page);
  expect(run(await copiedFrom(page, /却下を curl|rejection as curl/))).toMatchObject({
    status: "rejected",
  });
  const next = await rest.pending(taskId, "prompt");
  await open(page, daemon.url, `/approvals/${next.approvalId}`);
  expect(run(await copiedFrom(page, /承認を curl|approval as curl/))).toMatchObject({
    status: "approved",
  });

  const groupId = await rest.group("待つ");
  const [agentId = ""] = await rest.run(groupId, ["#rehearsal sleep 600000"]);
  await rest.reachAgent(agentId, "running");
  await open(page, daemon.url, `/agents/${agentId}`);
  expect(await copiedFrom(page, /このページへのリンク|link to this page/)).toBe(
    `${daemon.url}/agents/${agentId}`,
  );
  await expectGood(page);
  expect(run(await copiedFrom(page, /メッセージを curl|message as curl/))).toMatchObject({
    agentId,
  });
  expect(run(await copiedFrom(page, /停止を curl|“Stop” as curl/))).toMatchObject({ agentId });
  await rest.reachAgent(agentId, "cancelled");
});

test("on the English dashboard the built-in roles have English names everywhere", async ({
  page,
  stage,
}) => {
  const { daemon, rest } = await stage();
  const groupId = await rest.group("three reviews");
  const [agentId = ""] = await rest.run(groupId, ["#rehearsal report success done"]);
  await rest.reachAgent(agentId, "resultReported");
  await open(page, daemon.url, `/agents/${agentId}`);
  await speak(page, "en");
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Code implementer");
  const japaneseNames =
    /コード実装者|コードレビュワー|文章レビュワー|調査員|テスト実装者|オーケストレーター/;
  const pages = [
    "/",
    "/history",
    "/templates",
    "/roles",
    "/roles/impl-code",
    "/health",
    "/notifications",
    `/groups/${groupId}`,
  ];
  for (const path of pages) {
    await open(page, daemon.url, path);
    await expect(page.locator("main"), path).not.toContainText(japaneseNames);
  }
});

test("the curl commands of a task work in a real shell, and the result can be saved", async ({
  page,
  context,
  stage,
  say,
}) => {
  const { daemon, rest } = await stage();
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const taskId = await rest.create("It's $HOME の依頼\n#rehearsal steps agent:research");
  await rest.pending(taskId, "prompt");
  await open(page, daemon.url, `/tasks/${taskId}`);
  const copied = (name: RegExp) => copiedFrom(page, name);

  expect(await copied(/このページへのリンク|link to this page/)).toBe(
    `${daemon.url}/tasks/${taskId}`,
  );
  expect(run(await copied(/承認を curl|approval as curl/))).toMatchObject({ status: "approved" });
  const same = run(await copied(/同じ依頼を curl|same request as curl/));
  expect(same).toMatchObject({ request: "It's $HOME の依頼\n#rehearsal steps agent:research" });
  expect(run(await copied(/中止を curl|“Cancel task” as curl/))).toMatchObject({
    task: { taskId, status: "cancelled" },
  });

  const done = await rest.start("表にまとめて\n#rehearsal steps agent:research");
  await rest.reach(done, ({ status }) => status === "completed");
  await open(page, daemon.url, `/tasks/${done}`);
  const save = async (format: string): Promise<string> => {
    await page.getByRole("button", { name: say("ダウンロード", "Download") }).click();
    const download = page.waitForEvent("download");
    await page.getByRole("menuitem", { name: format }).click();
    return readFileSync(await (await download).path(), "utf8");
  };
  expect(await save("Markdown")).toMatch(/^# /);
  expect(JSON.parse(await save("JSON"))).toMatchObject({ taskId: done, status: "completed" });
  await expectGood(page);
});

test("the groups of a finished task are not called deleted, and can be filtered", async ({
  page,
  stage,
  say,
}) => {
  const { daemon, rest } = await stage();
  const taskId = await rest.start("小さな依頼\n#rehearsal steps agent:research");
  await rest.reach(taskId, ({ status }) => status === "completed");
  await rest.group("自分のグループ");

  await open(page, daemon.url, "/groups");
  const main = page.locator("main");
  await expect(main.getByRole("heading", { level: 2 })).toHaveCount(3);
  await expect(main.getByText(say("削除済み", "Deleted"))).toHaveCount(0);
  await expect(main).toContainText(say("に任せたステップ", "Step for"));
  const step = main
    .getByRole("heading", { level: 2 })
    .filter({ hasText: /に任せたステップ|Step for/ });
  await step.getByRole("link").click();
  await expect(page).toHaveURL(/\/groups\/grp-/);
  await expect(page.getByRole("heading", { level: 1 })).toContainText(
    say("調査員に任せたステップ", "Step for Researcher"),
  );
  await expect(main).toContainText(say("終了", "Finished"));
  await expect(main.getByText(say("削除済み", "Deleted"))).toHaveCount(0);
  await open(page, daemon.url, "/groups?kind=own");
  await expect(main.getByRole("heading", { level: 2 })).toHaveText("自分のグループ");
  await expectGood(page);

  await open(page, daemon.url, "/costs");
  await expect(main).not.toContainText(say("単価なし", "without a price"));
  await expect(main).toContainText(say("モデルは使われていません", "No model used"));
  await expectGood(page);
});

test("the home page, the feed and the history use names and words for what a task started", async ({
  page,
  stage,
  say,
}) => {
  const { daemon, rest } = await stage();
  const taskId = await rest.start("小さな依頼\n#rehearsal steps agent:research");
  await rest.reach(taskId, ({ status }) => status === "completed");

  await open(page, daemon.url, "/?view=all");
  const main = page.locator("main");
  const title = say("調査員に任せたステップ", "Step for Researcher");
  await expect(main.getByRole("button", { name: title })).toBeVisible();
  await expect(
    main.getByRole("heading", { name: say("エージェントの数", "Number of agents") }),
  ).toBeVisible();
  await expect(page.getByRole("banner").getByText("Ctrl K")).toHaveCount(1);

  await open(page, daemon.url, `/tasks/${taskId}`);
  const feed = page.getByRole("tabpanel");
  await expect(feed).toContainText("agent:research");
  await expect(feed).not.toContainText("\\u{A}");

  await open(page, daemon.url, "/history");
  await expect(main.locator("option", { hasText: "executor" }).first()).toHaveText(
    say("実行者 (executor)", "Executor (executor)"),
  );
  await expectGood(page);
});
