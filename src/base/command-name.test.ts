import { expect, test } from "vitest";
import { nameCommands } from "./command-name.ts";

test("nameCommands puts the command that works here into backticks", () => {
  expect(nameCommands("Run `kuromajutsu user add <id>` or `kuromajutsu`.", "npx kuromajutsu")).toBe(
    "Run `npx kuromajutsu user add <id>` or `npx kuromajutsu`.",
  );
});

test("nameCommands leaves names of files and plain words alone", () => {
  const text = "Kuromajutsu reads `kuromajutsu.config.yaml`; kuromajutsu is its name.";
  expect(nameCommands(text, "npx kuromajutsu")).toBe(text);
});

test("nameCommands changes nothing where kuromajutsu is on PATH", () => {
  expect(nameCommands("`kuromajutsu stop`", "kuromajutsu")).toBe("`kuromajutsu stop`");
});

test("nameCommands finds a command behind the variables that it is given", () => {
  expect(nameCommands("`KUROMAJUTSU_TOKEN=kmj_… kuromajutsu tasks`", "npx kuromajutsu")).toBe(
    "`KUROMAJUTSU_TOKEN=kmj_… npx kuromajutsu tasks`",
  );
});
