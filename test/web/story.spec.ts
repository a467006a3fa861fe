import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, open, test } from "./kit.ts";

const TOTALS = fileURLToPath(new URL("../../examples/hr/totals.js", import.meta.url));

test("a task from the welcome page to a written sheet, with a human check before the write", async ({
  page,
  stage,
  say,
}) => {
  const { daemon } = await stage({ servers: ["hr"] });
  await open(page, daemon.url, "/welcome");
  await page.getByRole("button", { name: say("新しいタスク", "New task") }).click();
  await page.getByRole("dialog").getByRole("textbox").first().fill("9月分の残業時間を集計して");
  await page.getByRole("button", { name: say("依頼する", "Request") }).click();
  await expect(page).toHaveURL(/\/tasks\/task-/);

  const cards = page.getByRole("list", { name: say("タスクの経過", "Progress of the task") });
  const approve = cards.getByRole("button", { name: say("承認", "Approve"), exact: true });
  await expect(cards.getByText("リハーサル").first()).toBeVisible();
  await approve.click();

  const checked = cards.getByText("write_rows_to_google_sheet").first();
  await expect(checked).toBeVisible();
  await expect(cards.getByText("calculate_overtime").first()).toBeVisible();
  await approve.click();

  await expect(
    page.getByText(say("ステップ 4 を実行してよいですか?", "Allow step 4?")),
  ).toBeVisible();
  await expect(page.getByRole("table").getByRole("row").nth(1)).toBeVisible();
  expect(() => readdirSync(daemon.output)).toThrow();
  await approve.click();

  const status = page
    .getByRole("banner")
    .or(page.locator("main header"))
    .getByText(say("完了", "Completed"));
  await expect(status.first()).toBeVisible({ timeout: 120_000 });
  await expect(page.getByText(say("実行完了", "Completed")).first()).toBeVisible();
  expect(sheetIn(daemon.output)).toEqual(totals());
});

function totals(): unknown {
  return JSON.parse(execFileSync(process.execPath, [TOTALS, "2026-09"], { encoding: "utf8" }));
}

/** The sheet's minutes by employee. */
function sheetIn(output: string): Record<string, number> {
  const [name = ""] = readdirSync(output).filter((file) => file.endsWith(".csv"));
  const [head = "", ...lines] = readFileSync(join(output, name), "utf8").trimEnd().split("\n");
  const columns = head.split(",");
  return Object.fromEntries(
    lines.map((line) => {
      const cells = line.split(",");
      const id = cells[columns.indexOf("employeeId")] ?? "";
      return [id, Number(cells[columns.indexOf("overtimeMinutes")])];
    }),
  );
}
