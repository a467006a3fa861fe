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
  readonly timeoutMs: number;
  /** Of stdout and stderr together; past it the process is ended. */
  readonly maxBytes: number;
  readonly stopSignal: "SIGTERM" | "SIGINT";
  onOutput(chunk: Buffer): void;
  /** It has said all there is to say: it may take `lingerMs` to exit. */
  isDone?(): boolean;
  readonly lingerMs?: number;
  readonly graceMs?: number;
};

export type BoundedEnd = {
  readonly how: "exited" | "timeout" | "flooded" | "lingered" | "aborted" | "not-started";
  /** Only what the process chose itself. */
  readonly exitCode: number | null;
  readonly exitSignal: string | null;
  readonly stderrTail: string;
};

const STDERR_TAIL = 4_096;
const UNKILLABLE_AFTER_MS = 3_000;
const DRAIN_MS = 500;

/** A process that is asked one thing must not outlive the one who asked. */
const alive = new Set<number>();
function endAllAlive(): void {
  for (const pid of alive) kill(-pid, "SIGKILL");
}

/**
 * Runs a program nobody trusts to behave, in a process group of its own. Whatever it does (hang,
 * flood, ignore signals, leave children in other sessions), this ends within the timeout and a
 * little more, and so does all it started. Never rejects.
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
  child.stdin.end(run.stdin);
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
  const { promise: exited, resolve: tell } = Promise.withResolvers<Exit>();
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
    after(lingerMs, () => stop("lingered"));
  });
  child.stderr.on("data", (chunk: Buffer) => {
    stderr = (stderr + chunk.toString("utf8")).slice(-STDERR_TAIL);
    count(chunk);
  });
  // A program that reads no input, or a pipe we have closed ourselves, is no fault of ours.
  for (const stream of child.stdio) stream?.on("error", () => {});
  child.on("error", () => {});

  const onAbort = (): void => stop("aborted");
  after(run.timeoutMs, () => stop("timeout"));
  signal?.addEventListener("abort", onAbort);
  if (signal?.aborted) onAbort();

  function exit(exitCode: number | null, exitSignal: string | null): void {
    for (const timer of timers) clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
    tell({ how, exitCode, exitSignal });
  }
  child.once("exit", exit);
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
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
