import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { aTempDir } from "../../../../test/kit/tmp-dir.ts";
import { createGeminiRunner } from "../gemini/runner.ts";
import { createOpencodeRunner } from "./runner.ts";

/** A program that prints what it was asked and where it works. */
function aFolderWith(name: string): string {
  const folder = aTempDir();
  const file = join(folder, name);
  writeFileSync(
    file,
    '#!/bin/sh\n[ "$1" = models ] && [ "$PWD" = "$HOME" ] && printf "%s\\n" anthropic/claude-sonnet-4-5 mock/m1\n',
  );
  chmodSync(file, 0o755);
  return folder;
}

test("the Gemini and OpenCode CLIs are found on PATH", async () => {
  for (const [name, create] of [
    ["gemini", createGeminiRunner],
    ["opencode", createOpencodeRunner],
  ] as const) {
    const folder = aFolderWith(name);

    expect(await create({ path: () => folder }).detect()).toEqual({ command: join(folder, name) });
    expect(await create({ path: () => "/nowhere" }).detect()).toBeUndefined();
  }
});

test("OpenCode lists its models; Gemini has no command for it", async () => {
  const opencode = aFolderWith("opencode");
  const gemini = aFolderWith("gemini");

  expect(await createOpencodeRunner({ path: () => opencode }).models()).toEqual([
    "anthropic/claude-sonnet-4-5",
    "mock/m1",
  ]);
  expect(await createOpencodeRunner({ path: () => "/nowhere" }).models()).toBeUndefined();
  expect(await createGeminiRunner({ path: () => gemini }).models()).toBeUndefined();
});
