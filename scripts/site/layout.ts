import { dirname, relative } from "node:path/posix";
import type { Locale } from "../../src/domain/locale.ts";
import { PAGES, SECTIONS, type Page } from "./navigation.ts";
import { addressOf, type ReadPage } from "./read-page.ts";

const TEXTS = {
  en: {
    search: "Search the documents",
    noResult: "Nothing found. Try another word.",
    failed: "The search could not be loaded. Reload the page.",
    contents: "On this page",
    menu: "Menu",
    skip: "Skip to the text",
    other: "日本語",
    previous: "Previous",
    next: "Next",
    theme: "Light or dark",
    copy: "Copy",
    copied: "Copied",
  },
  ja: {
    search: "ドキュメントを検索",
    noResult: "見つかりませんでした。別の言葉で試してください。",
    failed: "検索を読み込めませんでした。ページを再読み込みしてください。",
    contents: "このページの内容",
    menu: "メニュー",
    skip: "本文へ",
    other: "English",
    previous: "前へ",
    next: "次へ",
    theme: "ライト／ダーク",
    copy: "コピー",
    copied: "コピーしました",
  },
} as const;

export function renderPage(read: ReadPage): string {
  const { page, locale, html, title } = read;
  const texts = TEXTS[locale];
  const here = addressOf(page.file, locale);
  const to = (address: string): string => relative(dirname(here), address);
  const other: Locale = locale === "ja" ? "en" : "ja";
  return `<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} · ${locale === "ja" ? "黒魔術" : "Kuromajutsu"}</title>
<link rel="icon" href="${to("icon.svg")}" type="image/svg+xml">
<link rel="alternate" hreflang="${other}" href="${to(addressOf(page.file, other))}">
<script src="${to("theme.js")}"></script>
<link rel="stylesheet" href="${to("site.css")}">
<script type="module" src="${to("site.js")}"></script>
</head>
<body data-root="${to(".") || "."}" data-copy="${texts.copy}" data-copied="${texts.copied}">
<a class="skip" href="#text">${texts.skip}</a>
<header>
<button id="menu" type="button" aria-expanded="false" aria-controls="nav">${texts.menu}</button>
<a class="brand" href="${to(addressOf("index", locale))}"><span>黒魔術</span> Kuromajutsu</a>
<div class="search" role="search">
<input id="search" type="search" placeholder="${texts.search}" aria-label="${texts.search}" autocomplete="off" spellcheck="false" role="combobox" aria-expanded="false" aria-controls="results" aria-autocomplete="list">
<ul id="results" role="listbox" aria-label="${texts.search}" data-none="${texts.noResult}" data-failed="${texts.failed}" hidden></ul>
</div>
<a href="${to(addressOf(page.file, other))}" lang="${other}" hreflang="${other}">${texts.other}</a>
<button id="theme" type="button" aria-label="${texts.theme}" title="${texts.theme}">◐</button>
</header>
<div class="body">
<nav id="nav" aria-label="${texts.menu}">${navigation(page, locale, to)}</nav>
<main id="text"${read.language === locale ? "" : ` lang="${read.language}"`}>
${html}
${neighbours(page, locale, to)}
</main>
<aside aria-label="${texts.contents}">${contents(read)}</aside>
</div>
</body>
</html>
`;
}

type To = (address: string) => string;

function navigation(current: Page, locale: Locale, to: To): string {
  return SECTIONS.map(({ title, pages }) => {
    const links = pages.map((page) => {
      const mark = page === current ? ' aria-current="page"' : "";
      return `<li><a href="${to(addressOf(page.file, locale))}"${mark}>${escapeHtml(page.title[locale])}</a></li>`;
    });
    return `<h2>${escapeHtml(title[locale])}</h2><ul>${links.join("")}</ul>`;
  }).join("\n");
}

function neighbours(page: Page, locale: Locale, to: To): string {
  const at = PAGES.indexOf(page);
  const link = (other: Page | undefined, label: string): string =>
    other
      ? `<a href="${to(addressOf(other.file, locale))}"><small>${label}</small>${escapeHtml(other.title[locale])}</a>`
      : "<span></span>";
  const texts = TEXTS[locale];
  return `<div class="neighbours">${link(PAGES[at - 1], texts.previous)}${link(PAGES[at + 1], texts.next)}</div>`;
}

function contents({ headings, locale, language }: ReadPage): string {
  if (headings.length < 2) return "";
  const items = headings.map(({ id, text }) => `<li><a href="#${id}">${escapeHtml(text)}</a></li>`);
  return `<h2>${TEXTS[locale].contents}</h2><ul lang="${language}">${items.join("")}</ul>`;
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
