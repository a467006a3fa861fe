import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { ALL_ROUNDS } from "../kit/rounds.ts";

const SUITES = [
  "src/adapters/config/write-whole-file.test.ts",
  "src/adapters/git/killed-git.test.ts",
  "src/adapters/git/kills.test.ts",
  "src/adapters/log-file.test.ts",
  "src/adapters/store/sqlite/sqlite-store.test.ts",
  "src/adapters/supervisor/crash.test.ts",
  "src/app/agents/races.test.ts",
  "src/app/gateway/call-races.test.ts",
  "src/app/merges/merge-queue.test.ts",
  "src/app/merges/recover-merges.test.ts",
  "src/app/workspaces/growth.test.ts",
  "test/conformance/inspector.test.ts",
  "test/docker/dockerfile.test.ts",
  "test/docs/guide-commands.test.ts",
  "test/e2e/alerts.test.ts",
  "test/e2e/asked-twice.test.ts",
  "test/e2e/backup.test.ts",
  "test/e2e/blocked.test.ts",
  "test/e2e/demo.test.ts",
  "test/e2e/dev.test.ts",
  "test/e2e/fleet.test.ts",
  "test/e2e/hostile-upstream.test.ts",
  "test/e2e/hr-story.test.ts",
  "test/e2e/hundred-kills.test.ts",
  "test/e2e/isolation-attacks.test.ts",
  "test/e2e/isolation-kills.test.ts",
  "test/e2e/schedules.test.ts",
  "test/e2e/slack-story.test.ts",
  "test/e2e/task-kills.test.ts",
  "test/e2e/templates.test.ts",
];

/** Without a PostgreSQL on the machine only these are skipped. */
const POSTGRES_SUITES = [
  "test/postgres/move.test.ts",
  "test/postgres/servers/audit.test.ts",
  "test/postgres/servers/calls.test.ts",
  "test/postgres/servers/feed.test.ts",
  "test/postgres/servers/limits.test.ts",
  "test/postgres/servers/old-agents.test.ts",
  "test/postgres/servers/outage.test.ts",
  "test/postgres/workers/bundles.test.ts",
  "test/postgres/workers/done-when.test.ts",
  "test/postgres/workers/kills.test.ts",
  "test/postgres/workers/limits.test.ts",
];

/** The suites that `npm test` runs with fewer rounds, with all their rounds. */
export default defineConfig({
  root: fileURLToPath(new URL("../..", import.meta.url)),
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
        test: { name: "faults", include: SUITES, globalSetup: ["test/kit/build.ts"] },
      },
      {
        extends: true,
        test: {
          name: "postgres",
          include: POSTGRES_SUITES,
          globalSetup: ["test/kit/build.ts", "test/kit/postgres/setup.ts"],
          setupFiles: ["test/kit/postgres/skip.ts"],
        },
      },
    ],
  },
});
