import { resolve } from "node:path";
import { expect, test } from "vitest";
import { createCursorRunner } from "./cursor/runner.ts";
import { parseModels } from "./list-models.ts";

const KIT_BIN = resolve("test/kit/bin");

test("the Cursor runner returns the models that the CLI lists", async () => {
  const runner = createCursorRunner({ path: () => KIT_BIN });

  expect(await runner.models()).toEqual([
    "auto",
    "composer-1.5",
    "claude-4-sonnet",
    "gpt-5.2-codex",
    "opus-4.6-thinking",
  ]);
});

test.each([
  ["auto\nclaude-4-sonnet\n", ["auto", "claude-4-sonnet"]],
  ["Available models\n\ncomposer-1.5 - Composer 1.5  (current)\n", ["composer-1.5"]],
  ["Models:\n  * o3\n  - grok-4 (default)\n  ❯ gpt-5\n", ["o3", "grok-4", "gpt-5"]],
  ["\u001b[1mModels\u001b[0m\r\n\u001b[32mauto\u001b[39m — Auto\r\n", ["auto"]],
  ["opus-4.6[1m]   Opus\nvendor/model:free\tFree\n", ["opus-4.6[1m]", "vendor/model:free"]],
  ["auto\nauto\n", ["auto"]],
  ["Not logged in.\nPlease run agent login first\nLoading models…\n", []],
  ["No models available for this account.\n", []],
  ["", []],
])("parseModels reads models from %j", (output, expected) => {
  expect(parseModels(output)).toEqual(expected);
});
