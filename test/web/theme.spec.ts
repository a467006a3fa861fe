import { ACCOUNT, expect, open, test, type Page } from "./kit.ts";
import { aDaemon, type Daemon } from "./kit/daemon.ts";

let daemon: Daemon;
test.beforeAll(async () => {
  daemon = await aDaemon();
});
test.afterAll(() => daemon.end());

const LIGHT = "rgb(245, 243, 249)";
const DARK = "rgb(11, 10, 16)";

const background = (page: Page) =>
  page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);

async function choose(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: ACCOUNT }).click();
  await page.getByRole("menuitemradio", { name }).click();
  await expect(page.getByRole("menu")).toHaveCount(0);
}

test("without a choice the theme is the system's and follows it at once", async ({ page }) => {
  await page.emulateMedia({ colorScheme: "light" });
  await open(page, daemon.url);
  expect(await background(page)).toBe(LIGHT);
  await page.emulateMedia({ colorScheme: "dark" });
  expect(await background(page)).toBe(DARK);
});

test("a chosen theme holds against the system, after a reload and in other tabs, until the system decides again", async ({
  page,
  context,
  say,
}) => {
  await page.emulateMedia({ colorScheme: "dark" });
  await open(page, daemon.url);
  const other = await context.newPage();
  await other.emulateMedia({ colorScheme: "dark" });
  await open(other, daemon.url);
  await choose(page, say("ライト", "Light"));
  expect(await background(page)).toBe(LIGHT);
  await expect.poll(() => background(other)).toBe(LIGHT);
  await other.close();

  await page.reload();
  await expect(page.getByRole("heading", { level: 1 })).toBeAttached();
  expect(await background(page)).toBe(LIGHT);
  await choose(page, say("システムに合わせる", "System"));
  expect(await background(page)).toBe(DARK);
});

test("a page never shows the other theme while it loads", async ({ page, calm }) => {
  calm.expect(/ERR_FAILED/);
  await page.emulateMedia({ colorScheme: "dark" });
  await open(page, daemon.url);
  await page.evaluate(() => localStorage.setItem("kuromajutsu.theme", "light"));
  // The application never arrives; what is seen is the first paint.
  await page.route(/\/assets\/.*\.js$/, (route) => route.abort());
  await page.goto(daemon.url, { waitUntil: "domcontentloaded" });
  await expect(page.getByText("黒魔術")).toBeVisible();
  expect(await background(page)).toBe(LIGHT);
});

test("the settings offer the same choice of theme", async ({ page, say }) => {
  await open(page, daemon.url, "/settings");
  const themes = page.getByRole("radiogroup", { name: say("テーマ", "Theme") });
  await themes.getByRole("radio", { name: say("ライト", "Light") }).click();
  expect(await background(page)).toBe(LIGHT);
  await expect(themes.getByRole("radio", { name: say("ライト", "Light") })).toBeChecked();
});

test("the chart of costs takes its colours from the theme", async ({ page, stage }) => {
  const { daemon: own, rest } = await stage({
    config: { prices: { models: { "claude-4-sonnet": { input: 3, output: 15 } } } },
  });
  const groupId = await rest.group("費用");
  const [agentId = ""] = await rest.run(groupId, ["#rehearsal usage 12000 3400"]);
  await rest.reachAgent(agentId, "resultReported", "completed");
  const look = async () => {
    const canvas = page.locator("canvas").first();
    await expect(canvas).toBeVisible();
    return canvas.evaluate((element) =>
      element instanceof HTMLCanvasElement ? element.toDataURL() : "",
    );
  };
  await open(page, own.url, "/costs");
  const dark = await look();
  await page.emulateMedia({ colorScheme: "light" });
  await expect.poll(look).not.toBe(dark);
});
