import type { Page } from "@playwright/test";
import { z } from "zod";
import { ACCOUNT, expect, open, test } from "./kit.ts";
import { expectAccessible, expectLaidOut } from "./kit/checks.ts";
import { aDaemon, until, type Daemon } from "./kit/daemon.ts";
import { askedBy, askAs, PEOPLE, signIn } from "./kit/people.ts";

/** alice decides alone; bob is another operator, victor only watches. */
const CONFIG = {
  auth: { users: PEOPLE },
  tasks: { approvals: { prompt: { approvers: ["alice"] } } },
};

let daemon: Daemon;
test.beforeAll(async ({ browser }) => {
  daemon = await aDaemon({ config: CONFIG });
  const context = await browser.newContext();
  await signIn(context, daemon.url, "alice");
  await askedBy(context, daemon.url, "当番表を作って");
  const failed = await askAs(context, daemon.url, "POST", "/api/tasks", {
    text: "できないことをして\n#rehearsal in planner fail 案が出ません",
  });
  const { taskId } = z.looseObject({ taskId: z.string() }).parse(failed);
  await until(async () => {
    const task = await askAs(context, daemon.url, "GET", `/api/tasks/${taskId}`);
    return z.looseObject({ status: z.string() }).parse(task).status === "failed";
  }, "a failed task");
  await context.close();
});
test.afterAll(() => daemon.end());

const DEEDS =
  /新しいタスク|New task|ブロックする|^Block|再実行|Retry|Run all|承認する|^Approve|却下|^Reject|中止|Cancel task|^Stop|新しい職種|New role|モデルを再取得|Refresh models|今すぐ検証|Check now|^確認$|^Check$|をドラッグ|^Drag|お試しタスク|sample task|スケジュールを追加|新しいスケジュール|New schedule|この内容で依頼|Request this|職種を加える|Add the role|テンプレートとして保存|Save as template|^依頼する$|^Request$/;

async function expectNoDeeds(page: Page): Promise<void> {
  await expect(page.getByRole("button", { name: DEEDS })).toHaveCount(0);
}

const PAGES = [
  "/",
  "/approvals",
  "/tasks",
  "/tasks?view=list",
  "/groups",
  "/roles",
  "/roles/impl-code",
  "/health",
  "/system",
  "/notifications",
  "/settings",
  "/schedules",
  "/templates",
  "/templates/weekly-report",
  "/templates/technical-writer",
  "/welcome",
  "/history",
  "/costs",
  "/audit",
];

test("no page offers a viewer what they cannot do", async ({ page, context, say }) => {
  await signIn(context, daemon.url, "victor");
  for (const path of PAGES) {
    await open(page, daemon.url, path);
    await expect(page.getByRole("button", { name: ACCOUNT })).toContainText(
      say("閲覧者", "Viewer"),
    );
    await expectNoDeeds(page);
    await expectLaidOut(page);
  }
  await expectAccessible(page, "a page of a viewer");
  await page.keyboard.press("n");
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

test("a viewer opens a waiting and a failed task without buttons to change them", async ({
  page,
  context,
  say,
}) => {
  await signIn(context, daemon.url, "victor");
  await open(page, daemon.url, "/tasks?view=list");
  for (const title of ["当番表を作って", "できないことをして"]) {
    await page.getByRole("link", { name: title }).click();
    await expect(page.getByRole("heading", { level: 1 })).toContainText(title);
    await expectNoDeeds(page);
    await page.goBack();
  }
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(say("タスク", "Tasks"));
});

test("what waits counts only for the person who may decide it", async ({ page, context, say }) => {
  await signIn(context, daemon.url, "bob");
  await open(page, daemon.url);
  await expect(page).toHaveTitle("黒魔術");
  await expect(
    page.getByText(say("ほかの人の判断を待っているもの: 1 件", "1 more waits for other people.")),
  ).toBeVisible();
  await open(page, daemon.url, "/approvals");
  await expect(
    page.getByText(
      say(
        "あなたは決定できません。決定できる人: alice のいずれか",
        "You cannot decide this. Who may decide: One of alice",
      ),
    ),
  ).toBeVisible();
  await signIn(context, daemon.url, "alice");
  await open(page, daemon.url);
  await expect(page).toHaveTitle("(1) 黒魔術");
});
