import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import MiniSearch from "minisearch";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildSite } from "../../scripts/site/build-site.ts";
import { PAGES } from "../../scripts/site/navigation.ts";
import { addressOf, type ReadPage } from "../../scripts/site/read-page.ts";
import { searchOptions } from "../../scripts/site/search-options.ts";
import type { Locale } from "../../src/domain/locale.ts";

const DOCS = fileURLToPath(new URL("../../docs", import.meta.url));
/** One page for both languages. */
const BILINGUAL = ["glossary"];

let folder: string;
let pages: readonly ReadPage[];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "docs-site-"));
  pages = await buildSite(folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const read = (address: string): string => readFileSync(join(folder, address), "utf8");

function isBroken(from: string, link: string): boolean {
  const [path = "", anchor] = link.split("#");
  const target = path === "" ? from : join(dirname(from), path);
  if (!existsSync(join(folder, target))) return true;
  return anchor !== undefined && !read(target).includes(` id="${decodeURIComponent(anchor)}"`);
}

test("every link and picture of the documents site leads to a page and a heading that exist", () => {
  const broken = pages.flatMap(({ page, locale }) => {
    const address = addressOf(page.file, locale);
    const links = [...read(address).matchAll(/ (?:href|src)="([^"]*)"/g)].map(([, to = ""]) => to);
    return links
      .filter((link) => !/^(?:[a-z]+:|#$)/.test(link) && isBroken(address, link))
      .map((link) => `${address}: ${link}`);
  });

  expect(broken).toEqual([]);
});

test("every document in docs/ is on the site", () => {
  const files = globSync("*.md", { cwd: DOCS }).map((file) => file.replace(/(?:\.ja)?\.md$/, ""));

  expect([...new Set(files)].toSorted()).toEqual(PAGES.map(({ file }) => file).toSorted());
});

test("every guide of the documents site is written in Japanese and in English", () => {
  const untranslated = pages.filter(({ locale, language }) => locale !== language);
  const english = untranslated.map(({ page }) => page.file);

  expect(english).toEqual(BILINGUAL);
});

test("the link of a Japanese page to its English twin leads to the English page", () => {
  expect(read("ja/tasks.html")).toContain('<a href="../tasks.html">English</a>');
});

test("a Japanese page of the site leads to Japanese pages, except for its English twin", () => {
  const away = pages
    .filter(({ locale }) => locale === "ja")
    .flatMap(({ page }) => {
      const address = addressOf(page.file, "ja");
      const [, text = ""] = /<main[^>]*>([\s\S]*)<\/main>/.exec(read(address)) ?? [];
      return [...text.matchAll(/<a href="\.\.\/([^"#]*)\.html/g)]
        .filter(([, to]) => to !== page.file)
        .map(([, to]) => `${address}: ${to}`);
    });

  // The table of results is written by a test, in English.
  expect(away).toEqual(["ja/runners.html: runner-facts"]);
});

test.each<[Locale, string, string]>([
  ["en", "human check", "tasks.html"],
  ["en", "KUROMAJUTSU_BIND", "configuration.html"],
  ["en", "rehersal", "rehearsal.html"],
  ["ja", "人の確認", "ja/tasks.html"],
  ["ja", "バックアップ", "ja/operations.html"],
])("the search of the site (%s) finds “%s” in %s", (locale, query, address) => {
  const index = MiniSearch.loadJSON(read(`search-${locale}.json`), searchOptions(locale));
  const found = index.search(query).slice(0, 12);

  expect(found.map(({ id }) => String(id).split("#")[0])).toContain(address);
});

test("the site loads nothing from elsewhere", () => {
  const foreign = pages.flatMap(({ page, locale }) => [
    ...read(addressOf(page.file, locale)).matchAll(
      /<(?:script|link|img)[^>]*(?:src|href)="https?:/g,
    ),
  ]);

  expect(foreign).toEqual([]);
});
