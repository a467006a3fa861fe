import { defineConfig } from "vitest/config";

/** These tests start no process, so they need no build. */
const PURE = ["src/domain", "src/contract", "src/app", "web/src"].map((at) => `${at}/**/*.test.ts`);

/** These tests need a PostgreSQL. A run without them starts no server. */
const POSTGRES = ["src/adapters/store/postgres", "src/adapters/jobs", "test/postgres"].map(
  (at) => `${at}/**/*.test.ts`,
);

export default defineConfig({
  test: {
    // End-to-end tests wait for processes and leases most of the time: three workers per core are not
    // too many.
    maxWorkers: 6,
    // Only a test that hangs takes this long. The gate also runs on machines that do other work.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    // No file keeps global state, so files share workers: half a second of CPU less for each.
    isolate: false,
    globalSetup: ["test/kit/memory-folder.ts"],
    projects: [
      { extends: true, test: { name: "pure", include: PURE } },
      {
        extends: true,
        test: {
          name: "all",
          globalSetup: ["test/kit/build.ts"],
          include: ["src/**/*.test.ts", "test/**/*.test.ts"],
          // test/clis has a configuration of its own.
          exclude: [...PURE, ...POSTGRES, "node_modules/**", "test/clis/**"],
        },
      },
      {
        extends: true,
        test: {
          name: "postgres",
          globalSetup: ["test/kit/build.ts", "test/kit/postgres/setup.ts"],
          setupFiles: ["test/kit/postgres/skip.ts"],
          include: POSTGRES,
        },
      },
    ],
  },
});
