import { expect, open, test } from "./kit.ts";
import { expectAccessible } from "./kit/checks.ts";
import type { Rest } from "./kit/rest.ts";

const MESSAGE = "9月分の残業は 12.5 時間です";
const CONFIG = { roles: [{ id: "impl-code", mcpServers: ["notes"] }] };
const ASKS = `書き残す\n#rehearsal tool write_note ${JSON.stringify({ text: MESSAGE })}`;

async function anAskingAgent(rest: Rest): Promise<string> {
  const groupId = await rest.group("タスクに属さない仕事");
  const [agentId = ""] = await rest.run(groupId, [ASKS]);
  return agentId;
}

test("the page of an agent shows a checked call outside a task with its arguments, and it can be decided there", async ({
  page,
  stage,
  say,
}) => {
  const { daemon, rest } = await stage({ servers: ["notes"], config: CONFIG });
  const agentId = await anAskingAgent(rest);
  await open(page, daemon.url, "/approvals");
  const pane = page.getByRole("region", {
    name: say(
      "エージェントがツール notes/write_note を使おうとしています",
      "An agent wants to call notes/write_note",
    ),
  });
  await expect(pane.getByText(MESSAGE)).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(page.getByText(MESSAGE).first()).toBeVisible();
  await page.setViewportSize({ width: 1440, height: 900 });

  await open(page, daemon.url, `/agents/${agentId}`);
  const checks = page.getByRole("region", { name: say("人の確認", "Human checks") });
  await expect(checks.getByText("notes/write_note")).toBeVisible();
  await checks.getByRole("link").click();
  await page.getByRole("button", { name: say("承認", "Approve"), exact: true }).click();
  await rest.reachAgent(agentId, "resultReported", "completed");
});
