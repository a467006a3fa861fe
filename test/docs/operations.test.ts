import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { configSchema } from "../../src/contract/config/schema.ts";
import { COMMANDS } from "../../src/doors/cli/commands.ts";

const PAGES = ["docs/operations.md", "docs/operations.ja.md"] as const;

/** Options of every command that a page names: `kuromajutsu service install --print`. */
function commandsIn(page: string): readonly string[] {
  const text = readFileSync(page, "utf8");
  return [...text.matchAll(/kuromajutsu ((?:[a-z]+(?: |`|\n|$))[^`\n&;#]*)/g)].map(
    ([, line = ""]) => line.trim(),
  );
}

/** The words of a line that no command knows. */
function unknownIn(line: string): readonly string[] {
  const words = line.split(/\s+/);
  const command = COMMANDS.find(({ name }) =>
    name.split(" ").every((part, at) => words[at] === part),
  );
  if (!command) return [line];
  const known = Object.keys(command.options).map((name) =>
    name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
  );
  const options = words.filter((word) => word.startsWith("--")).map((word) => word.slice(2));
  return options.filter((option) => !known.includes(option)).map((option) => `${line}: ${option}`);
}

test.each(PAGES)("every command in %s exists, with its options", (page) => {
  const lines = commandsIn(page).filter((line) => /^[a-z]+(?: |$)/.test(line));

  expect(lines.length).toBeGreaterThan(10);
  expect(lines.flatMap(unknownIn)).toEqual([]);
});

test.each(PAGES)("every configuration in %s is valid", (page) => {
  const blocks = [...readFileSync(page, "utf8").matchAll(/```yaml\n([\s\S]*?)```/g)];
  expect(blocks.length).toBeGreaterThan(1);
  for (const [, text = ""] of blocks) {
    expect(configSchema.safeParse(parse(text)).error).toBeUndefined();
  }
});

test("both languages have the same commands and configurations", () => {
  const [en, ja] = PAGES.map((page) =>
    [...readFileSync(page, "utf8").matchAll(/```(\w*)\n([\s\S]*?)```/g)].map(
      ([, kind, text = ""]) => `${kind}\n${text.replaceAll(/\s*#.*$/gm, "")}`,
    ),
  );
  expect(ja).toEqual(en);
});
