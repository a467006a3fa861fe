import { z } from "zod";
import { expect, lookingTest, open, test, type Page } from "./kit.ts";
import { aDaemon, type Daemon } from "./kit/daemon.ts";
import { seeded } from "./kit/seeded.ts";

/** The same text as in the rows `hidden` of kit/seed.ts. */
const HIDDEN = "safe\u{e0070}\u{e0061}\u202e\u200b\u007f\u009b\ufe01";
const SHOWN = "safe\\u{E0070}\\u{E0061}\\u{202E}\\u{200B}\\u{7F}\\u{9B}\\u{FE01}";
const KINDS = ["prompt", "process", "step", "unplanned", "outcome", "question"] as const;

/** Every text of the page, also scrolled out of sight and for screen readers only. */
function textsOf(page: Page): Promise<string> {
  return page.evaluate(() => {
    const said = [...document.querySelectorAll("[aria-label], [title]")].map(
      (each) => `${each.getAttribute("aria-label")} ${each.getAttribute("title")}`,
    );
    return [document.body.textContent, document.title, ...said].join("\n");
  });
}

async function expectNothingHidden(page: Page): Promise<void> {
  const texts = await textsOf(page);
  expect(texts).toContain(SHOWN);
  expect(Array.from(HIDDEN.slice("safe".length)).filter((each) => texts.includes(each))).toEqual(
    [],
  );
}

lookingTest.describe("invisible characters are written out", () => {
  let daemon: Daemon;
  lookingTest.beforeAll(async () => {
    daemon = await aDaemon(seeded("hidden"));
  });
  lookingTest.afterAll(() => daemon.end());

  for (const path of ["/", "/approvals", "/tasks", "/tasks?view=list", "/notifications"]) {
    lookingTest(`on ${path}`, async ({ page }) => {
      await open(page, daemon.url, path);
      await expect(page.locator("body")).toContainText(SHOWN);
      await expectNothingHidden(page);
    });
  }

  for (const kind of KINDS) {
    lookingTest(`an approval: ${kind}`, async ({ page }) => {
      await open(page, daemon.url, `/approvals/apr-${kind}`);
      await expectNothingHidden(page);
    });
  }

  lookingTest(
    "arguments: keys, values, and all of long lists and tables",
    async ({ page, say }) => {
      await open(page, daemon.url, "/approvals/apr-step");
      const more = (left: number) =>
        page.getByRole("button", {
          name: say(`さらに表示 (残り ${left} 件)`, `Show more (${left} left)`),
        });
      await expect(page.getByRole("term").filter({ hasText: SHOWN })).toBeVisible();
      await expect(page.getByRole("columnheader", { name: `late${SHOWN}` })).toBeVisible();
      await more(70).click();
      await more(101).click();
      await expect(page.getByRole("listitem").filter({ hasText: SHOWN })).toBeVisible();
      const last = page.getByRole("row").last();
      await expect(last).toContainText(SHOWN);
      await last.getByRole("button", { name: say("全文を見る", "Read in full") }).click();
      await expect(last).toContainText(`x${SHOWN}`);
      await page.getByText(say("JSON を見る", "Show JSON")).click();
      await expectNothingHidden(page);
    },
  );
});

test("the comparison of a changed tool shows every character, also invisible ones", async ({
  page,
  stage,
  say,
}) => {
  const { daemon } = await stage();
  const allowed = Array.from({ length: 3_000 }, (_, at) => (at === 2_999 ? HIDDEN : `v-${at}`));
  await page.route("**/api/gateway", (route) =>
    route.fulfill({ json: { servers: [aServerWith(allowed)] } }),
  );
  await open(page, daemon.url, "/system");
  await page.getByRole("button", { name: say("変更を確認…", "Review change…") }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("v-0");
  expect(await dialog.textContent()).not.toContain("v-2500");
  await dialog.getByRole("button", { name: say("さらに表示 (残り", "Show more (") }).click();
  await expect(dialog).toContainText(SHOWN);
  await expectNothingHidden(page);
});

function aServerWith(allowed: readonly string[]) {
  const definition = (values: readonly string[]) => ({
    name: "book",
    title: HIDDEN,
    description: HIDDEN,
    inputSchema: { type: "object", properties: { [HIDDEN]: { enum: values } } },
    outputSchema: null,
    annotations: null,
  });
  const tool = {
    ...definition(allowed),
    isReadOnly: false,
    hash: "after",
    isQuarantined: true,
    definition: definition(allowed),
    accepted: {
      hash: "before",
      definition: definition([]),
      acceptedBy: "system",
      at: "2026-01-01T00:00:00.000Z",
    },
  };
  const server = { name: "hr", transport: "stdio", status: "ready", error: HIDDEN, restarts: 0 };
  return { ...server, tools: [tool] };
}

test("an answer with invisible characters is shown written out and sent unchanged", async ({
  calm,
  page,
  stage,
}) => {
  calm.expect(/ERR_FAILED/);
  const { daemon } = await stage(seeded("hidden"));
  // The daemon has closed the approval, because no agent waits for the answer.
  await page.route("**/api/approvals/apr-question", async (route) => {
    const response = await route.fetch();
    const approval = z.record(z.string(), z.unknown()).parse(await response.json());
    await route.fulfill({ response, json: { ...approval, status: "pending" } });
  });
  const decided = Promise.withResolvers<unknown>();
  await page.route("**/api/approvals/apr-question/decision", async (route) => {
    decided.resolve(route.request().postDataJSON());
    await route.abort();
  });
  await open(page, daemon.url, "/approvals/apr-question");

  await page.getByRole("button", { name: SHOWN, exact: true }).click();

  expect(await decided.promise).toMatchObject({ decision: "approve", answer: HIDDEN });
});
