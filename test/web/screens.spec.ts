import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { NOON } from "../kit/builders.ts";
import { expect, open, test, type Page } from "./kit.ts";
import { aDaemon, type Daemon } from "./kit/daemon.ts";
import { seeded } from "./kit/seeded.ts";

const FINGERPRINT = fileURLToPath(new URL("./__screens__/fingerprint.json", import.meta.url));
const PAGES = { dashboard: "/?view=all", task: "/tasks/task-01", approvals: "/approvals" } as const;

const OTHER = "skipped: other browser or fonts";

let daemon: Daemon;
test.beforeAll(async () => {
  daemon = await aDaemon(seeded("still"));
});
test.afterAll(() => daemon.end());

/** The browser and the fonts: with others the same page has a different screenshot. */
async function fingerprintOf(page: Page) {
  const glyphs = await page.evaluate(async () => {
    const canvas = new OffscreenCanvas(900, 80);
    const context = canvas.getContext("2d");
    if (!context) return "none";
    for (const [index, font] of [
      "16px Inter Variable",
      "16px sans-serif",
      "16px serif",
    ].entries()) {
      context.font = font;
      context.fillText("黒魔術 くろまじゅつ Kuromajutsu 0123456789 鬱 ｶﾅ 👩‍👧", 4, 20 + index * 24);
    }
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    const hash = await crypto.subtle.digest("SHA-256", data);
    return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, "0")).join("");
  });
  return { browser: page.context().browser()?.version() ?? "", glyphs };
}

/** Whether the stored screenshots were made with the same renderer; always true when updating them. */
async function isComparable(page: Page, isMaking: boolean): Promise<boolean> {
  const found = `${JSON.stringify(await fingerprintOf(page), null, 2)}\n`;
  if (isMaking) {
    mkdirSync(dirname(FINGERPRINT), { recursive: true });
    writeFileSync(FINGERPRINT, found);
  }
  return existsSync(FINGERPRINT) && readFileSync(FINGERPRINT, "utf8") === found;
}

const SCREENS = Object.entries(PAGES).flatMap(([name, path]) => [
  { name, path, theme: "dark" } as const,
  { name: `${name}-light`, path, theme: "light" } as const,
]);

for (const { name, path, theme } of SCREENS) {
  test(`the page ${name} looks like its screenshot`, async ({ page }, info) => {
    await page.emulateMedia({ colorScheme: theme });
    await page.clock.setFixedTime(NOON + 120_000);
    await open(page, daemon.url, path);
    if (await isComparable(page, info.config.updateSnapshots !== "none")) {
      await expect(page).toHaveScreenshot(`${name}.png`);
      return;
    }
    // Reporters do not print the reason of a skipped test.
    process.stdout.write(`${name}: ${OTHER}\n`);
    test.skip(true, OTHER);
  });
}
