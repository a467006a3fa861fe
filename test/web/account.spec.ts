import { ACCOUNT, expect, open, test } from "./kit.ts";
import { expectAccessible, expectContrast, expectLaidOut } from "./kit/checks.ts";
import { aDaemon, type Daemon } from "./kit/daemon.ts";
import { PEOPLE, signIn } from "./kit/people.ts";

let daemon: Daemon;
test.beforeAll(async () => {
  daemon = await aDaemon();
});
test.afterAll(() => daemon.end());

const LANGUAGES = [
  { name: "ja-JP", first: "ダッシュボード", lang: "ja" },
  { name: "en-GB", first: "Dashboard", lang: "en" },
  { name: "de-DE", first: "Dashboard", lang: "en" },
] as const;

for (const { name, first, lang } of LANGUAGES) {
  test(`a browser that prefers ${name} shows the dashboard in ${lang} until a person chooses`, async ({
    browser,
  }) => {
    const context = await browser.newContext({ locale: name });
    const page = await context.newPage();
    await open(page, daemon.url);
    await expect(page.locator("html")).toHaveAttribute("lang", lang);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(first);
    expect(await page.evaluate(() => localStorage.getItem("kuromajutsu.locale"))).toBeNull();
    await context.close();
  });
}

test("without sign-in the header says that everybody is local, and offers no sign-out", async ({
  page,
  say,
}) => {
  await open(page, daemon.url, "/audit");
  const button = page.getByRole("button", { name: ACCOUNT });
  await expect(button).toContainText(say("あなた (local)", "you (local)"));
  await button.click();
  const menu = page.getByRole("menu");
  await expect(menu.getByRole("menuitemradio")).toHaveCount(5);
  await expect(menu.getByRole("menuitem")).toHaveCount(1);
  await expectAccessible(page, "the menu of the header");
  await page.emulateMedia({ colorScheme: "light" });
  await expectContrast(page, "the menu of the header, light");
  await menu.getByRole("menuitem", { name: say("設定", "Settings") }).click();
  await expect(page).toHaveURL(/\/settings$/);
});

test("the keyboard opens the menu of the header, and Esc returns to its button", async ({
  page,
}) => {
  await open(page, daemon.url);
  const button = page.getByRole("button", { name: ACCOUNT });
  await button.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("menu")).toBeVisible();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Escape");
  await expect(page.getByRole("menu")).toHaveCount(0);
  await expect(button).toBeFocused();
});

test("with sign-in the header names the person and their role, and signs out", async ({
  page,
  context,
  stage,
  calm,
  say,
}) => {
  calm.expect(/status of 401|WebSocket/);
  const { daemon: own } = await stage({ config: { auth: { users: PEOPLE } } });
  await signIn(context, own.url, "bob");
  await open(page, own.url);
  const button = page.getByRole("button", { name: ACCOUNT });
  await expect(button).toContainText("bob");
  await expect(button).toContainText(say("操作者", "Operator"));
  await expectLaidOut(page);
  await button.click();
  await page.getByRole("menuitem", { name: say("サインアウト", "Sign out") }).click();
  await expect(page.getByLabel(say("トークン", "Token"))).toBeVisible();
});
