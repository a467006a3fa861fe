// Writes docs/images/readme: pictures of the dashboard in both languages and themes, and a recording
// of the main story, all from the real product: node scripts/readme-pictures.ts [ja|en]. Needs a build
// (`npm run build`), a browser and Japanese fonts.
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { chromium, type Browser, type Page } from "@playwright/test";
import { LOCALES, type Locale } from "../src/domain/locale.ts";
import { BROWSER_ARGS, findBrowser } from "../test/web/browser.ts";
import { aDaemon } from "../test/web/kit/daemon.ts";
import { restOf } from "../test/web/kit/rest.ts";
import { animate } from "./readme/animate.ts";
import { recordStory } from "./readme/record-story.ts";
import { fillScene } from "./readme/scene.ts";
import { shrinkPng } from "./shrink-png.ts";

const CHECKOUT = fileURLToPath(new URL("../", import.meta.url));
const FOLDER = fileURLToPath(new URL("../docs/images/readme/", import.meta.url));
const THEMES = ["light", "dark"] as const;
const WIDE = { width: 1_280, height: 1_000 };
const STORY = { width: 1_200, height: 760 };
const LANGUAGE = { ja: "ja-JP", en: "en-US" } as const;

async function start(): Promise<Browser> {
  const { browser, problems } = await findBrowser();
  if (!browser) throw new Error(["No browser starts here.", ...problems].join("\n"));
  return chromium.launch({
    executablePath: browser.path,
    args: BROWSER_ARGS,
    env: { ...process.env, ...browser.env },
  });
}

async function aProduct(locale: Locale) {
  return aDaemon({ servers: ["hr"], env: { LANG: `${LANGUAGE[locale].replace("-", "_")}.UTF-8` } });
}

/** The first page shows the command of this checkout; the picture shows one of an invented person. */
async function hideCheckout(page: Page): Promise<void> {
  await page.route("**/api/welcome", async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replaceAll(CHECKOUT, "/home/aoi/kuromajutsu/");
    await route.fulfill({ response, body });
  });
}

async function drawPictures(browser: Browser, locale: Locale): Promise<void> {
  const daemon = await aProduct(locale);
  try {
    const { held } = await fillScene(restOf(daemon.url), locale);
    for (const colorScheme of THEMES) {
      const context = await browser.newContext({
        viewport: WIDE,
        colorScheme,
        locale: LANGUAGE[locale],
      });
      const page = await context.newPage();
      for (const [name, path] of [
        ["home", "/"],
        ["check", `/tasks/${held}`],
      ] as const) {
        await page.goto(`${daemon.url}${path}`);
        await page.locator("main").waitFor();
        await page.waitForTimeout(1_500);
        const picture = await page.screenshot({ animations: "disabled" });
        writeFileSync(`${FOLDER}${name}.${locale}-${colorScheme}.png`, shrinkPng(picture));
      }
      await context.close();
    }
  } finally {
    await daemon.end();
  }
}

async function drawStory(browser: Browser, locale: Locale): Promise<void> {
  const daemon = await aProduct(locale);
  try {
    const page = await browser.newPage({
      viewport: STORY,
      colorScheme: "dark",
      locale: LANGUAGE[locale],
    });
    await hideCheckout(page);
    const frames = await recordStory(page, daemon.url, locale);
    writeFileSync(`${FOLDER}story.${locale}.png`, animate(frames));
  } finally {
    await daemon.end();
  }
}

mkdirSync(FOLDER, { recursive: true });
const wanted = LOCALES.filter((locale) => process.argv.length < 3 || process.argv.includes(locale));
const browser = await start();
try {
  for (const locale of wanted) {
    await drawPictures(browser, locale);
    await drawStory(browser, locale);
  }
} finally {
  await browser.close();
}
