import type { BrowserContext } from "@playwright/test";
import { expect, test } from "./kit.ts";
import { aDaemon, type Daemon } from "./kit/daemon.ts";
import { askedBy, PEOPLE, signIn } from "./kit/people.ts";

const AGREE = { auth: { users: PEOPLE }, tasks: { approval: { quorum: 2 } } };

let daemon: Daemon;
test.beforeAll(async () => {
  daemon = await aDaemon({ config: AGREE });
});
test.afterAll(() => daemon.end());

let second: BrowserContext;
test.beforeEach(async ({ browser, context, calm }) => {
  second = await browser.newContext();
  await calm.watch(second);
  await signIn(context, daemon.url, "alice");
});
test.afterEach(() => second.close());

test("with a quorum of two, the first vote is shown to the other person at once and counts once, and the second vote decides", async ({
  context,
  page: alice,
  say,
}) => {
  await signIn(second, daemon.url, "bob");
  const address = await askedBy(context, daemon.url, "二人で決める");
  const bob = await second.newPage();
  const approve = { name: say("承認", "Approve"), exact: true };
  for (const page of [alice, bob]) {
    await page.goto(address);
    await expect(page.getByText(say("0/2 人", "0 of 2"))).toBeVisible();
  }
  await alice.getByRole("button", approve).click();
  await expect(bob.getByText(say("1/2 人 (alice)", "1 of 2 (alice)"))).toBeVisible();
  await expect(
    alice.getByRole("button", { name: say("承認済み", "You have approved") }),
  ).toBeDisabled();
  await alice.keyboard.press("a");

  await bob.getByRole("button", approve).click();
  for (const page of [alice, bob]) {
    await expect(page.getByText(say("bob が承認 ·", "Approved by bob"))).toBeVisible();
    await expect(page.getByRole("button", approve)).toHaveCount(0);
  }
  await expect(alice.getByRole("alert")).toHaveCount(0);
});

test("a viewer sees pending approvals and their votes, but no buttons", async ({
  context,
  page: alice,
  say,
}) => {
  await signIn(second, daemon.url, "victor");
  const address = await askedBy(context, daemon.url, "見ているだけ");
  const victor = await second.newPage();
  await victor.goto(address);
  await expect(
    victor.getByText(say("閲覧者のため", "As a viewer, you cannot decide")),
  ).toBeVisible();
  await expect(victor.locator("main").getByRole("button", { name: /承認|却下/ })).toHaveCount(0);
  await victor.keyboard.press("a");
  await victor.keyboard.press("r");
  await expect(victor.getByRole("dialog")).toHaveCount(0);

  await alice.goto(address);
  await alice.getByRole("button", { name: say("承認", "Approve"), exact: true }).click();
  await expect(victor.getByText(say("1/2 人 (alice)", "1 of 2 (alice)"))).toBeVisible();
});
