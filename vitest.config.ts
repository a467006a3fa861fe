import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    globalSetup: ["test/kit/build.ts"],
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
