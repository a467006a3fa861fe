import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ROUTE_CONTRACTS } from "../../src/contract/routes/all.ts";

const PAGES = ["gateway", "rest-and-live"].flatMap((page) =>
  [".md", ".ja.md"].map((ending) => `docs/${page}${ending}`),
);

/** The lines that begin with curl, joined where a backslash continues them. */
function curlsIn(page: string): readonly string[] {
  return (
    readFileSync(page, "utf8")
      .replaceAll(/\\\n\s*/g, "")
      .match(/^curl .*$/gm) ?? []
  );
}

/** Why the daemon would refuse the request of a line; undefined if it would take it. */
function mistakeIn(line: string): string | undefined {
  const [, path = "", query = ""] = /\$URL(\/api\/[^\s"?]*)(?:\?([^\s"]*))?/.exec(line) ?? [];
  const [, data] = / -d '([^']*)'/.exec(line) ?? [];
  const [, method = data === undefined ? "GET" : "POST"] = / -X ([A-Z]+)/.exec(line) ?? [];
  const route = Object.values(ROUTE_CONTRACTS).find(
    (each) =>
      each.method.toUpperCase() === method &&
      new RegExp(`^${each.path.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(path),
  );
  if (!route) return `${method} ${path} is no route`;
  if (method !== "GET" && !/content-type: application\/json|x-kuromajutsu: 1/.test(line)) {
    return `${line} lacks a header`;
  }
  const parts = [
    route.query.safeParse(Object.fromEntries(new URLSearchParams(query))),
    route.body.safeParse(data === undefined ? undefined : JSON.parse(data)),
  ];
  return parts.find(({ success }) => !success)?.error?.message;
}

test.each(PAGES.filter((page) => curlsIn(page).length > 0))(
  "the daemon accepts every curl line of %s",
  (page) => {
    expect(curlsIn(page).flatMap((line) => mistakeIn(line) ?? [])).toEqual([]);
  },
);

test("a curl line with an unknown route, query or field is noticed", () => {
  const json = "-H 'content-type: application/json'";
  expect(mistakeIn("curl $URL/api/tosks")).toContain("no route");
  expect(mistakeIn('curl "$URL/api/agents?stotus=running"')).toContain("stotus");
  expect(mistakeIn(`curl $URL/api/tasks ${json} -d '{"request":"x"}'`)).toContain("request");
  expect(mistakeIn("curl -X POST $URL/api/groups/grp-1/stop")).toContain("header");
});
