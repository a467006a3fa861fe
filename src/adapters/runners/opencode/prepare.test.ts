import { chmodSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { aTempDir } from "../../../../test/kit/tmp-dir.ts";
import { createPreparation } from "./prepare.ts";

function aCli(): { readonly command: string; readonly log: string } {
  const folder = aTempDir();
  const [command, log] = [join(folder, "opencode"), join(folder, "log")];
  writeFileSync(command, `#!/bin/sh\necho "$@" >> ${log}\n`);
  chmodSync(command, 0o755);
  return { command, log };
}

test("OpenCode's database is opened once before runs that begin at the same time", async () => {
  const { command, log } = aCli();
  const prepare = createPreparation();

  await Promise.all([prepare(command), prepare(command), prepare(command)]);

  expect(readFileSync(log, "utf8")).toBe("db path\n");
});

test("OpenCode's database is opened again after an update of the CLI", async () => {
  const { command, log } = aCli();
  const prepare = createPreparation();

  await prepare(command);
  utimesSync(command, 1, 1);
  await prepare(command);

  expect(readFileSync(log, "utf8")).toBe("db path\ndb path\n");
});

test("an OpenCode that cannot be prepared is left to its runs", async () => {
  await expect(createPreparation()("/nowhere/opencode")).resolves.toBeUndefined();
});
