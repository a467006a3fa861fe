import { fileURLToPath } from "node:url";
import optimizeLocales from "@react-aria/optimize-locales-plugin";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const daemon = process.env["KUROMAJUTSU_URL"] ?? "http://127.0.0.1:9696";

/** The dashboard, built into dist/web, which the daemon serves. */
export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  plugins: [
    { ...optimizeLocales.vite({ locales: ["ja-JP", "en-US"] }), enforce: "pre" },
    react(),
    tailwindcss(),
  ],
  build: {
    outDir: fileURLToPath(new URL("../dist/web", import.meta.url)),
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 800,
  },
  server: {
    host: "127.0.0.1",
    proxy: {
      "/api": daemon,
      "/mcp": daemon,
      "/ws": { target: daemon, ws: true },
    },
  },
});
