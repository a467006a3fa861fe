import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { brokenCli } from "../../../test/kit/broken-clis.ts";
import { aTempDir } from "../../../test/kit/tmp-dir.ts";
import { readVersion } from "./read-version.ts";

function aCliThat(script: string): string {
  const path = join(aTempDir(), "cli");
  writeFileSync(path, `#!/bin/sh\n[ "$1" = --version ] || exit 9\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

test.each([
  ["2.1.325 (Claude Code)", "2.1.325"],
  ["codex-cli 0.166.0", "0.166.0"],
  ["2026.09.18-7ae6800", "2026.09.18-7ae6800"],
  ["\u001b[1mopencode\u001b[0m v1.18.33", "1.18.33"],
  ["no version here", undefined],
])("readVersion finds the version in %j", async (output, version) => {
  expect(await readVersion(aCliThat(`echo '${output}'`))).toBe(version);
});

test("readVersion returns undefined for a CLI that fails, hangs or is missing", async () => {
  expect(await readVersion(aCliThat("echo 'needs node 22.0'; exit 1"))).toBeUndefined();
  expect(await readVersion(join(brokenCli("hangs"), "agent"), 200)).toBeUndefined();
  expect(await readVersion("/nowhere/cli")).toBeUndefined();
});
