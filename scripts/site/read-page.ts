import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path/posix";
import type { Element, Root, RootContent } from "hast";
import { toString } from "hast-util-to-string";
import rehypeSlug from "rehype-slug";
import rehypeStringify from "rehype-stringify";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import { unified } from "unified";
import { visit } from "unist-util-visit";
import type { Locale } from "../../src/domain/locale.ts";
import { PAGES, type Page } from "./navigation.ts";
import type { Passage } from "./search-options.ts";

export type Heading = { readonly id: string; readonly text: string };

export type ReadPage = {
  readonly page: Page;
  readonly locale: Locale;
  /** The document is in this language; English if there is one document for both. */
  readonly language: Locale;
  readonly title: string;
  readonly html: string;
  readonly headings: readonly Heading[];
  readonly passages: readonly Passage[];
  /** Paths below docs/ of the pictures that the page shows. */
  readonly pictures: readonly string[];
};

/** The address of a page, relative to the root of the site. */
export function addressOf(file: string, locale: Locale): string {
  return `${locale === "ja" ? "ja/" : ""}${file}.html`;
}

export function readPage(docs: string, page: Page, locale: Locale): ReadPage {
  const translated = `${page.file}.ja.md`;
  const isTranslated = locale === "ja" && existsSync(join(docs, translated));
  const source = isTranslated ? translated : `${page.file}.md`;
  const pictures: string[] = [];
  const place: Place = { docs, source, locale, here: addressOf(page.file, locale), pictures };
  const processor = unified()
    .use(remarkParse)
    .use(remarkGfm)
    .use(remarkRehype)
    .use(rehypeSlug)
    .use(() => (tree: Root) => adapt(tree, place));
  const tree = processor.runSync(processor.parse(readFileSync(join(docs, source), "utf8")));
  const title = toString(tree.children.find(isHeading(1)) ?? { type: "root", children: [] });
  return {
    page,
    locale,
    language: isTranslated || locale === "en" ? locale : "en",
    title: title === "" ? page.title[locale] : title,
    html: unified().use(rehypeStringify).stringify(tree),
    headings: tree.children
      .filter(isHeading(2))
      .map((node) => ({ id: idOf(node), text: toString(node) })),
    passages: passagesOf(tree, page.title[locale], place.here),
    pictures,
  };
}

type Place = {
  readonly docs: string;
  readonly source: string;
  readonly locale: Locale;
  readonly here: string;
  readonly pictures: string[];
};

const isElement = (node: RootContent): node is Element => node.type === "element";
const isHeading =
  (level: 1 | 2) =>
  (node: RootContent): node is Element =>
    isElement(node) && node.tagName === `h${level}`;
const idOf = (node: Element): string => node.properties["id"] ?? "";

function adapt(tree: Root, place: Place): void {
  const tables: Element[] = [];
  visit(tree, "element", (node, index, parent) => {
    if (node.tagName === "a") adaptLink(node, place);
    if (node.tagName === "table") tables.push(node);
    if (node.tagName !== "img" || !parent || index === undefined) return undefined;
    const shown = picture(node, place);
    parent.children.splice(index, 1, ...shown);
    return index + shown.length;
  });
  for (const table of tables) makeScrollable(table);
}

/** A wide table scrolls inside the page; the keyboard reaches it, too. */
function makeScrollable(table: Element): void {
  const inner: Element = { ...table };
  table.tagName = "div";
  table.properties = { className: ["table"], tabIndex: 0 };
  table.children = [inner];
}

function adaptLink(node: Element, { docs, source, locale, here }: Place): void {
  const href = node.properties["href"] ?? "";
  if (/^[a-z]+:/.test(href)) {
    node.properties["rel"] = ["noreferrer"];
    return;
  }
  if (href.startsWith("#")) return;
  const [path = "", anchor] = href.split("#");
  const target = join(dirname(source), path);
  const page = PAGES.find(({ file }) => target === `${file}.md` || target === `${file}.ja.md`);
  if (page) {
    const language = languageOf(page, target, anchor, { docs, source, locale });
    const to = relative(dirname(here), addressOf(page.file, language));
    node.properties["href"] = anchor === undefined ? to : `${to}#${anchor}`;
    return;
  }
  // The target is in the repository, not on the site.
  node.tagName = "span";
  node.properties = { title: join("docs", target) };
}

/** A link without an anchor stays in the reader's language, except the one to the page's English twin. */
function languageOf(
  page: Page,
  target: string,
  anchor: string | undefined,
  { docs, source, locale }: Pick<Place, "docs" | "source" | "locale">,
): Locale {
  if (target.endsWith(".ja.md")) return "ja";
  if (source === `${page.file}.ja.md`) return "en";
  return hasAnchor(docs, page, anchor) ? locale : "en";
}

/** Anchors are made of headings, which differ in a translated document. */
function hasAnchor(docs: string, page: Page, anchor: string | undefined): boolean {
  return anchor === undefined || !existsSync(join(docs, `${page.file}.ja.md`));
}

/** `name-light.png` is shown with its twin `name-dark.png`, each in its theme. */
function picture(node: Element, { docs, source, here, pictures }: Place): Element[] {
  const path = join(dirname(source), node.properties["src"] ?? "");
  const dark = path.replace(/-light(\.\w+)$/, "-dark$1");
  const twins = dark !== path && existsSync(join(docs, dark)) ? [path, dark] : [path];
  return twins.map((file, index) => {
    pictures.push(file);
    const src = relative(dirname(here), file);
    const className = twins.length === 2 ? [index === 0 ? "only-light" : "only-dark"] : [];
    return { ...node, properties: { ...node.properties, src, className, loading: "lazy" } };
  });
}

function passagesOf(tree: Root, page: string, address: string): readonly Passage[] {
  const passages: { id: string; page: string; heading: string; text: string }[] = [];
  let current = { id: address, page, heading: page, text: "" };
  for (const node of tree.children) {
    if (isElement(node) && /^h[2-4]$/.test(node.tagName)) {
      passages.push(current);
      current = { id: `${address}#${idOf(node)}`, page, heading: toString(node), text: "" };
    } else if (isElement(node) && node.tagName !== "h1") {
      current.text += ` ${toString(node)}`;
    }
  }
  return [...passages, current].map((passage) => ({
    ...passage,
    text: passage.text.replaceAll(/\s+/g, " ").trim(),
  }));
}
