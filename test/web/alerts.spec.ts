import { type Page } from "@playwright/test";
import { expect, open, test } from "./kit.ts";
import { expectAccessible, expectLaidOut } from "./kit/checks.ts";
import { type ADaemon, until } from "./kit/daemon.ts";

const DEAD = "http://127.0.0.1:9/hook";

/** Agents of this daemon alert the browser; its webhook has no secret, so nothing reaches it. */
const ALERTING: ADaemon = {
  config: {
    alerts: {
      rules: [
        { on: ["group.completed", "agent.failed"], to: ["browser"] },
        {
          on: ["task.waiting", "task.failed"],
          to: ["webhook:ops", "browser"],
          for: "all",
          quietHours: [
            { from: "22:00", to: "07:00", timeZone: "Asia/Tokyo" },
            { from: "00:00", to: "24:00", timeZone: "Asia/Tokyo", days: ["sat", "sun"] },
          ],
          digest_ms: 900_000,
          urgent: true,
        },
      ],
      webhooks: { ops: { url: DEAD, secretEnv: "NO_SUCH_SECRET" } },
    },
  },
};

/** The tab is in the background; the notifications are recorded instead of shown. */
async function inBackground(page: Page): Promise<void> {
  await page.addInitScript(() => {
    document.hasFocus = () => false;
    const kept: { title: string; body: string; onclick: (() => void) | null }[] = [];
    class Kept {
      static readonly permission = "granted";
      static readonly requestPermission = () => Promise.resolve("granted");
      onclick: (() => void) | null = null;
      readonly title: string;
      readonly body: string;
      constructor(title: string, { body = "" }: NotificationOptions) {
        this.title = title;
        this.body = body;
        kept.push(this);
      }
      close(): void {}
    }
    Object.assign(window, { Notification: Kept, kept });
  });
}

test("the settings show the rules for alerts, and a test says what happened", async ({
  page,
  stage,
  say,
}) => {
  const { daemon } = await stage(ALERTING);
  await open(page, daemon.url, "/settings");
  await expect(page.getByText(say("グループの完了", "Group finished"))).toBeVisible();
  await expect(page.getByText("22:00").first()).toBeVisible();
  await expectAccessible(page);
  await expectLaidOut(page);

  const send = (name: string) =>
    page.getByRole("button", { name: say(`${name} にテストを送る`, `Send a test to ${name}`) });
  await send("Webhook ops").focus();
  await page.keyboard.press("Enter");
  await expect(page.getByText("NO_SUCH_SECRET")).toBeVisible();

  await send(say("ブラウザー", "Browser")).click();
  await expect(page.getByText(say("送信しました", "Sent ("))).toBeVisible();
  await expect(
    page.getByText(say("アラートのテストです", "This is a test of the alerts")),
  ).toBeVisible();
});

test("without rules the settings say how to write one", async ({ page, stage, say }) => {
  const { daemon } = await stage();
  await open(page, daemon.url, "/settings");

  await expect(
    page.getByText(say("アラートの規則はありません", "There are no rules for alerts")),
  ).toBeVisible();
  await expectAccessible(page);
});

test("an alert marks the tab until the person has seen it, also after a reload", async ({
  page,
  stage,
  say,
}) => {
  const { daemon, rest } = await stage(ALERTING);
  await open(page, daemon.url);
  await expect(page).toHaveTitle("黒魔術");
  await rest.run(await rest.group("庭の掃除"), ["やって"]);

  await expect(page).toHaveTitle("● 黒魔術");
  await expect(page.locator('link[rel="icon"]')).toHaveAttribute("href", "/icon-unread.svg");
  expect((await page.request.get(`${daemon.url}/icon-unread.svg`)).ok()).toBe(true);
  await expect(page.getByText(say("グループの完了", "Group finished"))).toBeVisible();
  await page.reload();
  await expect(page).toHaveTitle("● 黒魔術");

  await open(page, daemon.url, "/notifications");
  await expect(page.getByText(say("未読 1 件", "1 unread"))).toBeVisible();
  await expect(page.getByRole("link", { name: "庭の掃除" })).toBeVisible();
  await expect(page).toHaveTitle("黒魔術");
  await expect(page.locator('link[rel="icon"]')).toHaveAttribute("href", "/icon.svg");
  await expectAccessible(page);
  await expectLaidOut(page);
  await page.reload();
  await expect(page.getByRole("link", { name: "庭の掃除" })).toBeVisible();
  await expect(page).toHaveTitle("黒魔術");
});

test("a notification of the browser is shown only after the switch is on, and opens the page", async ({
  page,
  stage,
  say,
}) => {
  const { daemon, rest } = await stage(ALERTING);
  await inBackground(page);
  const shown = () => page.evaluate(() => Reflect.get(window, "kept").length);
  await open(page, daemon.url, "/settings");
  const first = await rest.group("最初の組");
  await rest.run(first, ["やって"]);
  await expect(page).toHaveTitle("● 黒魔術");
  expect(await shown()).toBe(0);

  await page.getByText(say("ブラウザー通知", "Browser notifications"), { exact: true }).click();
  await expect(page.getByRole("switch").first()).toBeChecked();
  const second = await rest.group("次の組");
  await rest.run(second, ["やって"]);
  await expect.poll(shown).toBe(1);

  const { title, body } = await page.evaluate(() => Reflect.get(window, "kept")[0]);
  expect([title, body]).toEqual([say("グループの完了", "Group finished"), "次の組"]);
  await page.evaluate(() => Reflect.get(window, "kept")[0].onclick());
  await expect(page).toHaveURL(`${daemon.url}/groups/${second}`);
});

test("alerts that were given up are on the health page with the reason", async ({
  page,
  stage,
  say,
}) => {
  const { daemon, rest } = await stage({
    config: { alerts: { rules: [{ on: ["group.completed"], to: ["slack:#ops"] }] } },
  });
  await rest.run(await rest.group("届かない組"), ["やって"]);
  const failed = async () => JSON.stringify(await rest.ask("GET", "/api/alerts?status=failed"));
  await until(async () => (await failed()).includes("slack:#ops"), "an alert that was given up");

  await open(page, daemon.url, "/health");
  await expect(page.getByText(say("1 件を送れませんでした", "1 not delivered"))).toBeVisible();
  await expect(
    page.getByText(say("slack が設定されていません", "slack is not set up")),
  ).toBeVisible();
  await expectAccessible(page);
  await expectLaidOut(page);
});
