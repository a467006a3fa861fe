import type { Route } from "@playwright/test";
import { z } from "zod";
import { expect, open, test, type Page } from "./kit.ts";
import { expectAccessible } from "./kit/checks.ts";
import type { Rest } from "./kit/rest.ts";

/** Longer than the live state carries of one approval. */
const REQUEST = `長い依頼\n${"あ".repeat(18_000)}\n依頼の終わり`;
const WHOLE = /\/api\/approvals\/apr-[^/?]+$/;
const BEGINNING = /\/api\/approvals\/apr-[^/?]+\?clip=true$/;
const fields = z.record(z.string(), z.unknown());

type Say = (ja: string, en: string) => string;

function partsOf(page: Page, say: Say) {
  return {
    approve: page.getByRole("button", { name: say("承認", "Approve"), exact: true }),
    reject: page.getByRole("button", { name: say("却下…", "Reject…") }),
    why: page.getByText(say("全文を読み込むまで承認できません", "You cannot approve it until")),
    again: page.getByRole("button", { name: say("再試行", "Try again"), exact: true }),
  };
}

/** The requests and decisions of this page. */
function asked(page: Page) {
  const decisions: unknown[] = [];
  const seen = { whole: 0, decisions };
  page.on("request", (request) => {
    if (WHOLE.test(request.url())) seen.whole++;
    if (request.url().endsWith("/decision")) decisions.push(request.postDataJSON());
  });
  return seen;
}

/** The daemon's answer with another text. */
async function withHash(route: Route, shownHash: string): Promise<void> {
  const response = await route.fetch();
  await route.fulfill({ response, json: { ...fields.parse(await response.json()), shownHash } });
}

test("a truncated approval has no approve button while its text is loaded, and when that fails", async ({
  calm,
  page,
  stage,
  say,
}) => {
  calm.expect(/ERR_FAILED/);
  const { daemon, rest } = await stage();
  const taskId = await rest.create(REQUEST);
  await rest.pending(taskId, "prompt");
  const { approve, reject, why, again } = partsOf(page, say);
  const seen = asked(page);
  const held = Promise.withResolvers<void>();
  await page.route(WHOLE, async (route) => {
    await held.promise;
    await route.abort();
  });
  await page.goto(`${daemon.url}/approvals`);

  await expect(why).toBeVisible();
  await expect(approve).toBeDisabled();
  await expect(reject).toBeEnabled();
  await page.keyboard.press("a");
  held.resolve();
  await expect(again).toBeVisible();
  await expect(why).toBeVisible();
  await expect(approve).toBeDisabled();
  await page.keyboard.press("a");
  await expectAccessible(page);
  await page.keyboard.press("r");
  const dialog = page.getByRole("dialog", { name: say("却下理由", "Reason for rejection") });
  await expect(dialog).toBeVisible();
  await page.keyboard.press("Escape");
  expect(seen.decisions).toEqual([]);

  await page.unroute(WHOLE);
  await again.click();
  await expect(approve).toBeEnabled();
  await expect(why).toHaveCount(0);
  await page.getByRole("button", { name: say("全文を見る", "Read in full") }).click();
  await expect(page.getByText("依頼の終わり").first()).toBeVisible();
  await approve.click();
  await rest.reach(taskId, ({ status }) => status !== "awaiting_prompt_approval", "an approval");
  expect(seen.decisions).toMatchObject([{ decision: "approve", version: 1 }]);
});

test("an extension does not load the text again, and the decision names the new version", async ({
  page,
  stage,
  say,
}) => {
  const { daemon, rest } = await stage({ config: { tasks: { approvalExpiry_ms: 3_600_000 } } });
  const taskId = await rest.create(REQUEST);
  const { approvalId } = await rest.pending(taskId, "prompt");
  const { approve } = partsOf(page, say);
  const seen = asked(page);
  await page.goto(`${daemon.url}/approvals`);
  await expect(approve).toBeEnabled();

  const expiresAt = await extend(rest, approvalId);
  await expect(page.locator(`time[datetime="${expiresAt}"]`).first()).toBeVisible();
  await approve.click();

  await rest.reach(taskId, ({ status }) => status !== "awaiting_prompt_approval", "an approval");
  expect(seen.whole).toBe(1);
  expect(seen.decisions).toMatchObject([{ decision: "approve", version: 2 }]);
});

test("an approval whose text changes while it is open is loaded again before it can be approved", async ({
  page,
  stage,
  say,
}) => {
  const { daemon, rest } = await stage({ config: { tasks: { approvalExpiry_ms: 3_600_000 } } });
  const taskId = await rest.create(REQUEST);
  const { approvalId } = await rest.pending(taskId, "prompt");
  const { approve, why, again } = partsOf(page, say);
  const seen = asked(page);
  await page.goto(`${daemon.url}/approvals`);
  await expect(approve).toBeEnabled();

  await page.route(BEGINNING, (route) => withHash(route, "another text"));
  await extend(rest, approvalId);
  // The loaded text is still the earlier one.
  await expect(again).toBeVisible();
  await expect(why).toBeVisible();
  await expect(approve).toBeDisabled();
  expect(seen.whole).toBe(2);

  await page.route(WHOLE, (route) => withHash(route, "another text"));
  await again.click();
  await expect(approve).toBeEnabled();
  await approve.click();
  await rest.reach(taskId, ({ status }) => status !== "awaiting_prompt_approval", "an approval");
  expect(seen.decisions).toMatchObject([{ decision: "approve", version: 2 }]);
});

async function extend(rest: Rest, approvalId: string): Promise<string> {
  const expiresAt = new Date(Date.now() + 48 * 3_600_000).toISOString();
  await rest.ask("POST", `/api/approvals/${approvalId}/extend`, { version: 1, expiresAt });
  return expiresAt;
}

test("the page of one approval has no buttons before its text is loaded", async ({
  page,
  stage,
  say,
}) => {
  const { daemon, rest } = await stage();
  const { approvalId } = await rest.pending(await rest.create(REQUEST), "prompt");
  const { approve, reject } = partsOf(page, say);
  const held = Promise.withResolvers<void>();
  await page.route(WHOLE, async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.goto(`${daemon.url}/approvals/${approvalId}`);

  await expect(page.getByText(say("読み込み中…", "Loading…"))).toBeVisible();
  expect(await approve.or(reject).count()).toBe(0);
  held.resolve();
  await approve.click();
  await expect(page.getByText(/(?:が承認 ·|Approved by)/)).toBeVisible();
});

test("the dashboard card of a truncated approval links to its page, and has no buttons", async ({
  page,
  stage,
  say,
}) => {
  const { daemon, rest } = await stage();
  await rest.pending(await rest.create(REQUEST), "prompt");
  const { approve, reject } = partsOf(page, say);
  await open(page, daemon.url);

  await page.getByRole("link", { name: say("全文を見る", "Read in full") }).hover();
  expect(await approve.or(reject).count()).toBe(0);
  await page.getByRole("link", { name: say("全文を見る", "Read in full") }).click();
  await expect(page).toHaveURL(/\/approvals\/apr-/);
  await expect(approve).toBeEnabled();
});
