import { nameCommands } from "../base/command-name.ts";
import { usePrivateCompileCache } from "./process/compile-cache.ts";

const WINDOWS =
  "Kuromajutsu runs on Linux and macOS, and on Windows inside WSL 2. Native Windows is not supported yet.";

// No top-level await in this file: bin/kuromajutsu.js loads it with require().
// A demo leaves nothing in the home of a person, so it does without the cache.
if (process.argv[2] !== "demo") usePrivateCompileCache();
void run(process.argv.slice(2)).catch(fail);

/** MCP clients wait for the shim and for the daemon it starts, so neither loads the CLI. */
async function run(argv: readonly string[]): Promise<void> {
  if (process.platform === "win32") throw new Error(WINDOWS);
  const [command, first, ...rest] = argv;
  // A person who types it gets an explanation; a client has no terminal.
  const isTyped = process.stdin.isTTY && process.stdout.isTTY;
  if (command === "mcp" && first === undefined && !isTyped) {
    const { runShim } = await import("./client/shim.ts");
    await runShim();
    process.exit();
  }
  // Before the first schema is created.
  await import("../base/plain-parsers.ts");
  process.exitCode =
    command === "serve" && first === "--background"
      ? await runBackground(rest)
      : await runCli(argv);
}

/** The command line of `spawnDaemon` in client/connect-or-start.ts. */
async function runBackground([flag, path]: readonly string[]): Promise<number> {
  const { runDaemon } = await import("./daemon/run-daemon.ts");
  return runDaemon({
    background: true,
    port: undefined,
    foundConfig: flag === "--no-found-config" ? null : path,
    conformance: false,
  });
}

async function runCli(argv: readonly string[]): Promise<number> {
  const [cli, { createCli }] = await Promise.all([
    import("../doors/cli/run-cli.ts"),
    import("./cli/create-cli.ts"),
  ]);
  return cli.runCli(argv, createCli());
}

async function fail(error: unknown): Promise<never> {
  const { commandName } = await import("./entries.ts");
  const { messageIn } = await import("../domain/spoken-error.ts");
  const { localeHere } = await import("./cli/locale-here.ts");
  const message = messageIn(error, await localeHere());
  const { writeWrapped } = await import("../doors/cli/screen/wrap-text.ts");
  writeWrapped(process.stderr, `${nameCommands(message, commandName())}\n`);
  process.exit(1);
}
