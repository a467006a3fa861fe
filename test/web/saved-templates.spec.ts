import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, open, type Page, speak, test } from "./kit.ts";
import { expectGood } from "./kit/checks.ts";
import { aDaemon, type Daemon } from "./kit/daemon.ts";
import { PEOPLE, signIn } from "./kit/people.ts";
import { aPostgres, type Postgres } from "./kit/postgres.ts";
import { restOf, type Rest } from "./kit/rest.ts";

const SCREENS = fileURLToPath(new URL("../../test-results/saved-templates/", import.meta.url));
const LONG_ID = "monthly-report-of-overtime-and-vacation1";

let postgres: Postgres | undefined;
let daemon: Daemon;
/** The second server, where people sign in. */
let guarded: Daemon;
let rest: Rest;
let taskId: string;

/** A person's own template, which is a file of this server. */
function ownTemplate(dataDir: string): void {
  const folder = join(dirname(dataDir), "templates");
  mkdirSync(folder);
  writeFileSync(
    join(folder, "mine.yaml"),
    "id: mine\nkind: task\nname: Mine\ndescription: Greets\nrequest: Greet\n",
  );
}

test.beforeAll(async () => {
  test.setTimeout(240_000);
  postgres = await aPostgres();
  if (!postgres) return;
  const env = { KUROMAJUTSU_DATABASE_URL: postgres.url };
  daemon = await aDaemon({ env, prepare: ownTemplate });
  guarded = await aDaemon({ config: { auth: { users: PEOPLE } }, env });
  rest = restOf(daemon.url);
  taskId = await rest.start("挨拶を書いてください");
  await rest.reach(taskId, ({ status }) => status === "completed", "the end");
});

test.afterAll(async () => {
  if (!postgres) return;
  await daemon.end();
  await guarded.end();
  await postgres.end();
});

test.beforeEach(() => test.skip(postgres === undefined, "No PostgreSQL runs on this machine."));

async function save(id: string): Promise<void> {
  await rest.ask("POST", "/api/templates", { taskId, id, name: "挨拶を書く", overwrite: false });
}

/** The button of the page, and the same one of the dialog. */
function removeButton(within: Pick<Page, "getByRole">, say: (ja: string, en: string) => string) {
  return within.getByRole("button", { name: say("削除", "Remove"), exact: true });
}

test("a saved template is removed from every server only after a person confirms it", async ({
  page,
  calm,
  say,
}) => {
  calm.expect(/status of 404/);
  await save(LONG_ID);
  await open(page, daemon.url, `/templates/${LONG_ID}`);
  await expect(
    page.getByText(say("データベースに保存され", "Saved in the database, for every server.")),
  ).toBeVisible();
  const remove = removeButton(page, say);
  const dialog = page.getByRole("dialog");
  await remove.click();
  await expect(
    dialog.getByRole("heading", {
      name: say(`テンプレート ${LONG_ID} を削除しますか?`, `Remove the template ${LONG_ID}?`),
    }),
  ).toBeVisible();
  await expect(dialog).toContainText(
    say("すべてのサーバーから削除されます。", "It is removed from every server."),
  );
  for (const language of ["ja", "en"] as const) {
    await page.keyboard.press("Escape");
    await expect(dialog).toHaveCount(0);
    await speak(page, language);
    await page.getByRole("button", { name: /^(?:削除|Remove)$/ }).click();
    await expect(dialog).toBeVisible();
    await expectGood(page, `${SCREENS}remove-${language}`);
  }
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
  await speak(page, say("ja", "en") === "ja" ? "ja" : "en");
  await expectGood(page, `${SCREENS}page`);

  await remove.click();
  await dialog.getByRole("button", { name: say("キャンセル", "Cancel") }).press("Enter");
  await expect(dialog).toHaveCount(0);
  await expect(remove).toBeFocused();
  await open(page, daemon.url, "/templates");
  await expect(page.getByRole("article").filter({ hasText: LONG_ID })).toBeVisible();

  await open(page, daemon.url, `/templates/${LONG_ID}`);
  await remove.click();
  await removeButton(dialog, say).click();
  await expect(page).toHaveURL(/\/templates$/);
  await expect(
    page.getByText(
      say(`テンプレート ${LONG_ID} を削除しました。`, `Removed the template ${LONG_ID}.`),
    ),
  ).toBeVisible();
  await expect(page.getByRole("article").first()).toBeVisible();
  await expect(page.getByRole("article").filter({ hasText: LONG_ID })).toHaveCount(0);
  await signIn(page.context(), guarded.url, "victor");
  await open(page, guarded.url, `/templates/${LONG_ID}`);
  await expect(page.getByRole("alert")).toContainText(
    say("このテンプレートは見つかりません。", "There is no template"),
  );
});

