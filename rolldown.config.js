import { defineConfig } from "rolldown";
import { builtinsOnDemand } from "./scripts/builtins-on-demand.js";
import { bundledLicences } from "./scripts/bundled-licences.js";

/** Eight programs, all flat in dist/: they find each other as siblings. */
export default defineConfig({
  input: {
    kuromajutsu: "src/main/main.ts",
    launcher: "src/adapters/supervisor/launcher/launcher.ts",
    rehearsal: "src/rehearsal/child.ts",
    feeder: "src/feeder/child.ts",
    "acp-host": "src/acp-host/child.ts",
    "codex-host": "src/codex-host/child.ts",
    "demo-hr": "examples/hr/server.js",
    "demo-code": "src/demo/code-server.ts",
  },
  platform: "node",
  // The main file of this package loads its parts in a way that cannot be bundled.
  resolve: { alias: { "jsonc-parser": "jsonc-parser/lib/esm/main.js" } },
  logLevel: "warn",
  plugins: [builtinsOnDemand(), bundledLicences()],
  output: {
    dir: "dist",
    format: "esm",
    minify: true,
    cleanDir: true,
    entryFileNames: "[name].js",
    chunkFileNames: "[name]-[hash].js",
    // In files of their own: with SQLite nothing of them is loaded, and commands that only read a
    // table of PostgreSQL load no job queue.
    codeSplitting: {
      groups: [
        {
          name: "pg",
          test: /[\\/]node_modules[\\/](?:pg|pg-(?!boss)[\w-]+|pgpass|postgres-[\w-]+)[\\/]/,
        },
        {
          name: "pg-boss",
          test: /[\\/]node_modules[\\/](?:pg-boss|cron-parser|luxon|rrule-temporal|temporal-\w+|serialize-error|non-error)[\\/]/,
        },
      ],
    },
  },
});
