import { defineConfig } from "rolldown";

/** Four programs; the two that must start in no time import nothing but Node. */
export default defineConfig({
  input: {
    kuromajutsu: "src/main/main.ts",
    launcher: "src/adapters/supervisor/launcher.ts",
    rehearsal: "src/adapters/runners/rehearsal/child.ts",
  },
  platform: "node",
  output: {
    dir: "dist",
    format: "esm",
    minify: true,
    cleanDir: true,
    entryFileNames: "[name].js",
    chunkFileNames: "chunks/[name]-[hash].js",
  },
});
