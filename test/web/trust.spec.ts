import { readFileSync, writeFileSync } from "node:fs";
import { expect, open, test } from "./kit.ts";
import { expectAccessible } from "./kit/checks.ts";

/** The file is found by searching, as in a cloned folder. */
const FOUND = { KUROMAJUTSU_CONFIG: "" };

test("the trust page shows everything that a found file would run, and the file is used once it is trusted", async ({
  page,
  say,
  stage,
}) => {
  const { daemon } = await stage({
    servers: ["hr"],
    env: FOUND,
    config: {
      roles: [{ id: "research", systemPrompt: "Read only what is asked for.\nAnswer briefly." }],
    },
  });
  await open(page, daemon.url, "/");
  const card = page.getByRole("region", {
    name: say(
      "この設定ファイルは、まだ信頼されていません",
      "This configuration file is not trusted yet",
    ),
  });
  await expect(card.getByText("examples/hr/server.js")).toBeVisible();
  await expect(card.getByText("Answer briefly.")).toBeVisible();
  await expect(card.getByText("tasks.approval: anyone")).toBeVisible();
  await expect(card.getByText(`kuromajutsu trust ${daemon.configPath}`)).toBeVisible();
  await expectAccessible(page);

  const folder = process.env["TRUST_PICTURES"];
  for (const [width, height] of folder
    ? ([
        [1440, 900],
        [390, 844],
      ] as const)
    : []) {
    await page.setViewportSize({ width, height });
    await page.screenshot({ path: `${folder}/trust-${width}.png` });
  }

  await card.getByRole("button", { name: say("信頼して使う", "Trust and use it") }).click();
  await expect(card).toHaveCount(0);
  await page.goto(`${daemon.url}/system`);
  await expect(page.getByText("list_employees")).toBeVisible();
});

test("the trust page does not trust a file that changed after it was shown", async ({
  page,
  say,
  stage,
  calm,
}) => {
  const { daemon } = await stage({ servers: ["hr"], env: FOUND });
  calm.expect(/409/);
  await open(page, daemon.url, "/");
  const trust = page.getByRole("button", { name: say("信頼して使う", "Trust and use it") });
  await expect(trust).toBeVisible();
  const text = readFileSync(daemon.configPath, "utf8");
  writeFileSync(daemon.configPath, text.replace("server.js", "other-server.js"));

  await trust.click();

  await expect(page.getByText("examples/hr/other-server.js")).toBeVisible();
  await page.getByRole("button", { name: say("今は信頼しない", "Not now") }).click();
  await expect(page.getByRole("button", { name: say("内容を確認", "Review") })).toBeVisible();
});
