import { runBounded } from "../bounded-run.ts";

export type ProgramRun = {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly stdin?: string;
  readonly timeoutMs?: number;
};

export type ProgramEnd = {
  readonly isOk: boolean;
  readonly stdout: string;
  /** What the program said about its failure, or why it did not run to its end. */
  readonly problem: string;
};

const TIMEOUT_MS = 60_000;
const MAX_BYTES = 64 * 1_048_576;

/** Runs git, gh or glab, bounded in time and output. Never rejects. */
export async function runProgram(run: ProgramRun): Promise<ProgramEnd> {
  const { timeoutMs = TIMEOUT_MS } = run;
  const chunks: Buffer[] = [];
  const end = await runBounded({
    argv: run.argv,
    cwd: run.cwd,
    env: run.env,
    stdin: run.stdin ?? "",
    timeoutMs,
    maxBytes: MAX_BYTES,
    stopSignal: "SIGTERM",
    onOutput: (chunk) => void chunks.push(chunk),
  });
  const stdout = Buffer.concat(chunks).toString("utf8");
  const isOk = end.how === "exited" && end.exitCode === 0;
  return {
    isOk,
    stdout,
    problem: isOk ? "" : problemOf(run.argv, end.how, end.stderrTail, timeoutMs),
  };
}

function problemOf(
  [program = ""]: readonly string[],
  how: string,
  stderr: string,
  timeoutMs: number,
): string {
  const said = stderr.trim();
  if (how === "timeout") return `${program} did not end within ${timeoutMs / 1_000} s. ${said}`;
  if (how === "flooded") return `${program} wrote too much output.`;
  return said === "" ? `${program} failed without a word.` : said;
}

/**
 * Settings with the highest precedence, for git and for every git that gh and glab start: nothing of
 * the repository's configuration runs.
 */
export function guardedGit(
  environment: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const settings = [
    ["core.hooksPath", "/dev/null"],
    ["core.fsmonitor", "false"],
    ["core.pager", "cat"],
  ];
  return {
    ...environment,
    LC_ALL: "C.UTF-8",
    GIT_TERMINAL_PROMPT: "0",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_ALLOW_PROTOCOL: "file:git:http:https:ssh",
    GIT_ASKPASS: "",
    SSH_ASKPASS: "",
    GIT_EDITOR: "false",
    GIT_CONFIG_COUNT: String(settings.length),
    ...Object.fromEntries(
      settings.flatMap(([key = "", value = ""], at) => [
        [`GIT_CONFIG_KEY_${at}`, key],
        [`GIT_CONFIG_VALUE_${at}`, value],
      ]),
    ),
  };
}
