import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { configSchema } from "../../src/contract/config/schema.ts";
import { ROUTE_CONTRACTS } from "../../src/contract/routes/all.ts";
import { commandsNamedIn, unknownIn } from "../kit/named-commands.ts";

const PAGES = ["alerts", "configuration", "docker", "gateway", "people", "rest-and-live", "slack"];
const WITH_YAML = ["alerts", "configuration", "gateway", "slack"];
const WITH_COMMANDS = ["alerts", "configuration", "gateway", "people", "rest-and-live", "slack"];
const LANGUAGES = [".md", ".ja.md"];

const read = (page: string): string => readFileSync(`docs/${page}`, "utf8");

function blocksOf(page: string): readonly string[] {
  return [...read(page).matchAll(/^ *```(\w*)\n([\s\S]*?)^ *```/gm)].map(
    ([, kind, text = ""]) => `${kind}\n${text}`,
  );
}

test.each(PAGES)("docs/%s.md has the same code in both languages", (page) => {
  const [en, ja] = LANGUAGES.map((ending) =>
    blocksOf(page + ending).map((block) => block.replaceAll(/\s*#.*$/gm, "")),
  );

  expect(ja).toEqual(en);
});

test.each(PAGES)("docs/%s.md has as many headings and rows in both languages", (page) => {
  const [en, ja] = LANGUAGES.map((ending) =>
    [...read(page + ending).matchAll(/^(?:#+(?= )|\||- )/gm)].map(([mark]) => mark),
  );

  expect(ja).toEqual(en);
});

test.each(WITH_YAML.flatMap((page) => LANGUAGES.map((ending) => page + ending)))(
  "every configuration in docs/%s is valid",
  (page) => {
    const blocks = blocksOf(page).filter((block) => block.startsWith("yaml\n"));
    expect(blocks.length).toBeGreaterThan(0);
    for (const block of blocks) {
      expect(configSchema.safeParse(parse(block.slice("yaml\n".length))).error).toBeUndefined();
    }
  },
);

test.each(WITH_COMMANDS.flatMap((page) => LANGUAGES.map((ending) => `docs/${page}${ending}`)))(
  "every command in %s exists, with its options",
  (page) => {
    const lines = commandsNamedIn(page);

    expect(lines.length).toBeGreaterThan(0);
    expect(lines.flatMap(unknownIn)).toEqual([]);
  },
);

/** `GET POST /api/tasks`; `…/events` continues the path before it, with GET unless it says another. */
function routesIn(row: string): readonly string[] {
  let base = "";
  return [...row.matchAll(/`((?:[A-Z]+ )*)(\/api\/|…\/)([^ `]*)[^`]*`/g)].flatMap(
    ([, methods = "", start, rest = ""]) => {
      const path = start === "…/" ? `${base}/${rest}` : `/api/${rest}`;
      if (start !== "…/") base = path;
      return (methods === "" ? "GET" : methods.trim())
        .split(" ")
        .map((method) => `${method} ${path}`);
    },
  );
}

test.each(LANGUAGES)("the table of docs/rest-and-live%s lists every route of REST", (ending) => {
  const rows = read(`rest-and-live${ending}`).match(/^\| `(?:GET|POST|PATCH)[^|]*\|/gm) ?? [];
  const routes = Object.values(ROUTE_CONTRACTS).map(
    ({ method, path }) => `${method.toUpperCase()} ${path}`,
  );

  expect(rows.flatMap(routesIn).toSorted()).toEqual(routes.toSorted());
});
