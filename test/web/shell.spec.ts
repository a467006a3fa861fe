import { expect, open, speak, test } from "./kit.ts";
import { aDaemon, type Daemon } from "./kit/daemon.ts";
import { restOf } from "./kit/rest.ts";

let daemon: Daemon;
test.beforeAll(async () => {
  daemon = await aDaemon();
});
test.afterAll(() => daemon.end());

test("⌘K finds a page by its name, and Esc restores the focus", async ({ page, say }) => {
  await open(page, daemon.url);
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog", { name: say("検索とコマンド", "Search and commands") });
  await expect(palette.getByRole("searchbox")).toBeFocused();

  await page.keyboard.type(say("監査", "Audit"));
  await expect(palette.getByRole("menuitem")).toHaveCount(1);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/audit$/);
  await expect(palette).toHaveCount(0);

  const button = page.getByRole("button", { name: say("検索・コマンド", "Search or run") });
  await button.focus();
  await page.keyboard.press("Enter");
  await expect(palette).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(palette).toHaveCount(0);
  await expect(button).toBeFocused();
});

test("⌘K finds a task and a command", async ({ page, say }) => {
  const taskId = await restOf(daemon.url).create("屋根を直して");
  await open(page, daemon.url);
  await page.keyboard.press("Meta+k");
  await page.keyboard.type("屋根");
  await page
    .getByRole("menuitem", { name: /屋根を直して/ })
    .first()
    .click();
  await expect(page).toHaveURL(new RegExp(`/tasks/${taskId}$`));

  await page.keyboard.press("Control+k");
  await page.keyboard.type(say("Switch to English", "日本語にする"));
  await page.keyboard.press("Enter");
  await expect(page.locator("html")).toHaveAttribute("lang", say("en", "ja"));
});

test("the keys ?, G and N show help, navigate and open a new task, but not while typing", async ({
  page,
  say,
}) => {
  await open(page, daemon.url);
  await page.keyboard.press("?");
  const help = page.getByRole("dialog", {
    name: say("キーボードショートカット", "Keyboard shortcuts"),
  });
  await expect(help.getByText("⌘ K / Ctrl K")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(help).toHaveCount(0);

  for (const [key, path] of [
    ["t", "/tasks"],
    ["a", "/approvals"],
    ["h", "/history"],
    ["r", "/roles"],
    ["d", "/"],
  ] as const) {
    await page.keyboard.press("g");
    await page.keyboard.press(key);
    await expect(page).toHaveURL(`${daemon.url}${path}`);
  }

  await page.keyboard.press("n");
  const dialog = page.getByRole("dialog", { name: say("新しいタスク", "New task") });
  await expect(dialog.getByRole("textbox").first()).toBeFocused();
  await page.keyboard.type("gt?n");
  await expect(dialog.getByRole("textbox").first()).toHaveValue("gt?n");
  await expect(page).toHaveURL(`${daemon.url}/`);
});

test("the menu of the header switches the language, and the choice is kept", async ({
  page,
  language,
}) => {
  await open(page, daemon.url);
  const html = page.locator("html");
  const h1 = page.getByRole("heading", { level: 1 });
  await expect(h1).toHaveText(language === "ja" ? "ダッシュボード" : "Dashboard");
  await speak(page, language === "ja" ? "en" : "ja");
  await expect(h1).toHaveText(language === "ja" ? "Dashboard" : "ダッシュボード");
  await page.reload();
  await expect(html).toHaveAttribute("lang", language === "ja" ? "en" : "ja");
  await expect(h1).toHaveText(language === "ja" ? "Dashboard" : "ダッシュボード");
});

test("the first Tab leads past the menu to the content", async ({ page, say }) => {
  await open(page, daemon.url);
  await page.keyboard.press("Tab");
  await expect(
    page.getByRole("link", { name: say("本文へ移動", "Skip to content") }),
  ).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.locator("main")).toBeFocused();
});

test("the page title counts pending approvals", async ({ page, stage }) => {
  const { daemon: own, rest } = await stage();
  await open(page, own.url);
  await expect(page).toHaveTitle("黒魔術");
  const taskId = await rest.create("庭を掃いて");
  await expect(page).toHaveTitle("(1) 黒魔術");
  await rest.decide(await rest.pending(taskId, "prompt"), "reject", { reason: "もっと短く" });
  await rest.ask("PATCH", `/api/tasks/${taskId}`, { status: "cancelled" });
  await expect(page).toHaveTitle("黒魔術");
});

test("the dashboard can be installed: its manifest has icons that exist", async ({
  page,
  request,
}) => {
  await open(page, daemon.url);
  const href = await page.locator("link[rel=manifest]").getAttribute("href");
  const manifest = await request.get(`${daemon.url}${href}`);
  expect(manifest.ok()).toBe(true);
  const { icons, start_url: start }: { icons: { src: string }[]; start_url: string } =
    await manifest.json();
  expect(start).toBe("/");
  expect(icons.length).toBeGreaterThan(0);
  for (const { src } of icons) {
    const icon = await request.get(new URL(src, daemon.url).href);
    expect([icon.status(), icon.headers()["content-type"]]).toEqual([
      200,
      expect.stringContaining("image/"),
    ]);
  }
});

test("a notification of the browser announces a pending approval and opens it", async ({
  page,
  context,
  say,
}) => {
  await context.grantPermissions(["notifications"]);
  await page.addInitScript(() => {
    // The tab is in the background; the notifications are recorded instead of shown.
    document.hasFocus = () => false;
    class Kept {
      static readonly permission = "granted";
      static readonly requestPermission = () => Promise.resolve("granted");
      onclick: (() => void) | null = null;
      readonly body: string | undefined;
      constructor(_title: string, { body }: NotificationOptions) {
        this.body = body;
        Object.assign(window, { kept: this });
      }
      close(): void {}
    }
    Object.assign(window, { Notification: Kept });
  });
  await open(page, daemon.url, "/settings");
  await page.getByText(say("ブラウザー通知", "Browser notifications"), { exact: true }).click();
  await expect(page.getByRole("switch").first()).toBeChecked();
  await page.goto(daemon.url);
  const taskId = await restOf(daemon.url).create("知らせてほしい仕事");
  const { approvalId } = await restOf(daemon.url).pending(taskId, "prompt");
  await expect
    .poll(() => page.evaluate(() => Reflect.get(window, "kept")?.body ?? ""))
    .toContain("知らせてほしい仕事");
  await page.evaluate(() => Reflect.get(window, "kept").onclick());
  await expect(page).toHaveURL(`${daemon.url}/approvals/${approvalId}`);
});

test("the costs page shows its chart in a browser whose language is no valid tag", async ({
  page,
}) => {
  const rest = restOf(daemon.url);
  const [agentId = ""] = await rest.run(await rest.group("費用"), [
    "#rehearsal usage 1200 340\n#rehearsal report success 済み",
  ]);
  await rest.reachAgent(agentId, "resultReported");
  await page.addInitScript(() => {
    Object.defineProperty(Navigator.prototype, "language", { get: () => "en-US@posix" });
  });
  await open(page, daemon.url, "/costs");
  await expect(page.locator("main canvas").first()).toBeVisible();
});
