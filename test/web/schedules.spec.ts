import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { expect, open, test } from "./kit.ts";
import { expectAccessible, expectLaidOut } from "./kit/checks.ts";

const SCREENS = new URL("../../test-results/screens/", import.meta.url).pathname;

test("a person adds a schedule with a preset, sees its next times, pauses it and requests it now", async ({
  page,
  say,
  stage,
}, { project }) => {
  const { daemon, rest } = await stage();
  await open(page, daemon.url, "/schedules");
  await expectAccessible(page, "empty");
  await page.getByRole("button", { name: say("新しいスケジュール", "New schedule") }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox").first().fill("今週の週報を書いて");
  const zone = dialog.getByRole("combobox", { name: say("タイムゾーン", "Time zone") });
  await zone.fill("Asia/Tokio");
  await expect(dialog).toContainText("Asia/Tokyo");
  await zone.fill("Asia/Tokyo");
  await page.keyboard.press("Tab");
  const cron = dialog.getByRole("textbox", { name: say("cron 式", "Cron expression") });
  await cron.fill("0 25 * * 1");
  await expect(dialog).toContainText(say("2 番目の項目（時）", "The hour (field 2)"));
  const add = dialog.getByRole("button", { name: say("追加する", "Add"), exact: true });
  await expect(add).toBeDisabled();
  await cron.fill("0 9 30 2 *");
  await expect(dialog).toContainText(say("一度も実行されません", "would never run"));
  await dialog.getByRole("button", { name: say("繰り返し", "Repeats") }).click();
  await page.getByRole("option", { name: say("毎週月曜日 9:00", "Every Monday at 9:00") }).click();
  await expect(cron).toHaveValue("0 9 * * 1");
  await expect(dialog.getByRole("status").getByRole("listitem")).toHaveCount(5);
  await expectAccessible(page, "form");
  await page.screenshot({ path: `${SCREENS}schedule-form-${project.name}.png` });
  await add.click();
  await expect(dialog).toHaveCount(0);

  const row = page.getByRole("listitem").filter({ hasText: "今週の週報を書いて" });
  await expect(row).toContainText(say("毎週月曜日 9:00", "Every Monday at 9:00"));
  await expect(row).toContainText(say("(月) 9:00", "Mon "));
  await expectLaidOut(page);
  await expectAccessible(page, "list");
  await page.screenshot({ path: `${SCREENS}schedules-list-${project.name}.png` });
  await row.getByRole("switch").click({ force: true });
  await expect(row).toContainText(say("一時停止", "Paused"));
  await row.getByRole("switch").click({ force: true });
  await expect(row).toContainText(say("次回", "Next"));

  await row.getByRole("link").click();
  await expect(page).toHaveURL(/\/schedules\/sch-/);
  await page.getByRole("button", { name: say("今すぐ依頼", "Request now") }).click();
  const run = page.getByRole("listitem").filter({ hasText: say("手動", "by hand") });
  await expect(run).toContainText(say("開始", "Started"));
  await expectLaidOut(page);
  await expectAccessible(page, "detail");
  await page.screenshot({ path: `${SCREENS}schedule-${project.name}.png`, fullPage: true });
  await run.getByRole("link").click();
  await expect(page).toHaveURL(/\/tasks\/task-/);
  await page
    .locator("main header")
    .getByRole("link", { name: say("スケジュール", "Schedule") })
    .click();
  await expect(page).toHaveURL(/\/schedules\/sch-/);

  await page.getByRole("button", { name: say("削除", "Remove") }).click();
  const question = page.getByRole("dialog");
  await question.getByRole("button", { name: say("削除", "Remove") }).click();
  await expect(page).toHaveURL(/\/schedules$/);
  expect(await rest.ask("GET", "/api/schedules")).toEqual({ schedules: [] });
});

test("a schedule that another terminal adds, changes and removes is shown live", async ({
  page,
  say,
  stage,
}) => {
  const { daemon, rest } = await stage();
  await open(page, daemon.url, "/schedules");
  await rest.ask("POST", "/api/schedules", {
    text: "毎朝の確認",
    cron: "0 9 * * *",
    timeZone: "Europe/Berlin",
  });
  const row = page.getByRole("listitem").filter({ hasText: "毎朝の確認" });
  await expect(row).toContainText("Europe/Berlin");
  await row.getByRole("link").click();
  await page.getByRole("button", { name: say("編集", "Edit") }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: say("cron 式", "Cron expression") }).fill("0 7 * * *");
  await dialog.getByRole("button", { name: say("保存する", "Save") }).click();
  await expect(page.locator("main")).toContainText(say("毎日 7:00", "Every day at 7:00"));
});

