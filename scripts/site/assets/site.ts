import MiniSearch, { type SearchResult } from "minisearch";
import type { Locale } from "../../../src/domain/locale.ts";
import { searchOptions, type Passage } from "../search-options.ts";

const MAX_RESULTS = 12;
const SNIPPET = 90;
const locale: Locale = document.documentElement.lang === "ja" ? "ja" : "en";
const root = document.body.dataset["root"] ?? ".";

themeButton();
menuButton();
copyButtons();
search();

function themeButton(): void {
  document.querySelector("#theme")?.addEventListener("click", () => {
    const html = document.documentElement;
    const isDark =
      html.dataset["theme"] === "dark" ||
      (html.dataset["theme"] === undefined && matchMedia("(prefers-color-scheme: dark)").matches);
    html.dataset["theme"] = isDark ? "light" : "dark";
    try {
      localStorage.setItem("kuromajutsu.docs.theme", html.dataset["theme"]);
    } catch {
      // Without storage the choice holds until the page is reloaded.
    }
  });
}

function menuButton(): void {
  const button = document.querySelector("#menu");
  button?.addEventListener("click", () => {
    const isOpen = document.body.classList.toggle("menu-open");
    button.setAttribute("aria-expanded", String(isOpen));
  });
}

function copyButtons(): void {
  for (const block of document.querySelectorAll("main pre")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = document.body.dataset["copy"] ?? "";
    button.addEventListener("click", () => void copyBlock(block, button));
    block.append(button);
  }
}

async function copyBlock(block: Element, button: HTMLButtonElement): Promise<void> {
  const { copy = "", copied = "" } = document.body.dataset;
  await navigator.clipboard.writeText(block.querySelector("code")?.textContent ?? "");
  button.textContent = copied;
  setTimeout(() => (button.textContent = copy), 1_500);
}

function search(): void {
  const input = document.querySelector<HTMLInputElement>("#search");
  const list = document.querySelector<HTMLUListElement>("#results");
  if (!input || !list) return;
  let index: Promise<MiniSearch<Passage>> | undefined;
  let asked = 0;

  const close = () => {
    list.hidden = true;
    input.setAttribute("aria-expanded", "false");
  };
  const show = async () => {
    const query = input.value.trim();
    const mine = ++asked;
    if (query === "") return close();
    try {
      const found = (await (index ??= load())).search(query).slice(0, MAX_RESULTS);
      // A later key press has asked again meanwhile.
      if (mine !== asked) return;
      list.replaceChildren(
        ...(found.length > 0
          ? found.map((result) => itemOf(result, query))
          : [note(list.dataset["none"])]),
      );
    } catch {
      index = undefined;
      list.replaceChildren(note(list.dataset["failed"]));
    }
    list.hidden = false;
    input.setAttribute("aria-expanded", "true");
  };

  input.addEventListener("input", () => void show());
  input.addEventListener("focus", () => void show());
  document.addEventListener("click", ({ target }) => {
    if (target instanceof Node && !list.contains(target) && target !== input) close();
  });
  document.addEventListener("keydown", (event) => {
    const isTyping = document.activeElement instanceof HTMLInputElement;
    if (event.key === "/" && !isTyping) {
      event.preventDefault();
      input.focus();
    }
    if (event.key === "Escape") close();
    if ((event.key === "ArrowDown" || event.key === "ArrowUp") && !list.hidden) {
      event.preventDefault();
      move(input, list, event.key === "ArrowDown" ? 1 : -1);
    }
    if (event.key === "Enter" && document.activeElement === input) {
      list.querySelector<HTMLAnchorElement>("a")?.click();
    }
  });
}

async function load(): Promise<MiniSearch<Passage>> {
  const response = await fetch(`${root}/search-${locale}.json`);
  if (!response.ok) throw new Error(`The search index answered ${response.status}.`);
  return MiniSearch.loadJSON(await response.text(), searchOptions(locale));
}

function itemOf(result: SearchResult, query: string): HTMLLIElement {
  const link = document.createElement("a");
  link.href = `${root}/${String(result.id)}`;
  const heading = document.createElement("strong");
  heading.textContent =
    result["heading"] === result["page"]
      ? result["page"]
      : `${result["page"]} › ${result["heading"]}`;
  const text = document.createElement("small");
  text.textContent = snippet(String(result["text"]), [...result.terms, query]);
  link.append(heading, text);
  const item = document.createElement("li");
  item.setAttribute("role", "option");
  item.append(link);
  return item;
}

function note(text: string | undefined): HTMLLIElement {
  const item = document.createElement("li");
  item.className = "none";
  item.textContent = text ?? "";
  return item;
}

/** The text around the first word that was found. */
function snippet(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase();
  const places = words.map((word) => lower.indexOf(word.toLowerCase())).filter((at) => at >= 0);
  const from = Math.max(0, (places.length > 0 ? Math.min(...places) : 0) - SNIPPET / 3);
  return `${from > 0 ? "…" : ""}${text.slice(from, from + SNIPPET)}…`;
}

function move(input: HTMLInputElement, list: HTMLUListElement, by: 1 | -1): void {
  const links = [...list.querySelectorAll("a")];
  const at = links.findIndex((link) => link === document.activeElement);
  const next = links[at + by];
  if (next) next.focus();
  else if (by === -1) input.focus();
}
