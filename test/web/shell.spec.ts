import { expect, open, test } from "./kit.ts";

test("the palette", async ({ page, stage }) => {
  const { daemon } = await stage();
  await open(page, daemon.url);
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("dialog")).toBeVisible();
});
