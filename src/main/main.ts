import { usePrivateCompileCache } from "./process/compile-cache.ts";

const WINDOWS =
  "Kuromajutsu runs on Linux and macOS, and on Windows inside WSL 2. Native Windows is not supported yet.";

// No top-level await in this file: bin/kuromajutsu.js loads it with require().
usePrivateCompileCache();
void run(process.argv.slice(2)).catch(fail);

async function run(argv: readonly string[]): Promise<void> {
  if (process.platform === "win32") throw new Error(WINDOWS);
  // The shim is what clients wait for at every start: nothing else is loaded on its way.
  if (argv[0] === "mcp" && argv.length === 1) {
    const { runShim } = await import("./client/shim.ts");
    await runShim();
    process.exit();
  }
  const { runCommand } = await import("./run-command.ts");
  process.exitCode = await runCommand(argv);
}

function fail(error: unknown): never {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
