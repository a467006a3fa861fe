import { fileURLToPath } from "node:url";
import optimizeLocales from "@react-aria/optimize-locales-plugin";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { bundledLicences } from "../scripts/bundled-licences.js";
import { trimDiffs } from "./trim-diffs.ts";

/** The dashboard, built into dist/web, which the daemon serves. */
export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  plugins: [
    { ...optimizeLocales.vite({ locales: ["ja-JP", "en-US"] }), enforce: "pre" },
    trimDiffs("page"),
    react(),
    tailwindcss(),
    bundledLicences(["@fontsource-variable/inter", "@fontsource-variable/jetbrains-mono"]),
  ],
  worker: { format: "es", plugins: () => [trimDiffs("worker")] },
  build: {
    outDir: fileURLToPath(new URL("../dist/web", import.meta.url)),
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 800,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // One chunk for what every visit needs and one for the first page. Otherwise there would be
          // fifty, and browsers load six at a time. Each chunk includes its imports.
          groups: [
            { name: "base", test: /web[\\/]src[\\/]main\.tsx$/, priority: 2 },
            { name: "home", test: /pages[\\/]dashboard[\\/]page\.tsx$/, priority: 1 },
          ],
        },
      },
    },
  },
});
