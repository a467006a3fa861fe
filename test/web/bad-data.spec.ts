import { expect, lookingTest, open, shown, test, type Page } from "./kit.ts";
import { expectAccessible, expectLaidOut } from "./kit/checks.ts";
import { aDaemon, type Daemon } from "./kit/daemon.ts";
import { seeded } from "./kit/seeded.ts";

const LONG = { timeout: 40_000 };
const NAMES = ["script", "rtl", "emoji"] as const;

const pagesOf = (name: string) => [
  `/tasks/task-${name}`,
  `/groups/grp-1794733200-${name}`,
  `/agents/impl-code-1794733200-${name}`,
  `/approvals/apr-${name}`,
];

/** The page is intact: a heading, no overflow, no injected script. */
async function expectWhole(page: Page): Promise<void> {
  await expectLaidOut(page);
  await expect(page).toHaveTitle(/黒魔術/);
}

lookingTest.describe("texts that try to break a page", () => {
  let daemon: Daemon;
  lookingTest.beforeAll(async () => {
    daemon = await aDaemon(seeded("odd"));
  });
  lookingTest.afterAll(() => daemon.end());

  for (const path of ["/", "/approvals", "/tasks", "/tasks?view=list", "/groups", "/history"]) {
    lookingTest(`${path} works with all of them`, async ({ page }) => {
      await open(page, daemon.url, path);
      await expectWhole(page);
      await expectAccessible(page);
    });
  }

  for (const name of NAMES) {
    lookingTest(`${name}: pages of task, approval, group and agent work`, async ({ page }) => {
      for (const path of pagesOf(name)) {
        await open(page, daemon.url, path);
        await expectWhole(page);
      }
    });
  }
});

test("pages with a text of 10 MB open, and its approval can be decided", async ({
  page,
  stage,
  say,
}) => {
  test.setTimeout(120_000);
  const { daemon } = await stage(seeded("huge"));
  for (const path of ["/", "/tasks", ...pagesOf("huge")]) {
    await open(page, daemon.url, path, LONG);
    await expectWhole(page);
  }
  await page.getByRole("button", { name: say("承認", "Approve"), exact: true }).click();
  await expect(page.getByText(/(?:が承認 ·|Approved by)/)).toBeVisible();
});

test("an approval of 10 MB in the inbox: live events carry little of it, the page shows all of it, and it can be decided", async ({
  page,
  stage,
  say,
}) => {
  test.setTimeout(120_000);
  const { daemon, rest } = await stage(seeded("huge"));
  let heard = 0;
  page.on("websocket", (socket) =>
    socket.on("framereceived", ({ payload }) => (heard += payload.length)),
  );
  await open(page, daemon.url, "/approvals", LONG);
  const text = page.getByRole("region", { name: say("全文", "Full text") });
  await expect(text).toContainText("lorem ipsum");
  await expect(async () => {
    await text.evaluate((box) => box.scrollTo(0, box.scrollHeight));
    await expect(text).toContainText("# 名前は普通です", { timeout: 1_000 });
  }).toPass(LONG);
  await expectWhole(page);
  await page.getByRole("button", { name: say("承認", "Approve"), exact: true }).click();
  const decided = () => rest.ask("GET", "/api/approvals/apr-huge?clip=true");
  await expect.poll(decided).toMatchObject({ status: "approved", clipped: true });
  expect(heard).toBeGreaterThan(0);
  expect(heard).toBeLessThan(256 * 1024);
});

test("the agent page works with an agent that prints a line of 10 MB", async ({
  page,
  stage,
  say,
}) => {
  const { daemon, rest } = await stage();
  const groupId = await rest.group("大声");
  const [agentId = ""] = await rest.run(groupId, [
    "叫んで\n#rehearsal long-line 10485760\n#rehearsal garbage 20\n#rehearsal say 以上",
  ]);
  await rest.reachAgent(agentId, "resultReported", "completed", "failed");
  await open(page, daemon.url, `/agents/${agentId}`);
  await expect(page.getByText("xxxxxxxx").first()).toBeVisible({ timeout: 30_000 });
  await expectWhole(page);
  await page.getByRole("button", { name: say("最新に追従", "Follow") }).click();
  await expect(page.getByText("以上").first()).toBeVisible();
  for (const tab of [say("結果", "Result"), say("プロンプト", "Prompt")]) {
    await page.getByRole("tab", { name: tab }).click();
    await shown(page);
    await expectWhole(page);
  }
});

test("pages with 5,000 agents open, scroll and keep a small DOM", async ({ page, stage, say }) => {
  test.setTimeout(180_000);
  const { daemon } = await stage(seeded("fleet"));
  for (const path of ["/", "/groups", "/groups/grp-1794733200-0000", "/history"]) {
    await open(page, daemon.url, path);
    await expectWhole(page);
    const nodes = await page.evaluate(() => document.querySelectorAll("*").length);
    expect(nodes, `${path} has too many elements`).toBeLessThan(6_000);
    await page.mouse.move(200, 500);
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight / 2));
    await expectLaidOut(page);
  }
  await open(page, daemon.url);
  await expectAccessible(page, "5,000 agents");
  await page.keyboard.press("Control+k");
  await page.keyboard.type(say("コスト", "Costs"));
  await expect(page.getByRole("menuitem").first()).toBeVisible();
});
