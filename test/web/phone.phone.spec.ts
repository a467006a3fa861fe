import { expect, open, test, type Page } from "./kit.ts";
import { expectAccessible, expectLaidOut } from "./kit/checks.ts";
import { aDaemon, type Daemon } from "./kit/daemon.ts";
import { dragByFinger } from "./kit/drag-by-finger.ts";
import { aRequest, restOf, type Rest } from "./kit/rest.ts";

let daemon: Daemon;
let rest: Rest;
test.beforeAll(async () => {
  daemon = await aDaemon({ servers: ["notes"] });
  rest = restOf(daemon.url);
});
test.afterAll(() => daemon.end());

/** Expects a button within reach of a thumb and large enough for a finger. */
async function expectInReach(page: Page, button: ReturnType<Page["locator"]>): Promise<void> {
  await expect(button).toBeVisible();
  // The page may still shift while the content above the button loads.
  await expect(async () => {
    const box = await button.boundingBox();
    const height = page.viewportSize()?.height ?? 0;
    expect(box?.height ?? 0).toBeGreaterThanOrEqual(44);
    expect(box?.y ?? 0).toBeGreaterThan(height / 2);
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(height);
  }).toPass();
}

test("a first-time user on the phone: welcome, a rehearsal, approve, block, and it stops", async ({
  page,
  say,
}) => {
  await open(page, daemon.url, "/welcome");
  await page.getByRole("button", { name: /試しに唱える|Run a sample task/ }).click();
  await expect(page).toHaveURL(/\/tasks\/task-/);
  const approve = page.getByRole("button", { name: say("承認", "Approve"), exact: true });
  await expectInReach(page, approve);
  await expectLaidOut(page);
  await expectAccessible(page);
  const taskId = page.url().split("/").at(-1) ?? "";
  await approve.click();
  await rest.pending(taskId, "process");
  await expectInReach(page, approve);

  // Then a task that runs longer.
  const running = await rest.start(aRequest("長い仕事", "before step-2 listen 600000"));
  await rest.reach(running, ({ toolCalls }) => toolCalls.length > 0);
  await page.goto(`${daemon.url}/tasks/${running}`);
  await page.getByRole("button", { name: say("ブロックする", "Block"), exact: true }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText(say("1 体のエージェント", "stops 1 agent"))).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: say("ブロックする", "Block"), exact: true }).click();
  await expect(page.getByText(say("停止しました", "The agent has stopped"))).toBeVisible();
});

test("on the phone an approval is decided from the tabs at the bottom", async ({ page, say }) => {
  const taskId = await rest.create("電車の中で決める");
  await rest.pending(taskId, "prompt");
  await open(page, daemon.url);
  await page
    .getByRole("navigation")
    .getByRole("link", { name: new RegExp(say("承認", "Approvals")) })
    .click();
  // The home page also links to the task, and stays until the next page is loaded.
  await expect(
    page.getByRole("heading", { level: 1, name: say("承認", "Approvals"), exact: true }),
  ).toBeVisible();
  await page.getByRole("link", { name: /電車の中で決める/ }).click();
  await expect(page).toHaveURL(/\/approvals\/apr-/);
  await expectInReach(
    page,
    page.getByRole("button", { name: say("承認", "Approve"), exact: true }),
  );
  await page.getByRole("button", { name: say("却下…", "Reject…") }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox").fill("もっと短く");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: say("送信して再生成", "Send and redraft") }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText(/(?:が却下 ·|Rejected by)/)).toBeVisible();
});

test("on the phone a long approval has no buttons before its text is loaded", async ({
  page,
  say,
}) => {
  const taskId = await rest.create(`長い依頼\n${"あ".repeat(18_000)}`);
  const { approvalId } = await rest.pending(taskId, "prompt");
  const held = Promise.withResolvers<void>();
  await page.route(`**/api/approvals/${approvalId}`, async (route) => {
    await held.promise;
    await route.continue();
  });
  await open(page, daemon.url, "/approvals");
  await page.getByRole("link", { name: /長い依頼/ }).click();
  await expect(page).toHaveURL(/\/approvals\/apr-/);
  await expect(page.getByText(say("読み込み中…", "Loading…"))).toBeVisible();
  const approve = page.getByRole("button", { name: say("承認", "Approve"), exact: true });
  await expect(approve).toHaveCount(0);
  held.resolve();
  await expectInReach(page, approve);
  await approve.click();
  await expect(page.getByText(/(?:が承認 ·|Approved by)/)).toBeVisible();
});

test("on the phone the menu, the board with one column at a time, and the move menu work", async ({
  page,
  say,
}) => {
  const taskId = await rest.start(aRequest("指で動かす", "before step-2 listen 600000"));
  await rest.reach(taskId, ({ toolCalls }) => toolCalls.length > 0);
  await open(page, daemon.url);
  await page
    .getByRole("navigation")
    .getByRole("button", { name: say("メニュー", "Menu") })
    .click();
  await expectAccessible(page);
  await page.getByRole("link", { name: say("監査ログ", "Audit") }).click();
  await expect(page).toHaveURL(/\/audit$/);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();

  await page.goto(`${daemon.url}/tasks`);
  const column = page.getByRole("region", { name: say("進行中", "In progress") });
  await expect(column.getByRole("row", { name: /指で動かす/ })).toBeVisible();
  await column
    .getByRole("button", { name: say("「指で動かす」を移動", "Move “指で動かす”") })
    .click();
  await page.getByRole("menuitem", { name: say("移動: ブロック", "Move: Blocked") }).click();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: say("ブロックする", "Block"), exact: true })
    .click();
  await expect(column.getByRole("row", { name: /指で動かす/ })).toHaveCount(0);
  await rest.reach(taskId, ({ status }) => status === "blocked");
});

test("on the phone a card dragged by touch is dropped on ブロック, which asks for the reason", async ({
  page,
  say,
}) => {
  const taskId = await rest.start(aRequest("指でつかむ", "before step-2 listen 600000"));
  await rest.reach(taskId, ({ toolCalls }) => toolCalls.length > 0);
  await open(page, daemon.url, "/tasks");
  const card = page.getByRole("row", { name: /指でつかむ/ });
  const place = page.getByText(say("ここにドロップしてブロック", "Drop here to block"));
  await expect(place).toHaveCount(0);
  await dragByFinger(page, card.getByText("指でつかむ"), place);
  const dialog = page.getByRole("dialog", {
    name: say("タスクをブロックしますか?", "Block the task?"),
  });
  await dialog.getByRole("textbox").fill("指の都合");
  await dialog.getByRole("button", { name: say("ブロックする", "Block"), exact: true }).click();
  await expect(card).toHaveCount(0);
  await rest.reach(taskId, ({ status }) => status === "blocked");
});
