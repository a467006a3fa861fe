import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { DemoStory } from "../../../src/contract/demo.ts";
import { expect, type Fixtures, open, type Page } from "../kit.ts";
import { expectAccessible, expectContrast, expectLaidOut } from "./checks.ts";

const PICTURES = fileURLToPath(new URL("../../../test-results/demo/", import.meta.url));

export type Walk = {
  readonly page: Page;
  readonly url: string;
  readonly story: DemoStory;
  readonly say: Fixtures["say"];
};

/** Follows the tour of a demo from the first page to the result, as a person would. */
export async function walkTour({ page, url, story, say }: Walk): Promise<void> {
  mkdirSync(PICTURES, { recursive: true });
  const name = say("ja", "en");
  async function look(stage: string): Promise<void> {
    await page.screenshot({ path: `${PICTURES}${name}-${story}-${stage}.png` });
    await expectAccessible(page, stage);
    await expectLaidOut(page);
  }
  const tour = page.getByRole("complementary", { name: say("ツアー", "Tour") });
  const at = (ja: string, en: string) =>
    expect(tour.getByRole("heading", { name: say(ja, en) })).toBeVisible();
  const approve = page.getByRole("button", { name: say("承認", "Approve"), exact: true });

  await open(page, url, "/");
  await expect(page.getByRole("heading", { name: say("ようこそ", "Welcome") })).toBeVisible();
  await look("start");
  const title = { hr: say("人事", "HR"), coding: say("コーディング", "Coding") }[story];
  await page.getByRole("button", { name: new RegExp(`^${title}`) }).click();

  await at("実行方針を承認する", "Approve the prompt");
  await look("prompt");
  await approve.click();
  await at("実行ステップを承認する", "Approve the steps");
  await look("process");
  await approve.click();
  await at("見守る", "Watch");
  await page.screenshot({ path: `${PICTURES}${name}-${story}-watch.png` });
  if (story === "hr") {
    await at("人が確認する", "Check it yourself");
    await expect(page.getByRole("table").first()).toBeVisible();
    await look("check");
    await approve.click();
  }
  await at("止めてみる", "Stop it");
  await look("block");
  await page.getByRole("button", { name: say("ブロックする", "Block"), exact: true }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox").fill(say("数字を確かめたい", "I want to check the figures"));
  await dialog.getByRole("button", { name: say("ブロックする", "Block"), exact: true }).click();
  await at("再開する", "Let it go on");
  await look("unblock");
  const unblock = page.getByRole("button", { name: say("ブロック解除", "Unblock"), exact: true });
  await unblock.first().click();
  await dialog.getByRole("button", { name: say("ブロック解除", "Unblock"), exact: true }).click();
  if (story === "coding") {
    await at("競合を決める", "Settle the conflict");
    await look("question");
    await page.getByRole("button", { name: /^tax/ }).click();
  }
  await at("完了しました", "Completed");
  await look("done");
  await page.emulateMedia({ colorScheme: "light" });
  await expectContrast(page, "done, light");
  await page.screenshot({ path: `${PICTURES}${name}-${story}-done-light.png` });

  // Left and resumed, also on another page.
  await tour.getByRole("button", { name: say("ツアーを閉じる", "Close the tour") }).click();
  await open(page, url, "/approvals");
  await tour.getByRole("button", { name: say("ツアーを続ける", "Resume the tour") }).click();
  await tour.getByRole("link", { name: say("タスクを開く", "Open the task") }).click();
  await at("完了しました", "Completed");
}
