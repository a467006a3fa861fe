import { constants } from "node:os";
import type { CommandEnd, CommandRun } from "../../app/ports/workspace-tools.ts";
import { runBounded, type BoundedEnd } from "../bounded-run.ts";
import { createLineTeller, createOutputTail } from "./output-tail.ts";

/** Set in the environment of every command, and inherited by all it starts. */
export const COMMAND_MARK = "KUROMAJUTSU_COMMAND_MARK";

const GRACE_MS = 5_000;
/** As a shell says that a command cannot be started. */
const NOT_STARTED = 127;

type Environment = Readonly<Record<string, string>>;

export async function runCommand(run: CommandRun, inherited: Environment): Promise<CommandEnd> {
  const tail = createOutputTail();
  const teller = run.onLine && createLineTeller(run.onLine);
  const end = await runBounded(
    {
      // One pipe for both keeps the order of the lines. It is the first line, so it also applies to
      // syntax errors of the rest.
      argv: ["sh", "-c", `exec 2>&1\n${run.command}`],
      cwd: run.directory,
      env: { ...inherited, ...run.variables, [COMMAND_MARK]: run.mark },
      stdin: "",
      timeoutMs: run.timeoutMs,
      maxBytes: Infinity,
      stopSignal: "SIGTERM",
      graceMs: GRACE_MS,
      onOutput(chunk) {
        tail.add(chunk);
        teller?.add(chunk);
      },
    },
    run.signal,
  );
  teller?.close();
  if (end.how === "not-started") tail.add(Buffer.from(end.stderrTail));
  return { exitCode: exitCodeOf(end), timedOut: end.how === "timeout", output: tail.text() };
}

function exitCodeOf({ how, exitCode, exitSignal }: BoundedEnd): number | null {
  if (how === "not-started") return NOT_STARTED;
  if (how !== "exited") return null;
  if (exitCode !== null) return exitCode;
  const signals: Readonly<Record<string, number>> = constants.signals;
  return 128 + (signals[exitSignal ?? ""] ?? 0);
}
