import { expect, test } from "./kit.ts";
import { expectAccessible, expectGood, expectLaidOut } from "./kit/checks.ts";
import { PEOPLE, tokenOf } from "./kit/people.ts";

const CONFIG = { auth: { users: PEOPLE } };

test("the dashboard shows nothing before the sign-in and after the sign-out", async ({
  page,
  stage,
  calm,
  say,
}) => {
  calm.expect(/status of 401|WebSocket/);
  const { daemon } = await stage({ config: CONFIG });
  await page.goto(`${daemon.url}/audit`);
  const token = page.getByLabel(say("トークン", "Token"));
  await expect(token).toBeVisible();
  await expectGood(page);
  await expect(page.getByRole("navigation")).toHaveCount(0);

  await token.fill("kmj_wrong");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert")).toContainText(
    say("このトークンではサインインできません。", "This token is not valid."),
  );
  await token.fill(tokenOf("alice"));
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/audit$/);
  await expect(page.getByRole("heading", { level: 1 })).toContainText(say("監査ログ", "Audit"));
  await page.reload();
  await expect(page.getByRole("heading", { level: 1 })).toContainText(say("監査ログ", "Audit"));

  await page.goto(`${daemon.url}/settings`);
  await expect(
    page.getByText(say("alice としてサインインしています", "Signed in as alice")).first(),
  ).toBeVisible();
  await page.getByRole("button", { name: say("サインアウト", "Sign out") }).click();
  await expect(token).toBeVisible();
});

test("a sign-in and a sign-out apply to a second tab too, and a cookie without its key leads to the sign-in page", async ({
  page,
  context,
  stage,
  calm,
  say,
}) => {
  calm.expect(/status of 401|WebSocket/);
  const { daemon } = await stage({ config: CONFIG });
  const token = (tab: typeof page) => tab.getByLabel(say("トークン", "Token"));
  const home = (tab: typeof page) => tab.getByRole("heading", { level: 1 });
  await page.goto(daemon.url);
  await token(page).fill(tokenOf("alice"));
  await page.keyboard.press("Enter");
  await expect(home(page)).toHaveText(say("ダッシュボード", "Dashboard"));

  const second = await context.newPage();
  await second.goto(`${daemon.url}/settings`);
  await expect(
    second.getByText(say("alice としてサインインしています", "Signed in as alice")).first(),
  ).toBeVisible();
  await second.getByRole("button", { name: say("サインアウト", "Sign out") }).click();
  await expect(token(second)).toBeVisible();
  await expect(token(page)).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem("kuromajutsu.session"))).toBeNull();

  await token(page).fill(tokenOf("alice"));
  await page.keyboard.press("Enter");
  await expect(home(page)).toHaveText(say("ダッシュボード", "Dashboard"));
  await expect(home(second)).toContainText(say("設定", "Settings"));
  await page.evaluate(() => localStorage.removeItem("kuromajutsu.session"));
  await page.clock.install();
  await page.reload();
  await expect(token(page)).toBeVisible();
  await page.waitForLoadState("networkidle");
  let tries = 0;
  page.on("request", () => tries++);
  page.on("websocket", () => tries++);
  await page.clock.runFor(60_000);
  expect(tries).toBe(0);
});

test("in a browser that blocks storage for the site, the sign-in page says what to allow", async ({
  page,
  context,
  stage,
  calm,
}) => {
  calm.expect(/status of 401|WebSocket/);
  const { daemon } = await stage({ config: CONFIG });
  await context.addInitScript(() => {
    Object.defineProperty(window, "localStorage", {
      get() {
        throw new DOMException("The operation is insecure.", "SecurityError");
      },
    });
  });
  await page.goto(daemon.url);

  await page.getByLabel("トークン").or(page.getByLabel("Token")).fill(tokenOf("alice"));
  await page.keyboard.press("Enter");

  await expect(page.getByRole("alert")).toContainText("localStorage");
});

test("a person gets a code that links their Slack account, where the daemon has Slack", async ({
  page,
  stage,
  calm,
  say,
}) => {
  calm.expect(/status of 401|WebSocket/);
  const env = {
    SLACK_BOT_TOKEN: "xoxb-1-1-a",
    SLACK_APP_TOKEN: "xapp-1-A1-1-a",
    SLACK_API_URL: "http://127.0.0.1:9/api/",
  };
  const { daemon } = await stage({ config: CONFIG, env });
  await page.goto(`${daemon.url}/settings`);
  await page.getByLabel(say("トークン", "Token")).fill(tokenOf("victor"));
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: say("Slack と連携", "Link Slack") }).click();

  const command = page.getByText(/^\/kuro link [0-9A-F]{6}-[0-9A-F]{6}$/);
  await expect(command).toBeVisible();
  await expectLaidOut(page);
  await expectAccessible(page);
  const first = await command.textContent();
  await page.getByRole("button", { name: say("新しいコードを発行", "Create a new code") }).click();
  await expect(command).not.toHaveText(first ?? "");
});
