import { fileURLToPath } from "node:url";
import { findCommandName } from "./command-name.ts";

/** The programs beside this one: TypeScript in a checkout, bundled JavaScript in `dist/`. */
const inSources = import.meta.url.endsWith(".ts");

function entry(source: string, bundled: string, options: readonly string[] = []): string[] {
  const file = fileURLToPath(new URL(inSources ? source : bundled, import.meta.url));
  return [process.execPath, ...options, file];
}

/**
 * The launcher produces much short-lived garbage (rows of the process table) and keeps little. With
 * the default young generation (up to 3 × 16 MB) it grows by 30 MB that it never gives back.
 */
const LAUNCHER_OPTIONS = ["--max-semi-space-size=1"];

export const launcherCommand = (): string[] =>
  entry("../adapters/supervisor/launcher/launcher.ts", "launcher.js", LAUNCHER_OPTIONS);

export const rehearsalCommand = (): string[] => entry("../rehearsal/child.ts", "rehearsal.js");

export const feederCommand = (): string[] => entry("../feeder/child.ts", "feeder.js");

export const acpHostCommand = (): string[] => entry("../acp-host/child.ts", "acp-host.js");

export const codexHostCommand = (): string[] => entry("../codex-host/child.ts", "codex-host.js");

/** The MCP servers of `kuromajutsu demo`. */
export const demoHrCommand = (): string[] => entry("../../examples/hr/server.js", "demo-hr.js");

export const demoCodeCommand = (): string[] => entry("../demo/code-server.ts", "demo-code.js");

/** The sample data of the HR example; a folder of the package. */
export const hrDataFolder = (): string =>
  fileURLToPath(
    new URL(inSources ? "../../examples/hr/data" : "../examples/hr/data", import.meta.url),
  );

/** The built dashboard; missing in a checkout that was never built. */
export const webFolder = (): string =>
  fileURLToPath(new URL(inSources ? "../../dist/web" : "web", import.meta.url));

/** The ready templates; they are a folder of the package. */
export const templateFolder = (): string =>
  fileURLToPath(new URL(inSources ? "../../templates" : "../templates", import.meta.url));

const programFile = (): string =>
  fileURLToPath(
    new URL(inSources ? "../../bin/kuromajutsu.js" : "../bin/kuromajutsu.js", import.meta.url),
  );

/** The command line of this program, with absolute paths. */
export const ownCommand = (): string[] => [process.execPath, programFile()];

/** The command line of our MCP server, with absolute paths. */
export const shimCommand = (): string[] => [...ownCommand(), "mcp"];

/** The command line of a daemon, with absolute paths. */
export const serveCommand = (): string[] => [process.execPath, programFile(), "serve"];

/** npx keeps packages in a cache that it may empty, so their paths must not be written to files. */
export const isFromNpx = (): boolean => import.meta.url.includes("/_npx/");

let found: string | undefined;

/** How a person starts this program in a terminal; for every text that names a command. */
export const commandName = (): string =>
  (found ??= findCommandName({ path: process.env["PATH"], program: programFile() }));

/** The command line of our MCP server in the files of MCP clients. */
export const clientCommand = (): string[] =>
  isFromNpx() ? ["npx", "-y", "kuromajutsu", "mcp"] : shimCommand();