test("templates that are files, built in or a person's own, have no button that removes them", async ({
  page,
  say,
}) => {
  for (const id of ["mine", "weekly-report"]) {
    await open(page, daemon.url, `/templates/${id}`);
    await expect(
      page.getByRole("button", { name: say("この内容で依頼する", "Request this") }),
    ).toBeVisible();
    await expect(page.getByText(`templates/${id}.yaml`)).toBeVisible();
    await expect(removeButton(page, say)).toHaveCount(0);
  }
});

test("operators can remove a saved template, viewers cannot", async ({
  page,
  browser,
  context,
  calm,
  say,
}) => {
  await save("for-operators");
  await signIn(context, guarded.url, "victor");
  await open(page, guarded.url, "/templates/for-operators");
  await expect(
    page.getByText(say("テンプレートを使えるのは", "Only operators and admins can use")),
  ).toBeVisible();
  await expect(removeButton(page, say)).toHaveCount(0);

  const other = await browser.newContext();
  await calm.watch(other);
  await signIn(other, guarded.url, "bob");
  const second = await other.newPage();
  await open(second, guarded.url, "/templates/for-operators");
  await expect(removeButton(second, say)).toBeVisible();
  await other.close();
});

test("two people remove the same template at once: one removes it, the other learns that it is gone", async ({
  page,
  browser,
  calm,
  say,
}) => {
  calm.expect(/status of 404/);
  await save("for-two");
  const other = await browser.newContext();
  await calm.watch(other);
  const pages = [page, await other.newPage()];
  // Both press the button before the daemon receives either request.
  const both = Promise.withResolvers<void>();
  let waiting = 0;
  for (const each of pages) {
    await each.route("**/api/templates/for-two", async (route) => {
      if (route.request().method() === "DELETE") {
        if (++waiting === pages.length) both.resolve();
        await both.promise;
      }
      await route.continue();
    });
    await open(each, daemon.url, "/templates/for-two");
    await removeButton(each, say).click();
    await removeButton(each.getByRole("dialog"), say).click();
  }
  const said = await Promise.all(
    pages.map(async (each) => {
      await expect(each).toHaveURL(/\/templates$/);
      await expect(each.getByRole("dialog")).toHaveCount(0);
      await expect(each.getByRole("article").first()).toBeVisible();
      await expect(each.getByRole("article").filter({ hasText: "for-two" })).toHaveCount(0);
      return each.getByRole("status").getByText("for-two").textContent();
    }),
  );
  const expected = [
    say("テンプレート for-two を削除しました。", "Removed the template for-two."),
    say(
      "テンプレート for-two は、ほかの人がすでに削除しています。",
      "Another person has already removed the template for-two.",
    ),
  ];
  expect(new Set(said)).toEqual(new Set(expected));
  await other.close();
});

test("a removal that fails is explained, and the dialog stays open for another try", async ({
  page,
  calm,
  say,
}) => {
  calm.expect(/ERR_INTERNET_DISCONNECTED|WebSocket/);
  await save("for-later");
  await open(page, daemon.url, "/templates/for-later");
  await removeButton(page, say).click();
  const dialog = page.getByRole("dialog");
  await page.context().setOffline(true);
  await removeButton(dialog, say).click();
  await expect(
    page.getByText(say("デーモンに接続できません。", "The daemon is not responding.")),
  ).toBeVisible();
  await expect(dialog).toBeVisible();

  await page.context().setOffline(false);
  await removeButton(dialog, say).click();
  await expect(page).toHaveURL(/\/templates$/);
  await expect(page.getByRole("article").filter({ hasText: "for-later" })).toHaveCount(0);
});
