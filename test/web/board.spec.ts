import { expect, open, test, type Page } from "./kit.ts";
import { aDaemon, type Daemon } from "./kit/daemon.ts";
import { aRequest, restOf, type Rest } from "./kit/rest.ts";

let daemon: Daemon;
let rest: Rest;
test.beforeAll(async () => {
  daemon = await aDaemon({ servers: ["notes"] });
  rest = restOf(daemon.url);
});
test.afterAll(() => daemon.end());

async function aRunningTask(title: string): Promise<string> {
  const taskId = await rest.start(aRequest(title, "before step-2 listen 600000"));
  await rest.reach(taskId, ({ toolCalls }) => toolCalls.length > 0);
  return taskId;
}

type Say = (ja: string, en: string) => string;

const columns = (page: Page, say: Say) => ({
  progress: page.getByRole("region", { name: say("進行中", "In progress") }),
  blocked: page.getByRole("region", { name: say("ブロック", "Blocked") }),
});

/** The dialog that a drop opens: it asks for the reason before anything changes. */
async function giveReason(page: Page, say: Say, reason: string): Promise<void> {
  const dialog = page.getByRole("dialog", {
    name: say("タスクをブロックしますか?", "Block the task?"),
  });
  await expect(dialog.getByRole("textbox")).toBeFocused();
  await page.keyboard.type(reason);
  await dialog.getByRole("button", { name: say("ブロックする", "Block"), exact: true }).click();
  await expect(dialog).toHaveCount(0);
}

test("a card dropped on ブロック by mouse asks for the reason and moves", async ({ page, say }) => {
  const taskId = await aRunningTask("ねずみで動かす");
  await open(page, daemon.url, "/tasks");
  const { progress, blocked } = columns(page, say);
  const card = progress.getByRole("row", { name: /ねずみで動かす/ });
  await card.dragTo(blocked.getByRole("grid"), { steps: 8 });
  await giveReason(page, say, "ねずみの都合");
  await expect(blocked.getByRole("row", { name: /ねずみで動かす/ })).toBeVisible();
  await expect(card).toHaveCount(0);
  await rest.reach(taskId, ({ status }) => status === "blocked");
});

test("a cancelled drop changes nothing", async ({ page, say }) => {
  const taskId = await aRunningTask("気が変わる");
  await open(page, daemon.url, "/tasks");
  const { progress, blocked } = columns(page, say);
  await progress
    .getByRole("row", { name: /気が変わる/ })
    .dragTo(blocked.getByRole("grid"), { steps: 8 });
  await page
    .getByRole("dialog")
    .getByRole("button", { name: say("戻る", "Back") })
    .click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(progress.getByRole("row", { name: /気が変わる/ })).toBeVisible();
  expect((await rest.look(taskId)).status).toBe("in_progress");
});

test("a card of the board can be dragged by keyboard", async ({ page, say }) => {
  const taskId = await aRunningTask("鍵で動かす");
  await open(page, daemon.url, "/tasks");
  const { progress, blocked } = columns(page, say);
  await progress
    .getByRole("button", { name: say("「鍵で動かす」をドラッグ", "Drag “鍵で動かす”") })
    .focus();
  await page.keyboard.press("Enter");
  // The keyboard moves only to columns that accept the card.
  await expect(async () => {
    await page.keyboard.press("Tab");
    await expect(blocked.locator("[data-drop-target]").first()).toBeVisible({ timeout: 500 });
  }).toPass();
  await page.keyboard.press("Enter");
  await giveReason(page, say, "鍵の都合");
  await expect(blocked.getByRole("row", { name: /鍵で動かす/ })).toBeVisible();
  await rest.reach(taskId, ({ status }) => status === "blocked");
});

test("the menu of a card blocks and unblocks a task", async ({ page, say }) => {
  const taskId = await aRunningTask("品書きで動かす");
  await open(page, daemon.url, "/tasks");
  const { progress, blocked } = columns(page, say);
  const menu = say("「品書きで動かす」を移動", "Move “品書きで動かす”");
  await progress.getByRole("button", { name: menu }).click();
  await page.getByRole("menuitem", { name: say("移動: ブロック", "Move: Blocked") }).click();
  await giveReason(page, say, "品書きの都合");
  await expect(blocked.getByRole("row", { name: /品書きで動かす/ })).toBeVisible();

  await blocked.getByRole("button", { name: menu }).click();
  await page.getByRole("menuitem", { name: say("移動: 進行中", "Move: In progress") }).click();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: say("ブロック解除", "Unblock") })
    .click();
  await expect(progress.getByRole("row", { name: /品書きで動かす/ })).toBeVisible();
  await rest.reach(taskId, ({ status }) => status === "in_progress");
});

test("Enter opens a card of the board, and its filters are in the address", async ({
  page,
  say,
}) => {
  const taskId = await rest.create("絞り込みで探す");
  await open(page, daemon.url, "/tasks");
  await page.getByRole("searchbox", { name: say("タスクを検索", "Search tasks") }).fill("絞り込み");
  await expect(page).toHaveURL(/q=/);
  await page.reload();
  const row = page.getByRole("row", { name: /絞り込みで探す/ });
  await expect(row).toBeVisible();
  await expect(page.getByRole("row", { name: /動かす/ })).toHaveCount(0);
  await row.focus();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/tasks/${taskId}`));
});
