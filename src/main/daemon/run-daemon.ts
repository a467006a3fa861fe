import { nameCommands } from "../../base/command-name.ts";
import { ALREADY_RUNNING } from "../client/connect-or-start.ts";
import { commandName } from "../entries.ts";
import { AlreadyRunning, serve, type Serve } from "./serve.ts";

/** Runs the daemon in this process until a signal stops it. */
export async function runDaemon(options: Serve): Promise<number> {
  const daemon = await serve(options).catch((error: unknown) => {
    // A half-started daemon must not stay: its doors may already be open.
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(`${nameCommands(message, commandName())}\n`);
    process.exit(options.background && error instanceof AlreadyRunning ? ALREADY_RUNNING : 1);
  });
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.on(signal, () => void daemon.stop().then(() => process.exit(0)));
  }
  if (!options.background) {
    const { welcome } = await import("./welcome.ts");
    process.stderr.write(welcome(await daemon.status(), await daemon.rehearsal()));
  }
  return 0;
}
