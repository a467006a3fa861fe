import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { aTempDir } from "../../test/kit/tmp-dir.ts";
import { findCommandName } from "./command-name.ts";

function anInstallation() {
  const root = aTempDir();
  const program = join(root, "lib", "kuromajutsu.js");
  mkdirSync(join(root, "lib"));
  writeFileSync(program, "");
  const linkIn = (folder: string) => {
    mkdirSync(join(root, folder), { recursive: true });
    symlinkSync(program, join(root, folder, "kuromajutsu"));
    return join(root, folder);
  };
  return { root, program, linkIn };
}

test("the command is kuromajutsu when PATH leads to this installation", () => {
  const { program, linkIn, root } = anInstallation();
  const path = `${join(root, "missing")}:${linkIn("bin")}`;
  expect(findCommandName({ path, program })).toBe("kuromajutsu");
});

test("the command is npx kuromajutsu when PATH has no kuromajutsu", () => {
  const { program, root } = anInstallation();
  expect(findCommandName({ path: root, program })).toBe("npx kuromajutsu");
  expect(findCommandName({ path: undefined, program })).toBe("npx kuromajutsu");
});

test("the command is npx kuromajutsu when PATH leads to another installation", () => {
  const { program } = anInstallation();
  const path = anInstallation().linkIn("bin");
  expect(findCommandName({ path, program })).toBe("npx kuromajutsu");
});

test("a folder that npx adds to PATH for one run does not count", () => {
  const { program, linkIn } = anInstallation();
  const path = linkIn(join("node_modules", ".bin"));
  expect(findCommandName({ path, program })).toBe("npx kuromajutsu");
});
