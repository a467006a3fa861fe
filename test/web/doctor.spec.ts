import { brokenCli } from "../kit/broken-clis.ts";
import { expect, open, test } from "./kit.ts";
import { expectAccessible } from "./kit/checks.ts";

test("the health check page runs a CLI and shows what it did and the command that repairs it", async ({
  page,
  stage,
  say,
}) => {
  const { daemon } = await stage({ env: { PATH: `${brokenCli("fails")}:/usr/bin:/bin` } });
  await open(page, daemon.url, "/health");
  const clis = page.getByRole("region", { name: say("エージェントの CLI", "Agent CLIs") });
  await expect(clis.getByText(say("まだ確認していません", "Not checked yet"))).toBeVisible();

  await clis.getByRole("button", { name: say("cursor を確認", "Check cursor") }).click();

  await expect(clis.getByText(say("使えません", "Does not work"))).toBeVisible();
  await expect(clis.getByText(say("サインインしていません", "Not signed in"))).toBeVisible();
  await expect(clis.getByText("agent login", { exact: true })).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(clis.getByText("agent login", { exact: true })).toBeVisible();
  await expectAccessible(page);
});

test("the health check page names the command that installs a missing CLI without running anything", async ({
  page,
  stage,
  say,
}) => {
  const { daemon } = await stage();
  await open(page, daemon.url, "/health");
  const clis = page.getByRole("region", { name: say("エージェントの CLI", "Agent CLIs") });
  await expect(clis.getByText(say("未インストール", "Not installed")).first()).toBeVisible();
  await expect(clis.getByText("cursor.com/install")).toBeVisible();
});
