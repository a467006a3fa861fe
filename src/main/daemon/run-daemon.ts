import { nameCommands } from "../../base/command-name.ts";
import { messageIn } from "../../domain/spoken-error.ts";
import { writeWrapped } from "../../doors/cli/screen/wrap-text.ts";
import { localeHere } from "../cli/locale-here.ts";
import { ALREADY_RUNNING } from "../client/connect-or-start.ts";
import { commandName } from "../entries.ts";
import { holdLines } from "./hold-lines.ts";
import { toTerminal } from "./open-log.ts";
import type { Present } from "./present.ts";
import { AlreadyRunning, serve, type Serve } from "./serve.ts";

/** Runs the daemon in this process until a signal stops it. */
export async function runDaemon(options: Serve, wanted?: Present): Promise<number> {
  const held = wanted && holdLines(toTerminal);
  const daemon = await serve({ ...options, ...(held && { writeLine: held.write }) }).catch(
    async (error: unknown) => {
      held?.release();
      // A half-started daemon must not stay: its doors may already be open.
      // The log, which MCP clients quote too, is in English.
      const message = messageIn(error, options.background ? "en" : await localeHere());
      writeWrapped(process.stderr, `${nameCommands(message, commandName())}\n`);
      process.exit(options.background && error instanceof AlreadyRunning ? ALREADY_RUNNING : 1);
    },
  );
  const shown = daemon.isForPrograms ? undefined : wanted;
  let presented: { stop(): Promise<void> } | undefined;
  async function end(): Promise<void> {
    const { agents, storeProblem } = await daemon.status();
    await daemon.stop();
    await presented?.stop();
    if (shown && !storeProblem) {
      const { goodbye } = await import("../../doors/cli/serve/goodbye.ts");
      process.stderr.write(`\n${goodbye(agents, daemon.core.settings.locale)}\n`);
    }
    process.exit(0);
  }
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => void end());
  if (shown) {
    const { present } = await import("./present.ts");
    // It asks the database, which may be away for a moment: that must not end the daemon.
    presented = await present(daemon, shown).catch((error: unknown) => {
      daemon.core.log.warn("The welcome could not be shown.", { error: String(error) });
      return undefined;
    });
  }
  held?.release();
  return 0;
}
