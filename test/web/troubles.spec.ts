import { aFreePort } from "../kit/free-port.ts";
import { expect, open, test } from "./kit.ts";
import { expectAccessible, expectContrast, expectLaidOut } from "./kit/checks.ts";

test("a failed upstream server is in the navigation and on the home page, with what to do", async ({
  page,
  stage,
  say,
}) => {
  const { daemon } = await stage({
    config: { mcpServers: { weather: { url: `http://127.0.0.1:${await aFreePort()}/mcp` } } },
  });
  await open(page, daemon.url);
  const card = page.getByRole("region", {
    name: say("MCP サーバーの確認が必要です", "MCP servers need attention"),
  });
  await expect(card).toContainText(say("weather に接続できません", "weather cannot be reached"));
  await expect(card).toContainText(
    say("サーバーを起動するか", "Start the server, or correct its url"),
  );
  const system = page
    .getByRole("navigation", { name: say("メニュー", "Menu") })
    .getByRole("link", { name: say("システム情報", "System") });
  await expect(system).toContainText("1");
  await expectLaidOut(page);
  await expectAccessible(page, "the home page with a failed server");
  await page.emulateMedia({ colorScheme: "light" });
  await expectContrast(page, "the home page with a failed server, light");
  await system.click();
  await expect(page.getByText("weather").first()).toBeVisible();
});
