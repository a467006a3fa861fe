import type { Locator, Page } from "@playwright/test";
import type { Locale } from "../../src/domain/locale.ts";
import type { Frame } from "./animate.ts";
import { requestOf } from "./scene.ts";

/** Asks, approves, checks, blocks, unblocks: the main story, as a person sees it. */
export async function recordStory(
  page: Page,
  url: string,
  locale: Locale,
): Promise<readonly Frame[]> {
  const frames: Frame[] = [];
  const say = (ja: string, en: string): string => (locale === "ja" ? ja : en);
  const shoot = async (ms: number): Promise<void> => {
    frames.push({ png: await page.screenshot({ animations: "disabled" }), ms });
  };
  const press = async (button: Locator, ms = 900): Promise<void> => {
    await button.first().scrollIntoViewIfNeeded();
    await button.first().hover();
    await shoot(ms);
    await button.first().click();
  };
  const button = (name: string | RegExp, within: Page | Locator = page) =>
    within.getByRole("button", { name, exact: typeof name === "string" });

  await page.goto(url);
  await button(say("新しいタスク", "New task")).first().waitFor();
  await shoot(1_200);
  await press(button(say("新しいタスク", "New task")), 300);
  const dialog = page.getByRole("dialog");
  const text = requestOf(locale);
  for (let length = 4; length < text.length + 4; length += 4) {
    await dialog.getByRole("textbox").first().fill(text.slice(0, length));
    await shoot(150);
  }
  await press(button(say("依頼する", "Request"), dialog), 800);
  const cards = page.getByRole("list", { name: say("タスクの経過", "Progress of the task") });
  const approve = button(say("承認", "Approve"), cards);
  await approve.first().waitFor();
  await shoot(1_600);
  await press(approve);
  await cards.getByText("write_rows_to_google_sheet").first().waitFor();
  await approve.first().waitFor();
  await shoot(1_600);
  await press(approve);
  await page.getByRole("table").first().waitFor();
  await approve.first().waitFor();
  await approve.first().scrollIntoViewIfNeeded();
  await shoot(2_400);
  await press(button(say("ブロックする", "Block")));
  await dialog.getByRole("textbox").first().fill(say("対象の部署を見直します", "Wrong department"));
  await shoot(1_200);
  await press(button(say("ブロックする", "Block"), dialog));
  await button(say("ブロック解除", "Unblock")).first().waitFor();
  await page.waitForTimeout(1_500);
  await shoot(2_400);
  await press(button(say("ブロック解除", "Unblock")));
  const confirm = button(say("ブロック解除", "Unblock"), dialog);
  if (await confirm.isVisible({ timeout: 1_000 }).catch(() => false)) await press(confirm, 700);
  await approve.first().waitFor({ timeout: 60_000 });
  await shoot(1_200);
  await press(approve);
  await page
    .locator("main header")
    .getByText(say("完了", "Completed"))
    .first()
    .waitFor({ timeout: 120_000 });
  await page.waitForTimeout(800);
  await shoot(3_000);
  return frames;
}
