import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";

const ours = (name: string) =>
  fileURLToPath(new URL(`./src/features/changes/diff/${name}`, import.meta.url));

/** What the dashboard has in the place of parts of @pierre/diffs. */
const REPLACED: Readonly<Record<string, string>> = {
  "shiki/langs": ours("languages.ts"),
  "@pierre/theming/themes": ours("themes.ts"),
};

/** Highlighters that are never asked for; one of them is compiled to WebAssembly, which the CSP forbids. */
const UNUSED = /^(?:shiki\/wasm|shiki\/engine\/oniguruma|@pierre\/highlights(?:\/.*)?)$/;
const EMPTY = "\0kuromajutsu:unused-highlighter";

/**
 * Keeps the viewer of diffs small: without this it adds about 440 chunks, 11 MB, to the build. It also
 * gives its style element a nonce and its button a name, see host-theme.ts and gutter-button.ts.
 */
export function trimDiffs(place: "page" | "worker"): Plugin {
  return {
    name: "trim-diffs",
    enforce: "pre",
    resolveId(source, importer) {
      if (!importer?.includes("@pierre/diffs")) return null;
      if (UNUSED.test(source)) return EMPTY;
      if (source.endsWith("/hostTheme.js")) return ours("host-theme.ts");
      if (source.endsWith("/createGutterUtilityElement.js")) return ours("gutter-button.ts");
      const replaced = REPLACED[source] ?? null;
      // The worker gets grammars and themes from the page.
      return replaced !== null && place === "worker" ? EMPTY : replaced;
    },
    load(id) {
      if (id !== EMPTY) return null;
      return [
        "export const themes = {};",
        "export const isSupportedLanguage = () => false;",
        "export const codeToTokens = () => { throw new Error('This highlighter is not built.'); };",
        "export const LiveTokenizer = codeToTokens;",
        "export const createOnigurumaEngine = codeToTokens;",
        "export default {};",
      ].join("\n");
    },
  };
}
