import { copyFileSync, cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import MiniSearch from "minisearch";
import { build } from "rolldown";
import { LOCALES } from "../../src/domain/locale.ts";
import { renderPage } from "./layout.ts";
import { PAGES } from "./navigation.ts";
import { addressOf, readPage, type ReadPage } from "./read-page.ts";
import { searchOptions } from "./search-options.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const ASSETS = fileURLToPath(new URL("assets", import.meta.url));
const DOCS = join(ROOT, "docs");

/** Writes the site into a folder and returns its pages. */
export async function buildSite(folder: string): Promise<readonly ReadPage[]> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const pages = LOCALES.flatMap((locale) => PAGES.map((page) => readPage(DOCS, page, locale)));
  for (const read of pages) {
    write(join(folder, addressOf(read.page.file, read.locale)), renderPage(read));
    for (const picture of read.pictures) copy(join(DOCS, picture), join(folder, picture));
  }
  for (const locale of LOCALES) {
    const index = new MiniSearch(searchOptions(locale));
    index.addAll(
      pages.filter((read) => read.locale === locale).flatMap(({ passages }) => passages),
    );
    write(join(folder, `search-${locale}.json`), JSON.stringify(index));
  }
  copy(join(ROOT, "web/public/icon.svg"), join(folder, "icon.svg"));
  for (const asset of ["site.css", "theme.js"]) copy(join(ASSETS, asset), join(folder, asset));
  await build({
    input: join(ASSETS, "site.ts"),
    platform: "browser",
    logLevel: "warn",
    output: { file: join(folder, "site.js"), format: "esm", minify: true },
  });
  return pages;
}

function write(file: string, content: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  if (from.endsWith("/")) cpSync(from, to, { recursive: true });
  else copyFileSync(from, to);
}
