import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { aTempDir } from "../../../../test/kit/tmp-dir.ts";
import { createCodexRunner } from "./runner.ts";

function codexThat(script: string): string {
  const folder = aTempDir();
  const file = join(folder, "codex");
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return folder;
}

const ANSWER = {
  id: 2,
  result: {
    data: [
      { id: "gpt-6.1-sol", model: "gpt-6.1-sol", hidden: false },
      { id: "old", model: "old", hidden: true },
      { id: "gpt-5.5" },
    ],
  },
};

test("the Codex runner returns the models that the app server lists", async () => {
  // Like the real one, it answers after a while and exits at the end of its input.
  const script = `process.stdin.on("end", () => process.exit()).resume(); setTimeout(() => console.log(process.argv[1]), 300)`;
  const path = codexThat(`exec ${process.execPath} -e '${script}' '${JSON.stringify(ANSWER)}'`);

  expect(await createCodexRunner({ path: () => path }).models()).toEqual([
    "gpt-6.1-sol",
    "gpt-5.5",
  ]);
});

test.each([
  ["refuses", `echo '{"id":2,"error":{"code":-32601,"message":"no"}}'`],
  ["has no app server", "echo 'error: unrecognized subcommand' >&2; exit 2"],
  ["hangs", "exec sleep 60"],
])("the Codex runner cannot tell the models of a CLI that %s", async (_, script) => {
  const path = codexThat(script);

  expect(
    await createCodexRunner({ path: () => path, modelsTimeoutMs: 1_000 }).models(),
  ).toBeUndefined();
});
