import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { configSchema } from "../../src/contract/config/schema.ts";
import { commandsNamedIn, unknownIn } from "../kit/named-commands.ts";

const PAGES = ["docs/operations.md", "docs/operations.ja.md"] as const;

test.each(PAGES)("every command in %s exists, with its options", (page) => {
  const lines = commandsNamedIn(page);

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
