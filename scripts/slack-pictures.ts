// Writes docs/images/slack/*.png, pictures of everything that Slack shows, in both languages:
// node scripts/slack-pictures.ts [name…]. A test fails when a card has changed since.
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "@playwright/test";
import { LOCALES } from "../src/domain/locale.ts";
import { pageHtml, shownHtml } from "../test/kit/slack/render/page.ts";
import { NOTICE_SAMPLES } from "../test/kit/slack/samples/answer-samples.ts";
import type { Sample } from "../test/kit/slack/samples/sample.ts";
import { SAMPLES } from "../test/kit/slack/samples/samples.ts";
import { BROWSER_ARGS, findBrowser } from "../test/web/browser.ts";
import { shrinkPng } from "./shrink-png.ts";

const FOLDER = new URL("../docs/images/slack/", import.meta.url);
/** The hash of the page of each picture. */
export const HASHES_FILE = new URL("pictures.json", FOLDER);
const PEOPLE = { U012HANA: "hana", U034KEN: "ken" };
/** The fonts are not part of the page: their addresses depend on the machine, its hash must not. */
const STYLE_SHEETS = [
  import.meta.resolve("@fontsource-variable/inter"),
  import.meta.resolve("@fontsource-variable/jetbrains-mono"),
  import.meta.resolve("@fontsource/noto-color-emoji/emoji.css"),
]
  .map((href) => `<link rel="stylesheet" href="${href}">`)
  .join("\n");

type Picture = { readonly name: string; readonly html: string };

/** One picture per card; the short answers share three. */
export function pictures(): readonly Picture[] {
  const cards = SAMPLES.filter((sample) => !NOTICE_SAMPLES.includes(sample));
  return [
    ...cards.map((sample) => pictureOf(sample.name, [sample])),
    pictureOf("answers", shortAnswers(/^(?:greeting|kuro-)/)),
    pictureOf("link-answers", shortAnswers(/^link-/)),
    pictureOf("refusals", shortAnswers(/^refusal-/)),
  ];
}

function shortAnswers(name: RegExp): readonly Sample[] {
  return NOTICE_SAMPLES.filter((sample) => name.test(sample.name));
}

/** One column per language. */
function pictureOf(name: string, samples: readonly Sample[]): Picture {
  const columns = LOCALES.map((locale) =>
    samples.map(({ show }) => shownHtml(show(locale), { locale, people: PEOPLE })).join("\n"),
  );
  return { name, html: pageHtml(columns) };
}

export function hashesOf(all: readonly Picture[]): string {
  const hashes = all.map(({ name, html: page }) => [
    name,
    createHash("sha256").update(page).digest("hex").slice(0, 16),
  ]);
  return `${JSON.stringify(Object.fromEntries(hashes), null, 2)}\n`;
}

async function draw(all: readonly Picture[], wanted: readonly string[]): Promise<void> {
  const { browser: found, problems } = await findBrowser();
  if (!found) throw new Error(["No browser starts here.", ...problems].join("\n"));
  const folder = mkdtempSync(join(tmpdir(), "slack-pictures-"));
  const browser = await chromium.launch({
    executablePath: found.path,
    args: [...BROWSER_ARGS, "--allow-file-access-from-files"],
    env: { ...process.env, ...found.env },
  });
  try {
    const page = await browser.newPage({ viewport: { width: 1_180, height: 600 } });
    for (const { name, html: body } of all) {
      if (wanted.length > 0 && !wanted.includes(name)) continue;
      const file = join(folder, `${name}.html`);
      writeFileSync(file, `${STYLE_SHEETS}\n${body}`);
      await page.goto(pathToFileURL(file).href);
      await page.evaluate("document.fonts.ready.then(() => undefined)");
      const picture = await page.locator("main").screenshot();
      writeFileSync(new URL(`${name}.png`, FOLDER), shrinkPng(picture));
    }
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

if (import.meta.main) {
  mkdirSync(FOLDER, { recursive: true });
  const all = pictures();
  await draw(all, process.argv.slice(2));
  writeFileSync(HASHES_FILE, hashesOf(all));
}
