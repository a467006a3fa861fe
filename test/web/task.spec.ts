import { expect, open, test, type Page } from "./kit.ts";
import { expectAccessible } from "./kit/checks.ts";
import { aDaemon, type Daemon } from "./kit/daemon.ts";
import { aRequest, restOf, type Rest } from "./kit/rest.ts";

let daemon: Daemon;
let rest: Rest;
test.beforeAll(async () => {
  daemon = await aDaemon({ servers: ["notes"] });
  rest = restOf(daemon.url);
});
test.afterAll(() => daemon.end());

/** A task in progress, with an agent that would run for minutes. */
async function aRunningTask(title: string): Promise<string> {
  const taskId = await rest.start(aRequest(title, "first before step-2 listen 600000"));
  await rest.reach(taskId, ({ toolCalls }) =>
    toolCalls.some(({ tool, status }) => tool === "list_notes" && status === "done"),
  );
  return taskId;
}

const statusOf = (page: Page) => page.locator("main header");

test("the block dialog names one agent, the agent stops, and after the unblock the task completes", async ({
  page,
  say,
}) => {
  const taskId = await aRunningTask("止めて、また始める");
  await open(page, daemon.url, `/tasks/${taskId}`);
  await statusOf(page)
    .getByRole("button", { name: say("ブロックする", "Block"), exact: true })
    .click();
  const dialog = page.getByRole("dialog");
  await expect(
    dialog.getByText(say("1 体のエージェントが止まります。", "This stops 1 agent.")),
  ).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole("textbox").fill("列が変わるため");
  await dialog.getByRole("button", { name: say("ブロックする", "Block"), exact: true }).click();
  await expect(dialog).toHaveCount(0);

  await expect(statusOf(page).getByText(say("ブロック", "Blocked")).first()).toBeVisible();
  await expect(page.getByText(say("停止しました", "The agent has stopped"))).toBeVisible();
  await expect(page.getByText("列が変わるため").first()).toBeVisible();
  const stopped = await rest.look(taskId);
  expect(stopped.agents.filter(({ status }) => status === "running")).toEqual([]);

  await statusOf(page)
    .getByRole("button", { name: say("ブロック解除", "Unblock"), exact: true })
    .click();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: say("ブロック解除", "Unblock") })
    .click();
  await expect(statusOf(page).getByText(say("完了", "Completed")).first()).toBeVisible();
  await expect(page.getByText(say("試行 2", "Attempt 2")).first()).toBeVisible();
  const execution = page.getByRole("region", { name: say("実行", "Execution"), exact: true });
  // The time of all attempts; the time of one attempt has another sentence.
  await expect(execution.getByText(new RegExp(`^${say("所要時間: ", "Took ")}`))).toBeVisible();
});

test("the task page cancels a task after a confirmation, and its agent stops", async ({
  page,
  say,
}) => {
  const taskId = await aRunningTask("やめることにする");
  await open(page, daemon.url, `/tasks/${taskId}`);
  await page.getByRole("button", { name: say("タスクを中止", "Cancel task"), exact: true }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText(say("元に戻せません", "cannot be undone"))).toBeVisible();
  await dialog.getByRole("button", { name: say("中止する", "Cancel task") }).click();
  await expect(statusOf(page).getByText(say("中止", "Cancelled")).first()).toBeVisible();
  await rest.reach(taskId, ({ agents }) => agents.every(({ status }) => status !== "running"));
});

test("a change of a task that has changed since its dialog was opened is refused and shown", async ({
  page,
  say,
  calm,
}) => {
  calm.expect(/status of 409/);
  const taskId = await rest.create(aRequest("同時に変わる", "first before step-2 listen 600000"));
  const approval = await rest.pending(taskId, "prompt");
  await open(page, daemon.url, `/tasks/${taskId}`);
  await statusOf(page)
    .getByRole("button", { name: say("ステータス", "Status") })
    .click();
  await page.getByRole("menuitem", { name: say("タスクを中止", "Cancel task") }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText(say("元に戻せません", "cannot be undone"))).toBeVisible();

  await rest.decide(approval);
  await rest.pending(taskId, "process");
  await dialog.getByRole("button", { name: say("中止する", "Cancel task") }).click();

  await expect(
    page.getByText(say("表示中に内容が変わりました。", "has changed")).first(),
  ).toBeVisible();
  await expect(dialog).toHaveCount(0);
  expect((await rest.look(taskId)).status).toBe("awaiting_process_approval");
});

test("the task page retries a failed task where it failed", async ({ page, say }) => {
  const taskId = await rest.start(
    aRequest("二度目でうまくいく", "first before step-2 fail 手が滑りました"),
  );
  await rest.reach(taskId, ({ status }) => status === "failed");
  await open(page, daemon.url, `/tasks/${taskId}`);
  await expect(page.getByText("手が滑りました").filter({ visible: true }).first()).toBeVisible();
  await statusOf(page)
    .getByRole("button", { name: say("再実行", "Retry"), exact: true })
    .click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText("手が滑りました").first()).toBeVisible();
  await dialog.getByRole("button", { name: say("再実行", "Retry"), exact: true }).click();
  await expect(statusOf(page).getByText(say("完了", "Completed")).first()).toBeVisible();
  await expect(page.getByText(say("試行 2", "Attempt 2")).first()).toBeVisible();
});

test("everything on the task page can be done without a mouse", async ({ page, say }) => {
  const taskId = await rest.create(aRequest("鍵盤だけで", "first before step-2 listen 600000"));
  await rest.pending(taskId, "prompt");
  await open(page, daemon.url, `/tasks/${taskId}`);
  // The key A needs the focus on a button here: two approvals may be pending.
  const approve = page.getByRole("button", { name: say("承認", "Approve"), exact: true });
  await approve.focus();
  await page.keyboard.press("Enter");
  await rest.pending(taskId, "process");
  await expect(approve).toBeVisible();
  await approve.focus();
  await page.keyboard.press("Enter");
  await rest.reach(taskId, ({ status }) => status === "in_progress");
  await expect(statusOf(page).getByText(say("進行中", "In progress")).first()).toBeVisible();

  await page.keyboard.press("Escape");
  await page.evaluate(() => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  });
  await page.keyboard.press("b");
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("textbox")).toBeFocused();
  await expect(dialog.getByRole("textbox")).toHaveValue("");
  await page.keyboard.type("鍵盤から");
  await page.keyboard.press("Control+Enter");
  await expect(dialog).toHaveCount(0);
  await expect(statusOf(page).getByText(say("ブロック", "Blocked")).first()).toBeVisible();

  const tabs = page.getByRole("tablist");
  await tabs.getByRole("tab", { name: say("実況", "Live feed") }).focus();
  await page.keyboard.press("End");
  await expect(tabs.getByRole("tab", { name: say("監査", "Audit") })).toBeFocused();
  await expect(page).toHaveURL(/tab=audit/);
  await expect(page.getByRole("tabpanel").locator("summary").first()).toBeVisible();
});
