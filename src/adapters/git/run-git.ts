import { spawn, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { stat, statfs } from "node:fs/promises";
import type { Variables } from "../../base/allowed-environment.ts";
import { compareVersions } from "../../base/compare-versions.ts";
import { isCode } from "../../base/error-code.ts";
import { explainExhausted } from "../exhausted.ts";
import { kill, newMark, PROBE_MARK } from "../marked-processes.ts";
import {
  diskFull,
  gitFailed,
  gitMissing,
  gitTimedOut,
  gitTooOld,
  OLDEST_GIT,
  repositoryGone,
} from "./refusals.ts";

export type GitCommand = {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Variables;
  /** Has the highest precedence. Passed in the environment, because a key may contain any letter. */
  readonly config?: readonly (readonly [key: string, value: string])[];
  readonly input?: string | Buffer;
  readonly timeoutMs?: number;
  readonly maxBytes?: number;
  /** The next daemon may kill it: it locks nothing of the user's. */
  readonly mayBeKilled?: boolean;
};

export type GitEnd = {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
  /** It wrote more than `maxBytes` and was killed. */
  readonly isCut: boolean;
};

export type RunGit = (command: GitCommand) => Promise<GitEnd>;

const TIMEOUT_MS = 60_000;
const MAX_BYTES = 256 * 1024 * 1024;
const MAX_STDERR = 64 * 1024;
const FULL = /No space left on device|Disk quota exceeded/;

/** git does not always say why it could not write a file. */
const NOT_WRITTEN =
  /unable to (write|create)|could(n't| not) (write|create)|write error|failed to write/i;
const NEARLY_FULL_BYTES = 16 * 1024 * 1024;

async function isFull(stderr: string, cwd: string): Promise<boolean> {
  if (FULL.test(stderr)) return true;
  if (!NOT_WRITTEN.test(stderr) || /File exists|Permission denied/.test(stderr)) return false;
  const disk = await statfs(cwd).catch(() => undefined);
  return disk !== undefined && disk.bavail * disk.bsize < NEARLY_FULL_BYTES;
}

/** A new mark per command: the pid and the start of this process are the same in all of them. */
let ownMark: string | undefined;
function mark(): string {
  ownMark ??= newMark("git");
  return `${ownMark}${randomBytes(4).toString("hex")}`;
}

/**
 * Runs git without a shell in its own process group, bounded in time and output. Any exit code is an
 * answer; what stands in the way of every command (git is missing or old, the disk is full, the
 * time is over) is a refusal.
 */
export function createRunGit(environment: Variables, program = "git"): RunGit {
  let isNewEnough: Promise<void> | undefined;

  async function checkVersion(): Promise<void> {
    const { stdout } = await runOnce(program, environment, {
      args: ["--version"],
      cwd: "/",
      env: {},
    });
    const version = /\d+\.\d+(\.\d+)?/.exec(stdout.toString("latin1"))?.[0] ?? "0.0";
    if (compareVersions(version, OLDEST_GIT) < 0) throw gitTooOld(version);
  }

  return async (command) => {
    isNewEnough ??= checkVersion();
    try {
      await isNewEnough;
    } catch (error) {
      // git may be installed or updated while the daemon runs.
      isNewEnough = undefined;
      throw error;
    }
    const end = await runOnce(program, environment, command);
    if (end.code !== 0 && (await isFull(end.stderr, command.cwd))) throw diskFull();
    return end;
  };
}

const KEPT = ["PATH", "HOME", "USER", "LOGNAME", "TMPDIR", "TZ", "XDG_CONFIG_HOME"];

function environmentOf(variables: Variables, command: GitCommand): Record<string, string> {
  const config = command.config ?? [];
  const all: Variables = {
    ...Object.fromEntries(KEPT.map((name) => [name, variables[name]])),
    LC_ALL: "C",
    GIT_TERMINAL_PROMPT: "0",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_LITERAL_PATHSPECS: "1",
    GIT_ATTR_NOSYSTEM: "1",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    // A missing object of a partial clone must not start a transport, and with it an ssh command.
    GIT_NO_LAZY_FETCH: "1",
    GIT_ALLOW_PROTOCOL: "none",
    GIT_PAGER: "cat",
    GIT_EDITOR: "false",
    GIT_ASKPASS: "",
    SSH_ASKPASS: "",
    ...command.env,
    ...(command.mayBeKilled ? { [PROBE_MARK]: mark() } : {}),
    GIT_CONFIG_COUNT: String(config.length),
    ...Object.fromEntries(config.map(([key], n) => [`GIT_CONFIG_KEY_${n}`, key])),
    ...Object.fromEntries(config.map(([, value], n) => [`GIT_CONFIG_VALUE_${n}`, value])),
  };
  return Object.fromEntries(
    Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

async function runOnce(
  program: string,
  environment: Variables,
  command: GitCommand,
): Promise<GitEnd> {
  const { args, cwd, input, timeoutMs = TIMEOUT_MS, maxBytes = MAX_BYTES } = command;
  let child: ChildProcess;
  try {
    child = spawn(program, args, {
      cwd,
      detached: true,
      env: environmentOf(environment, command),
      stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
    });
  } catch (error) {
    throw await whyNotStarted(args, cwd, error);
  }
  const output: Buffer[] = [];
  let bytes = 0;
  let stderr = "";
  let isCut = false;
  let isLate = false;
  const endGroup = (): void => {
    if (child.pid !== undefined) kill(-child.pid, "SIGKILL");
  };
  child.stdout?.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= maxBytes) output.push(chunk);
    else {
      isCut = true;
      endGroup();
    }
  });
  child.stderr?.on("data", (chunk: Buffer) => {
    stderr = (stderr + chunk.toString("utf8")).slice(-MAX_STDERR);
  });
  // git may end before it has read all of its input; its exit code says more.
  for (const stream of child.stdio) stream?.on("error", () => undefined);
  const timer = setTimeout(() => {
    isLate = true;
    endGroup();
  }, timeoutMs);
  const closed = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  child.stdin?.end(input);
  try {
    const code = await closed;
    if (isLate) throw gitTimedOut(args[0] ?? "", timeoutMs);
    return { code: code ?? 128, stdout: Buffer.concat(output), stderr, isCut };
  } catch (error) {
    throw child.pid === undefined ? await whyNotStarted(args, cwd, error) : error;
  } finally {
    clearTimeout(timer);
  }
}

/** ENOENT: git is missing, or the directory it should start in. */
async function whyNotStarted(
  args: readonly string[],
  cwd: string,
  error: unknown,
): Promise<unknown> {
  if (!isCode(error, "ENOENT", "ENOTDIR")) return gitFailed(args, explainExhausted(error));
  const found = await stat(cwd).catch(() => undefined);
  return found?.isDirectory() ? gitMissing() : repositoryGone(cwd);
}

/** The output of a command that must succeed. */
export function outputOf({ args }: { readonly args: readonly string[] }, end: GitEnd): Buffer {
  if (end.code !== 0) throw gitFailed(args, end.stderr);
  if (end.isCut) throw gitFailed(args, "its output is too long");
  return end.stdout;
}
