import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const DOCUMENTS = globSync(["*.md", "docs/**/*.md", "bench/*.md", "examples/**/*.md"], {
  cwd: ROOT,
  exclude: ["**/node_modules"],
});

const read = (file: string): string => readFileSync(join(ROOT, file), "utf8");

/** The anchors that GitHub makes of the headings. */
function anchorsOf(file: string): readonly string[] {
  return [...read(file).matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, "")
      .replaceAll(" ", "-"),
  );
}

function isBroken(from: string, link: string): boolean {
  const [path = "", anchor] = link.split("#");
  const target = path === "" ? from : join(dirname(from), path);
  if (!existsSync(join(ROOT, target))) return true;
  return anchor !== undefined && !anchorsOf(target).includes(anchor);
}

test.each(DOCUMENTS)("every link of %s leads to a file and a heading that exist", (file) => {
  const links = [...read(file).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = ""]) => link)
    .filter((link) => !/^[a-z]+:/.test(link));

  expect(links.filter((link) => isBroken(file, link))).toEqual([]);
});

test.each(DOCUMENTS)("every file that %s names exists", (file) => {
  const paths = [...read(file).matchAll(/`((?:src|web|test|docs|scripts|bench|bin)\/[\w./-]+)`/g)]
    .map(([, path = ""]) => path)
    .filter((path) => !path.includes("verb-noun") && !path.startsWith("docs/adr/0"));

  expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});
