import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { explainExhausted } from "./exhausted.ts";
import { endMarked, kill, newMark, PROBE_MARK } from "./marked-processes.ts";

export type BoundedRun = {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly stdin: string;
  /** stdin stays open until the output is complete. */
  readonly holdsStdin?: true;
  readonly timeoutMs: number;
  /** Limit for stdout and stderr together; beyond it the process is ended. */
  readonly maxBytes: number;
  readonly stopSignal: "SIGTERM" | "SIGINT";
  onOutput(chunk: Buffer): void;
  /** The output is complete: the process has `lingerMs` to exit. */
  isDone?(): boolean;
  readonly lingerMs?: number;
  readonly graceMs?: number;
};

export type BoundedEnd = {
  readonly how: "exited" | "timeout" | "flooded" | "lingered" | "aborted" | "not-started";
  /** null if a signal ended the process. */
  readonly exitCode: number | null;
  readonly exitSignal: string | null;
  readonly stderrTail: string;
};

const STDERR_TAIL = 4_096;
const UNKILLABLE_AFTER_MS = 3_000;
const DRAIN_MS = 500;

/** Processes to kill when this process exits. */
const alive = new Set<number>();
function endAllAlive(): void {
  for (const pid of alive) kill(-pid, "SIGKILL");
}

/**
 * Runs an untrusted program in its own process group. Even if it hangs, floods, ignores signals or
 * leaves children in other sessions, it and all it started end shortly after the timeout at the
 * latest. Never rejects.
 */
export async function runBounded(run: BoundedRun, signal?: AbortSignal): Promise<BoundedEnd> {
  let mark: string;
  let child: ChildProcessWithoutNullStreams;
  try {
    mark = newMark(randomBytes(8).toString("hex"));
    child = spawn(run.argv[0] ?? "", run.argv.slice(1), {
      cwd: run.cwd,
      detached: true,
      env: { ...run.env, [PROBE_MARK]: mark },
    });
  } catch (error) {
    return notStarted(error);
  }
  const { pid } = child;
  if (pid === undefined) {
    return notStarted(await new Promise((resolve) => child.once("error", resolve)));
  }
  if (alive.size === 0) process.on("exit", endAllAlive);
  alive.add(pid);
  const ending = watch(child, pid, run, signal);
  if (run.holdsStdin) child.stdin.write(run.stdin);
  else child.stdin.end(run.stdin);
  const { how, exitCode, exitSignal } = await ending.exited;
  kill(-pid, "SIGKILL");
  await endMarked((found) => found === mark);
  await Promise.race([ending.closed, sleep(DRAIN_MS)]);
  child.stdout.destroy();
  child.stderr.destroy();
  alive.delete(pid);
  if (alive.size === 0) process.off("exit", endAllAlive);
  return { how, exitCode, exitSignal, stderrTail: ending.stderrTail() };
}

type Exit = Omit<BoundedEnd, "stderrTail">;

function watch(
  child: ChildProcessWithoutNullStreams,
  pid: number,
  run: BoundedRun,
  signal: AbortSignal | undefined,
) {
  const { graceMs = 1_000, lingerMs = 2_000 } = run;
  let how: BoundedEnd["how"] = "exited";
  let bytes = 0;
  let stderr = "";
  const { promise: exited, resolve } = Promise.withResolvers<Exit>();
  const timers: NodeJS.Timeout[] = [];
  const after = (ms: number, what: () => void) => void timers.push(setTimeout(what, ms));

  function stop(why: BoundedEnd["how"]): void {
    if (how !== "exited") return;
    how = why;
    kill(-pid, why === "aborted" ? "SIGKILL" : run.stopSignal);
    after(graceMs, () => kill(-pid, "SIGKILL"));
    after(graceMs + UNKILLABLE_AFTER_MS, () => exit(null, null));
  }

  function count(chunk: Buffer): void {
    bytes += chunk.length;
    if (bytes <= run.maxBytes) return;
    stop("flooded");
    child.stdout.destroy();
    child.stderr.destroy();
  }

  let isLingering = false;
  child.stdout.on("data", (chunk: Buffer) => {
    run.onOutput(chunk);
    count(chunk);
    if (isLingering || !run.isDone?.()) return;
    isLingering = true;
    child.stdin.end();
    after(lingerMs, () => stop("lingered"));
  });
  child.stderr.on("data", (chunk: Buffer) => {
    stderr = (stderr + chunk.toString("utf8")).slice(-STDERR_TAIL);
    count(chunk);
  });
  // Broken pipes are expected: the program may not read its input, and we destroy its output.
  for (const stream of child.stdio) stream?.on("error", () => {});
  child.on("error", () => {});

  const onAbort = (): void => stop("aborted");
  after(run.timeoutMs, () => stop("timeout"));
  signal?.addEventListener("abort", onAbort);
  if (signal?.aborted) onAbort();

  function exit(exitCode: number | null, exitSignal: string | null): void {
    for (const timer of timers) clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
    resolve({ how, exitCode, exitSignal });
  }
  child.once("exit", exit);
  const closed = new Promise<void>((done) => child.once("close", () => done()));
  return { exited, closed, stderrTail: () => stderr };
}

function notStarted(error: unknown): BoundedEnd {
  return {
    how: "not-started",
    exitCode: null,
    exitSignal: null,
    stderrTail: explainExhausted(error),
  };
}
