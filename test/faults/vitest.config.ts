import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { ALL_ROUNDS } from "../kit/rounds.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Test files with more rounds than `npm test` runs. */
const SUITES = globSync("{src,test}/**/*.test.ts", { cwd: ROOT }).filter((path) =>
  readFileSync(join(ROOT, path), "utf8").includes('/kit/rounds.ts"'),
);

/** Without a PostgreSQL on the machine only these are skipped. */
const ON_POSTGRES = SUITES.filter((path) => path.includes("/postgres/"));
const OTHERS = SUITES.filter((path) => !ON_POSTGRES.includes(path));

/** The suites that `npm test` runs with fewer rounds, with all their rounds. */
export default defineConfig({
  root: ROOT,
  test: {
    env: { [ALL_ROUNDS]: "1" },
    maxWorkers: 2,
    globalSetup: ["test/kit/memory-folder.ts"],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    projects: [
      {
        extends: true,
        test: { name: "faults", include: OTHERS, globalSetup: ["test/kit/build.ts"] },
      },
      {
        extends: true,
        test: {
          name: "postgres",
          include: ON_POSTGRES,
          globalSetup: ["test/kit/build.ts", "test/kit/postgres/setup.ts"],
          setupFiles: ["test/kit/postgres/skip.ts"],
        },
      },
    ],
  },
});
