import { defineConfig } from "vitest/config";

/** These tests start no process and keep no state outside themselves, so they can share a worker. */
const PURE = ["src/domain", "src/contract", "src/app", "web/src"].map((at) => `${at}/**/*.test.ts`);

export default defineConfig({
  test: {
    globalSetup: ["test/kit/build.ts"],
    // Most of their time the end-to-end tests wait for processes: one worker per core is not too many.
    maxWorkers: 2,
    // Only a test that hangs takes this long. The gate also runs on machines that do other work.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    projects: [
      { extends: true, test: { name: "pure", include: PURE, isolate: false } },
      {
        extends: true,
        test: {
          name: "all",
          include: ["src/**/*.test.ts", "test/**/*.test.ts"],
          exclude: [...PURE, "node_modules/**"],
        },
      },
    ],
  },
});
