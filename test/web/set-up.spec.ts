import { readFileSync } from "node:fs";
import { expect, open, test } from "./kit.ts";
import { expectAccessible } from "./kit/checks.ts";
import { aDaemon, type Daemon } from "./kit/daemon.ts";
import { restOf } from "./kit/rest.ts";

let daemon: Daemon;
test.beforeAll(async () => {
  daemon = await aDaemon();
});
test.afterAll(() => daemon.end());

test("a role is validated while it is edited, shown as a diff, and written to the file", async ({
  page,
  say,
}) => {
  await open(page, daemon.url, "/roles/impl-code");
  const name = page.getByRole("textbox", { name: say("表示名", "Display name") });
  await name.fill("");
  await expect(
    page.getByText(say("空にはできません。", "This must not be empty.")).first(),
  ).toBeVisible();
  const review = page.getByRole("button", {
    name: say("差分を確認して保存…", "Review and save…"),
  });
  await expect(review).toBeDisabled();
  await name.fill("大工 <b>");
  await expect(page.getByText(say("保存できます", "Ready to save"))).toBeVisible();
  await review.click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText("大工 <b>").first()).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: say("変更を保存", "Save changes") }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("大工 <b>");
  expect(readFileSync(daemon.configPath, "utf8")).toContain("大工 <b>");

  await page.goto(`${daemon.url}/roles`);
  await expect(page.getByText("大工 <b>").first()).toBeVisible();
});

test("the role editor asks for no preview while it saves", async ({ page, say }) => {
  await open(page, daemon.url, "/roles/impl-test");
  const name = page.getByRole("textbox", { name: say("表示名", "Display name") });
  await name.fill("検査係");
  await page.getByRole("button", { name: say("差分を確認して保存…", "Review and save…") }).click();
  const dialog = page.getByRole("dialog");
  const save = dialog.getByRole("button", { name: say("変更を保存", "Save changes") });
  await expect(save).toBeEnabled();
  let previews = 0;
  await page.route(/\/api\/roles\/impl-test/, async (route) => {
    if (route.request().url().includes("dryRun=true")) {
      previews++;
      return route.continue();
    }
    // The page learns of the new file by an event before the answer of the save arrives.
    const read = page.waitForResponse((response) => response.url().endsWith("/api/roles"));
    const response = await route.fetch();
    await read;
    return route.fulfill({ response });
  });
  await save.click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("検査係");
  expect(previews).toBe(0);
});

test("the form of a role shows a model of the runner of the role, not one of Cursor", async ({
  page,
  say,
  stage,
}) => {
  const { daemon: other } = await stage({ config: { agent: { runner: "claude" } } });
  const model = page.getByRole("combobox", { name: say("モデル", "Model"), exact: true });
  await open(page, other.url, "/roles/impl-code");
  await expect(model).toHaveValue("default");
  await model.focus();
  await expect(page.getByRole("option")).toHaveText([/^default/]);

  // A rehearsal takes any name.
  await open(page, daemon.url, "/roles/code-review");
  await expect(model).toHaveValue(/claude/);
});

test("leaving the role editor with an unsaved change asks first", async ({ page, say }) => {
  await open(page, daemon.url, "/roles/code-review");
  await page.getByRole("textbox", { name: say("説明", "Description") }).fill("ちがう説明");
  await page
    .getByRole("link", { name: say("タスク", "Tasks"), exact: false })
    .first()
    .click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: say("編集を続ける", "Keep editing") }).click();
  await expect(page).toHaveURL(/\/roles\/code-review$/);
  await expect(page.getByRole("textbox", { name: say("説明", "Description") })).toHaveValue(
    "ちがう説明",
  );
});

