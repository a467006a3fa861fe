import { expect, open, test, type Page } from "./kit.ts";
import { aDaemon, type Daemon } from "./kit/daemon.ts";

let daemon: Daemon;
test.beforeAll(async () => {
  daemon = await aDaemon();
});
test.afterAll(() => daemon.end());

/** Counts the requests for new tasks. */
function countTasks(page: Page): () => number {
  let count = 0;
  page.on("request", (request) => {
    if (request.method() === "POST" && request.url().endsWith("/api/tasks")) count++;
  });
  return () => count;
}

test("Ctrl+Enter requests a task, and its page opens", async ({ page, say }) => {
  await open(page, daemon.url);
  await page.getByRole("button", { name: say("新しいタスク", "New task") }).click();
  const dialog = page.getByRole("dialog", { name: say("新しいタスク", "New task") });
  const send = dialog.getByRole("button", { name: say("依頼する", "Request") });
  await expect(send).toBeDisabled();
  await page.keyboard.type("会議室を予約して");
  await page.keyboard.press("Enter");
  await page.keyboard.type("明日の朝");
  await dialog.getByRole("button", { name: say("優先度", "Priority") }).click();
  await page.getByRole("option", { name: say("高", "High") }).click();
  await dialog.getByRole("textbox").first().focus();
  await page.keyboard.press("Control+Enter");

  await expect(page).toHaveURL(/\/tasks\/task-/);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("会議室を予約して");
  await expect(page.getByRole("heading", { level: 1 })).toContainText("明日の朝");
  await expect(page.locator("main header").first()).toContainText(say("高", "High"));
});

test("Enter during a Japanese conversion does not send the request", async ({ page, say }) => {
  await open(page, daemon.url);
  const sent = countTasks(page);
  await page.keyboard.press("n");
  const box = page.getByRole("dialog").getByRole("textbox").first();
  await expect(box).toBeFocused();
  const ime = await page.context().newCDPSession(page);
  await ime.send("Input.imeSetComposition", {
    text: "ざんぎょう",
    selectionStart: 5,
    selectionEnd: 5,
  });
  await page.keyboard.press("Control+Enter");
  await page.keyboard.press("Meta+Enter");
  // How browsers report the Enter that accepts a conversion.
  await box.dispatchEvent("keydown", { key: "Enter", keyCode: 229, ctrlKey: true, bubbles: true });
  await ime.send("Input.insertText", { text: "残業" });
  await expect(box).toHaveValue("残業");
  await expect(page.getByRole("dialog")).toBeVisible();
  expect(sent()).toBe(0);

  await page.keyboard.press("Control+Enter");
  await expect(page.getByRole("heading", { level: 1 })).toContainText("残業");
  expect(sent()).toBe(1);
  await expect(page.getByText(say("読み込めませんでした", "Could not load this page"))).toHaveCount(
    0,
  );
});

test("a refused task shows the reason in the user's language and keeps the typed text", async ({
  page,
  say,
  calm,
}) => {
  calm.expect(/status of 4\d\d/);
  await open(page, daemon.url);
  await page.keyboard.press("n");
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox").first().fill("どこかで");
  await dialog.getByRole("textbox").nth(1).fill("/no/such/directory");
  await dialog.getByRole("button", { name: say("依頼する", "Request") }).click();
  await expect(
    page.getByText(say("作業ディレクトリが見つかりません。", "/no/such/directory")).first(),
  ).toBeVisible();
  await expect(dialog.getByRole("textbox").first()).toHaveValue("どこかで");
});
