import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { CACHE } from "./installed.ts";
import { TableReporter } from "./table-reporter.ts";

/** The homes of the tests: not below /tmp, where Gemini ignores its settings. */
const HOMES = join(CACHE, "homes");
mkdirSync(HOMES, { recursive: true, mode: 0o700 });

/** The real CLIs against a mock LLM. They need minutes and a download, so `npm test` has none. */
export default defineConfig({
  root: fileURLToPath(new URL("../..", import.meta.url)),
  test: {
    name: "clis",
    include: ["test/clis/*.test.ts"],
    globalSetup: ["test/kit/build.ts"],
    env: { TMPDIR: HOMES },
    // One CLI at a time: some need a whole core and half a gigabyte.
    maxWorkers: 1,
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 300_000,
    reporters: ["default", new TableReporter()],
  },
});
