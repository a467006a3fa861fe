import { homedir } from "node:os";
import { stripVTControlCharacters } from "node:util";
import { runBounded } from "../bounded-run.ts";

/** Gemini needs nearly ten seconds on a busy machine. */
const LIMIT_MS = 20_000;
const MAX_BYTES = 64 * 1024;
const VERSION = /\d+\.\d+(?:\.\d+)*(?:[-+][\w.-]+)?/;

/** The first version in the output of `<command> --version`; undefined: there is none, or it hangs. */
export async function readVersion(
  command: string,
  timeoutMs = LIMIT_MS,
): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  const { how, exitCode } = await runBounded({
    argv: [command, "--version"],
    env: process.env,
    // Not the temporary directory, where any user could put settings of the CLI.
    cwd: homedir(),
    stdin: "",
    timeoutMs,
    maxBytes: MAX_BYTES,
    stopSignal: "SIGTERM",
    onOutput: (chunk) => void chunks.push(chunk),
  });
  if (how !== "exited" || exitCode !== 0) return undefined;
  return VERSION.exec(stripVTControlCharacters(Buffer.concat(chunks).toString("utf8")))?.[0];
}
