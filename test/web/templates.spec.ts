import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, open, test, type Page } from "./kit.ts";
import { expectAccessible, expectLaidOut } from "./kit/checks.ts";
import { aDaemon, type Daemon } from "./kit/daemon.ts";

const SCREENS = fileURLToPath(new URL("../../test-results/templates/", import.meta.url));

/** Files of a person's own: one with a problem, one with a hostile text. */
function ownTemplates(dataDir: string): void {
  const folder = join(dirname(dataDir), "templates");
  mkdirSync(folder);
  writeFileSync(join(folder, "broken.yaml"), "id: broken\nkind: tsk\n");
  writeFileSync(
    join(folder, "mine.yaml"),
    'id: mine\nkind: task\nname: "<b>Mine</b> \\u202Eevil"\ndescription: "{{x}} <script>alert(1)</script>"\nrequest: "Do {{x}}"\nvalues: [{ name: x }]\n',
  );
}

let daemon: Daemon;
test.beforeAll(async () => {
  daemon = await aDaemon({ prepare: ownTemplates });
});
test.afterAll(() => daemon.end());

async function look(page: Page, name: string): Promise<void> {
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme });
    await expectLaidOut(page);
    await expectAccessible(page, `${name} ${colorScheme}`);
    const { width = 0 } = page.viewportSize() ?? {};
    const path = `${SCREENS}${name}-${colorScheme}-${width}.png`;
    await page.screenshot({ path, fullPage: true, scale: "css" });
  }
}

test("the gallery shows every template, what it needs, and the files that are wrong", async ({
  page,
  say,
}) => {
  await open(page, daemon.url, "/templates");
  await expect(page.getByRole("article")).toHaveCount(8);
  await expect(page.getByText("<script>alert(1)</script>")).toBeVisible();
  await expect(
    page.getByText(say("「task」の間違いではありませんか", 'did you mean "task"')),
  ).toBeVisible();
  await expect(
    page.getByText(
      say("MCP サーバー hr が設定にありません", "The MCP server hr is not configured"),
    ),
  ).toBeVisible();
  await look(page, "gallery");

  await page.getByRole("radio", { name: say("職種", "Role") }).click();
  await expect(page.getByRole("article")).toHaveCount(2);
  await expect(page).toHaveURL(/kind=role/);
});

test("a person fills in a template, sees the text, and requests the task", async ({
  page,
  say,
}) => {
  await open(page, daemon.url);
  await page.keyboard.press("n");
  await page.getByRole("link", { name: say("テンプレートから選ぶ", "Choose a template") }).click();
  await page.getByRole("link", { name: say("週報", "Weekly report") }).click();
  const panel = page.getByRole("main");
  await page.getByRole("button", { name: say("期間", "Period") }).click();
  await page.getByRole("option", { name: say("先週", "last week") }).click();
  await page
    .getByRole("textbox", { name: say("必ず書くこと（省略可）", "What must be in it (optional)") })
    .fill("{{period}} 👩‍👧\n改行");
  await expect(panel.getByRole("region").getByText("{{period}} 👩‍👧")).toBeVisible();
  await look(page, "task");
  await page.getByRole("button", { name: say("この内容で依頼する", "Request this") }).click();

  await expect(page).toHaveURL(/\/tasks\/task-/);
  await expect(page.getByText(say("先週の週報", "report for last week")).first()).toBeVisible();
});

test("a group needs its values, starts with one press, and its page opens", async ({
  page,
  say,
}) => {
  await open(page, daemon.url, "/templates/research-implement-test");
  const start = page.getByRole("button", { name: say("グループを始める", "Start the group") });
  await expect(start).toBeDisabled();
  await page.getByRole("textbox", { name: say("作るもの", "What to build") }).fill("a greeting");
  await look(page, "group");
  await start.click();

  await expect(page).toHaveURL(/\/groups\/grp-/);
});

test("a role is reviewed as a change of the file before it is added", async ({
  page,
  say,
  stage,
}) => {
  const { daemon: own } = await stage();
  await open(page, own.url, "/templates/security-review");
  await look(page, "role");
  await page.getByRole("button", { name: say("職種を加える", "Add the role") }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText("security-review").first()).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: say("職種を加える", "Add the role") }).click();

  await expect(page).toHaveURL(/\/roles\/security-review/);
});

test("a finished task is saved as a template, and an id that is taken is overwritten only after asking", async ({
  page,
  say,
  stage,
  calm,
}) => {
  calm.expect(/status of 409/);
  const { daemon: own, rest } = await stage();
  const taskId = await rest.start("Write a greeting");
  await rest.reach(taskId, ({ status }) => status === "completed", "the end");
  const save = async (id: string) => {
    await open(page, own.url, `/tasks/${taskId}`);
    await page
      .getByRole("button", { name: say("テンプレートとして保存", "Save as template") })
      .click();
    await page.getByRole("textbox", { name: /^ID/ }).fill(id);
  };
  await save("Not an id");
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("button", { name: say("保存する", "Save") })).toBeDisabled();
  await page.getByRole("textbox", { name: /^ID/ }).fill("greeting");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: say("保存する", "Save") }).click();
  await expect(page).toHaveURL(/\/templates\/greeting/);

  await save("greeting");
  await dialog.getByRole("button", { name: say("保存する", "Save") }).click();
  await dialog.getByRole("button", { name: say("上書きする", "Overwrite") }).click();
  await expect(page).toHaveURL(/\/templates\/greeting/);
});
