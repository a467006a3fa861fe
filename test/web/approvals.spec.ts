import { expect, open, test, type Page } from "./kit.ts";
import { expectAccessible } from "./kit/checks.ts";
import { askedBy, PEOPLE, signIn } from "./kit/people.ts";

test("in the inbox J and K move, A approves what is shown, R rejects with a reason", async ({
  page,
  stage,
  say,
}) => {
  const { daemon, rest } = await stage();
  const first = await rest.create("一つ目の仕事");
  await rest.pending(first, "prompt");
  const second = await rest.create("二つ目の仕事");
  await rest.pending(second, "prompt");
  await open(page, daemon.url, "/approvals");
  const list = page.getByRole("list", { name: say("承認の一覧", "Approvals") });
  const selected = list.locator("[aria-current=true]");
  await expect(list.getByRole("button")).toHaveCount(2);
  await expect(selected).toContainText("一つ目");

  await page.keyboard.press("j");
  await expect(selected).toContainText("二つ目");
  await page.keyboard.press("k");
  await expect(selected).toContainText("一つ目");

  await page.keyboard.press("a");
  await expect(page.getByText(say("を承認しました", "Approved:"))).toBeVisible();
  await rest.reach(first, ({ status }) => status !== "awaiting_prompt_approval", "an approval");

  // The next approval is shown now; a key pressed at once must not decide it unread.
  await expect(selected).toContainText("二つ目");
  const dialog = page.getByRole("dialog", { name: say("却下理由", "Reason for rejection") });
  await expect(async () => {
    await page.keyboard.press("r");
    // Long enough for a busy machine: a second press would type into the dialog.
    await expect(dialog).toBeVisible({ timeout: 5_000 });
  }).toPass();
  await expect(dialog.getByRole("textbox")).toBeFocused();
  await expectAccessible(page);
  const send = dialog.getByRole("button", { name: say("送信して再生成", "Send and redraft") });
  await expect(send).toBeDisabled();
  await page.keyboard.type("もっと短く");
  await page.keyboard.press("Control+Enter");
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText(say("を却下しました", "Rejected:"))).toBeVisible();
  const again = await rest.pending(second, "prompt");
  await page.goto(`${daemon.url}/approvals/${again.approvalId}`);
  await expect(page.getByText("もっと短く").first()).toBeVisible();
  await expect(page.locator("main ins").first()).toBeVisible();
});

test("the inbox shows the last decision even when no approval is pending any more", async ({
  page,
  stage,
  say,
}) => {
  const { daemon, rest } = await stage();
  const taskId = await rest.create(`最後の一つ\n#rehearsal in process-designer sleep 8000`);
  await rest.pending(taskId, "prompt");
  await open(page, daemon.url, "/approvals");
  await page.getByRole("button", { name: say("承認", "Approve"), exact: true }).click();
  const note = page.getByRole("status").filter({ hasText: say("を承認しました", "Approved:") });
  const nothing = say("判断を待っているものはありません", "Nothing is waiting for you");
  await expect(page.getByText(nothing)).toBeVisible();
  await expect(note).toBeVisible();
  await rest.pending(taskId, "process");
  await expect(note).toBeVisible();
});

test("everything in the inbox can be done without a mouse", async ({ page, stage, say }) => {
  const { daemon, rest } = await stage();
  const taskId = await rest.create("鍵盤だけで");
  await rest.pending(taskId, "prompt");
  await open(page, daemon.url, "/approvals");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/approvals\/apr-/);
  const approve = page.getByRole("button", { name: say("承認", "Approve"), exact: true });
  await tabTo(page, approve);
  await page.keyboard.press("Enter");
  await expect(page.getByText(/(?:が承認 ·|Approved by)/)).toBeVisible();

  await tabTo(page, page.getByRole("link", { name: /鍵盤だけで/ }).first());
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/tasks/${taskId}`));
});

/** Moves the focus there with Tab alone. */
async function tabTo(page: Page, target: ReturnType<Page["locator"]>): Promise<void> {
  await expect(target).toBeVisible();
  for (let i = 0; i < 60; i++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error("Tab never gets there.");
}

test("two people decide at the same moment: one wins, and the other sees the winner", async ({
  browser,
  calm,
  context,
  page,
  stage,
  say,
}) => {
  calm.expect(/status of 409/);
  const { daemon } = await stage({ config: { auth: { users: PEOPLE } } });
  const people = ["alice", "bob"] as const;
  const other = await browser.newContext();
  await calm.watch(other);
  await signIn(context, daemon.url, "alice");
  await signIn(other, daemon.url, "bob");
  const address = await askedBy(context, daemon.url, "だれが決めるか");
  const pages = { alice: page, bob: await other.newPage() };
  for (const id of people) await pages[id].goto(address);

  // Both click before the daemon receives either decision.
  const both = Promise.withResolvers<void>();
  let waiting = 0;
  for (const id of people) {
    await pages[id].route("**/decision", async (route) => {
      if (++waiting === people.length) both.resolve();
      await both.promise;
      await route.continue();
    });
    const button = pages[id].getByRole("button", { name: say("承認", "Approve"), exact: true });
    await expect(button).toBeVisible();
    await button.click();
  }
  const toldBob = pages.bob.getByText(
    say("alice が先に承認しました", "alice has already approved"),
  );
  const toldAlice = pages.alice.getByText(
    say("bob が先に承認しました", "bob has already approved"),
  );
  await expect
    .poll(async () => (await toldBob.count()) + (await toldAlice.count()))
    .toBeGreaterThan(0);
  const winner = (await toldBob.count()) > 0 ? "alice" : "bob";
  for (const id of people) {
    await expect(
      pages[id].getByText(say(`${winner} が承認 ·`, `Approved by ${winner}`)),
    ).toBeVisible();
  }
  await other.close();
});
