import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { aTempDir } from "../../../../test/kit/tmp-dir.ts";
import { createClaudeRunner } from "./runner.ts";

function claudeThat(script: string): string {
  const folder = aTempDir();
  const file = join(folder, "claude");
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return folder;
}

const ANSWER = {
  type: "control_response",
  response: {
    subtype: "success",
    request_id: "models",
    response: { models: [{ value: "default" }, { value: "opus" }, { displayName: "?" }] },
  },
};

test("the Claude runner returns the models that the CLI names to an SDK", async () => {
  const path = claudeThat(`grep -q initialize && echo '${JSON.stringify(ANSWER)}'`);

  expect(await createClaudeRunner({ path: () => path }).models()).toEqual(["default", "opus"]);
});

test.each([
  ["names none", "cat > /dev/null; echo '{}'"],
  ["answers in words", "echo 'error: unknown option --input-format' >&2; exit 1"],
  ["hangs", "exec sleep 60"],
])("the Claude runner cannot tell the models of a CLI that %s", async (_, script) => {
  const path = claudeThat(script);

  expect(
    await createClaudeRunner({ path: () => path, modelsTimeoutMs: 1_000 }).models(),
  ).toBeUndefined();
});
