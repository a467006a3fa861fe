import { fileURLToPath } from "node:url";

/** The programs beside this one: TypeScript in a checkout, bundled JavaScript in `dist/`. */
const inSources = import.meta.url.endsWith(".ts");

function entry(source: string, bundled: string): string[] {
  const file = fileURLToPath(new URL(inSources ? source : bundled, import.meta.url));
  return [process.execPath, file];
}

export const launcherCommand = (): string[] =>
  entry("../adapters/supervisor/launcher.ts", "launcher.js");

export const rehearsalCommand = (): string[] =>
  entry("../adapters/runners/rehearsal/child.ts", "rehearsal.js");

/** The built dashboard; missing in a checkout that was never built. */
export const webFolder = (): string =>
  fileURLToPath(new URL(inSources ? "../../dist/web" : "web", import.meta.url));

/** What an MCP client starts, for the snippet people copy. */
export const shimCommand = (): string[] => [
  ...entry("../../bin/kuromajutsu.js", "../bin/kuromajutsu.js"),
  "mcp",
];