test("the health check page runs the check again, step by step", async ({ page, say }) => {
  await open(page, daemon.url, "/health");
  await page.getByRole("button", { name: say("すべて再実行", "Run all again") }).click();
  await expect(page.getByText("[1/3]")).toBeVisible();
  await expect(
    page.getByText(say("職種が利用可能です", "roles are available")).first(),
  ).toBeVisible({ timeout: 45_000 });
  // This daemon only rehearses, so no green mark says that a model has answered.
  const only = page.getByText(say("リハーサルのみ", "Rehearsal only"), { exact: true });
  await expect(only.first()).toBeVisible();
  await expect(page.getByText("OK", { exact: true })).toHaveCount(0);
  const one = page.getByRole("button", { name: say("を再実行", "again") }).last();
  await one.click();
  await expect(one).toBeEnabled({ timeout: 45_000 });
});

test("the history is exported as CSV that a spreadsheet reads safely", async ({ page, say }) => {
  const rest = restOf(daemon.url);
  const groupId = await rest.group('=1+1, 「引用」"');
  const [agentId = ""] = await rest.run(groupId, ["#rehearsal report success =HYPERLINK(1)"]);
  await rest.reachAgent(agentId, "resultReported");
  await open(page, daemon.url, "/history");
  await expect(page.getByText(agentId).first()).toBeVisible();
  await page.getByRole("button", { name: say("エクスポート", "Export") }).click();
  const download = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: /CSV/ }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/history-.*\.csv$/);
  const text = readFileSync(await file.path(), "utf8");
  expect(text.charCodeAt(0)).toBe(0xfeff);
  expect(text).toContain(agentId);
  // Text that begins like a formula must not become one.
  expect(text).not.toMatch(/(?:^|,)"?=/m);

  await page.getByRole("button", { name: say("エクスポート", "Export") }).click();
  const again = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: "JSON" }).click();
  const entries: unknown = JSON.parse(readFileSync(await (await again).path(), "utf8"));
  expect(entries).toEqual(expect.arrayContaining([expect.objectContaining({ agentId })]));
});

test("the audit page verifies that the audit is unchanged", async ({ page, say }) => {
  await restOf(daemon.url).create("記録に残る依頼");
  await open(page, daemon.url, "/audit");
  await expect(
    page.getByText(say("タスクを依頼しました", "requested a task")).first(),
  ).toBeVisible();
  await page.getByRole("button", { name: say("改ざんの有無を検証", "Verify") }).click();
  await expect(
    page.getByRole("status").getByText(say("改ざんはありません", "intact")),
  ).toBeVisible();
});

test("a new role says which fields are empty, and is made with its access and upstream tools", async ({
  page,
  say,
  stage,
}) => {
  const { daemon: own } = await stage({ servers: ["notes"] });
  await open(page, own.url, "/roles");
  await page.getByRole("button", { name: say("新しい職種", "New role") }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("status")).toHaveText(
    say(
      "未入力: 職種 ID、表示名、説明、モデル、システムプロンプト",
      "Still empty: Role ID, Display name, Description, Model, System prompt",
    ),
  );
  await dialog.getByLabel(say("職種 ID", "Role ID")).fill("gardener");
  await dialog.getByLabel(say("表示名", "Display name")).fill("庭師");
  await dialog.getByLabel(say("説明", "Description")).fill("庭を見る");
  await dialog.getByRole("combobox", { name: say("モデル", "Model"), exact: true }).fill("any");
  await dialog.getByLabel(say("システムプロンプト", "System prompt")).fill("庭を見てください。");
  await expect(dialog.getByRole("status")).toHaveText("");
  await dialog
    .getByRole("radio", { name: say("読み取りのみ", "Read only") })
    .check({ force: true });
  const tools = dialog.getByRole("combobox", {
    name: say("サーバーまたはツールを追加", "Add a server or a tool"),
  });
  await tools.fill("notes/list_notes");
  await page.getByRole("option", { name: /^notes\/list_notes/ }).click();
  await dialog.getByRole("button", { name: say("追加", "Add"), exact: true }).click();
  await expectAccessible(page, "the dialog of a new role");
  await dialog.getByRole("button", { name: say("差分を確認…", "Review…") }).click();
  await page.getByRole("button", { name: say("作成する", "Create role") }).click();
  await expect(page).toHaveURL(/\/roles\/gardener$/);
  const written = readFileSync(own.configPath, "utf8");
  expect(written).toContain("read-only");
  expect(written).toContain("notes/list_notes");
});