test("a person adds a schedule of a template with its values, and it says if the template is gone", async ({
  page,
  say,
  stage,
}, { project }) => {
  let folder = "";
  const { daemon, rest } = await stage({
    prepare: (dataDir) => {
      folder = join(dirname(dataDir), "templates");
      mkdirSync(folder);
      writeFileSync(
        join(folder, "notes.yaml"),
        "id: notes\nkind: task\nname: メモ\ndescription: D\nrequest: '{{what}}のメモを書いて'\nvalues: [{ name: what, label: { ja: 話題, en: Topic } }]\n",
      );
    },
  });
  await open(page, daemon.url, "/schedules");
  await page.getByRole("button", { name: say("新しいスケジュール", "New schedule") }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("radio", { name: say("テンプレートを使う", "A template") }).click();
  const add = dialog.getByRole("button", { name: say("追加する", "Add"), exact: true });
  await expect(add).toBeDisabled();
  await dialog.getByRole("button", { name: say("テンプレート", "Template") }).click();
  await expect(page.getByRole("option", { name: "三" })).toHaveCount(0);
  await page.getByRole("option", { name: "メモ" }).click();
  await expect(add).toBeDisabled();
  await dialog.getByRole("textbox", { name: say("話題", "Topic") }).fill("会議");
  await expectAccessible(page, "template form");
  await page.screenshot({ path: `${SCREENS}schedule-template-${project.name}.png` });
  await add.click();
  await expect(dialog).toHaveCount(0);

  await page.getByRole("listitem").filter({ hasText: "メモ" }).getByRole("link").click();
  await expect(page.locator("main")).toContainText("会議のメモを書いて");
  await expect(page.getByRole("link", { name: "notes" })).toBeVisible();
  await expect(page.locator("main")).toContainText("what = 会議");
  await expectLaidOut(page);
  await expectAccessible(page, "schedule of a template");
  await page.screenshot({ path: `${SCREENS}schedule-of-template-${project.name}.png` });
  await page.getByRole("button", { name: say("今すぐ依頼", "Request now") }).click();
  await expect(
    page.getByRole("listitem").filter({ hasText: say("手動", "by hand") }),
  ).toContainText(say("開始", "Started"));
  const { tasks } = z
    .looseObject({ tasks: z.array(z.looseObject({ request: z.string() })) })
    .parse(await rest.ask("GET", "/api/tasks"));
  expect(tasks.map(({ request }) => request)).toEqual(["会議のメモを書いて"]);

  rmSync(join(folder, "notes.yaml"));
  await page.reload();
  await page.getByRole("button", { name: say("編集", "Edit") }).click();
  await expect(dialog.getByRole("alert")).toContainText(
    say("テンプレート「notes」がありません", "The template “notes” does not exist"),
  );
  await expect(dialog.getByRole("button", { name: say("保存する", "Save") })).toBeDisabled();
});

test("the form of a schedule says that another person has changed it, and overwrites nothing", async ({
  page,
  say,
  stage,
}) => {
  const { daemon, rest } = await stage();
  const made = await rest.ask("POST", "/api/schedules", { request: "確認", cron: "0 9 * * *" });
  const { scheduleId } = z.looseObject({ scheduleId: z.string() }).parse(made);
  await open(page, daemon.url, `/schedules/${scheduleId}`);
  await page.getByRole("button", { name: say("編集", "Edit") }).click();
  const dialog = page.getByRole("dialog");
  const save = dialog.getByRole("button", { name: say("保存する", "Save") });
  const name = dialog.getByRole("textbox", { name: say("名前", "Name") });
  await name.fill("わたしの名前");
  await expect(save).toBeEnabled();
  await rest.ask("PATCH", `/api/schedules/${scheduleId}`, { name: "ほかの人の名前" });

  await expect(dialog.getByRole("alert")).toContainText(
    say("開いている間に、このスケジュールが変更されました", "was changed while you edited it"),
  );
  await expect(save).toBeDisabled();
  await expectAccessible(page, "changed meanwhile");
  await dialog
    .getByRole("button", { name: say("最新の内容を読み込む", "Load the current content") })
    .click();
  await expect(name).toHaveValue("ほかの人の名前");
  await name.fill("わたしの名前");
  await save.click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("わたしの名前");
});
