import { expect, open, test, type Page } from "./kit.ts";
import { aRequest } from "./kit/rest.ts";

const LOST = /(?:再接続中 — 表示は|Reconnecting — showing data as of) \d\d:\d\d:\d\d/;

/** Names of the cards on the dashboard, one line each. */
async function cards(page: Page): Promise<string[]> {
  const ids = await page.locator("main article a .sr-only").allTextContents();
  return ids.map((id) => id.trim()).sort();
}

test("the page shows that the daemon was killed, and after the restart no card is lost or duplicated", async ({
  page,
  stage,
  calm,
}) => {
  calm.expect(
    /ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE|ERR_SOCKET_NOT_CONNECTED|WebSocket/,
  );
  const { daemon, rest } = await stage({ servers: ["notes"] });
  const groupId = await rest.group("生き残る組");
  const agentIds = await rest.run(
    groupId,
    Array.from({ length: 4 }, () => "働く\n#rehearsal listen 600000"),
  );
  for (const agentId of agentIds) await rest.reachAgent(agentId, "running");
  const taskId = await rest.create(aRequest("承認を待つ"));
  await rest.pending(taskId, "prompt");
  await open(page, daemon.url);
  const waiting = page.getByRole("region", {
    name: /判断を待っています|Waiting for your decision/,
  });
  const recent = page.getByRole("region", { name: /最近のタスクと結果|Recent tasks/ });
  await expect(page.getByText(LOST)).toHaveCount(0);
  await expect.poll(() => cards(page)).toEqual(expect.arrayContaining([...agentIds].sort()));
  const before = await cards(page);
  expect(new Set(before).size).toBe(before.length);

  await daemon.kill("SIGKILL");
  const banner = page.getByRole("status").filter({ hasText: LOST });
  await expect(banner).toBeVisible();
  // The last state stays visible and is marked as old.
  expect(await cards(page)).toEqual(before);
  // Also after several failed attempts to reconnect.
  for (let tries = 0; tries < 2; tries++) await page.waitForEvent("websocket");
  await expect(banner).toBeVisible();

  await daemon.restart();
  await expect(banner).toHaveCount(0);
  await expect.poll(() => cards(page)).toEqual(before);
  await expect(waiting.getByRole("heading", { name: /承認を待つ/ })).toHaveCount(1);
  await expect(recent.getByRole("heading", { name: /承認を待つ/ })).toHaveCount(1);

  // The page is live again and shows new events.
  const [late = ""] = await rest.run(groupId, ["遅れて来る\n#rehearsal listen 600000"]);
  await expect.poll(() => cards(page)).toEqual([...before, late].sort());
  await rest.decide(await rest.pending(taskId, "prompt"));
  await expect(waiting.getByRole("heading", { name: /承認を待つ/ })).toHaveCount(1);
  await expect(recent.getByRole("heading", { name: /承認を待つ/ })).toHaveCount(1);
});

test("an action while the daemon is down shows that it cannot be reached", async ({
  page,
  stage,
  calm,
  say,
}) => {
  calm.expect(/ERR_|WebSocket/);
  const { daemon } = await stage();
  await open(page, daemon.url);
  await page.keyboard.press("n");
  await page.getByRole("dialog").getByRole("textbox").first().fill("届かない依頼");
  await daemon.kill("SIGKILL");
  await page.keyboard.press("Control+Enter");
  await expect(
    page.getByText(say("デーモンに接続できません。", "The daemon is not responding.")),
  ).toBeVisible();
  await expect(page.getByRole("dialog").getByRole("textbox").first()).toHaveValue("届かない依頼");
});

test("a request whose answer was lost is repeated: one click creates one task", async ({
  page,
  stage,
  calm,
}) => {
  calm.expect(/ERR_/);
  const { daemon, rest } = await stage();
  await open(page, daemon.url);
  let lost = 0;
  await page.route("**/api/tasks", async (route) => {
    if (route.request().method() !== "POST" || lost >= 2) return route.continue();
    lost++;
    await route.fetch();
    return route.abort("connectionreset");
  });
  await page.keyboard.press("n");
  await page.getByRole("dialog").getByRole("textbox").first().fill("一度だけの依頼");
  await page.keyboard.press("Control+Enter");

  await expect(page).toHaveURL(/\/tasks\/task-/);
  expect(lost).toBe(2);
  expect(await rest.ask("GET", "/api/tasks")).toMatchObject({ tasks: [{}] });
});

test("a second click after the first one was given up creates no second task", async ({
  page,
  stage,
  calm,
  say,
}) => {
  calm.expect(/ERR_/);
  const { daemon, rest } = await stage();
  await open(page, daemon.url);
  let isLost = true;
  await page.route("**/api/tasks", async (route) => {
    if (route.request().method() !== "POST" || !isLost) return route.continue();
    await route.fetch();
    return route.abort("connectionreset");
  });
  await page.keyboard.press("n");
  await page.getByRole("dialog").getByRole("textbox").first().fill("一度だけの依頼");
  await page.keyboard.press("Control+Enter");
  await expect(
    page.getByText(say("デーモンに接続できません。", "The daemon is not responding.")),
  ).toBeVisible();
  isLost = false;
  await page.keyboard.press("Control+Enter");

  await expect(page).toHaveURL(/\/tasks\/task-/);
  expect(await rest.ask("GET", "/api/tasks")).toMatchObject({ tasks: [{}] });
});
