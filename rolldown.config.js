import { defineConfig } from "rolldown";
import { builtinsOnDemand } from "./scripts/builtins-on-demand.js";

/** Four programs, all flat in dist/: they find each other as siblings. */
export default defineConfig({
  input: {
    kuromajutsu: "src/main/main.ts",
    launcher: "src/adapters/supervisor/launcher/launcher.ts",
    rehearsal: "src/rehearsal/child.ts",
    "acp-host": "src/acp-host/child.ts",
  },
  platform: "node",
  logLevel: "warn",
  plugins: [builtinsOnDemand()],
  output: {
    dir: "dist",
    format: "esm",
    minify: true,
    cleanDir: true,
    entryFileNames: "[name].js",
    chunkFileNames: "[name]-[hash].js",
  },
});
