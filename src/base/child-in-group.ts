import { spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";

export type ChildInGroup = {
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** Resolves with the reason when the program has ended or could not be started. */
  readonly gone: Promise<string>;
  /** Ends the program and its children, unless it has ended by itself. */
  readonly end: () => void;
};

/**
 * Starts a CLI in a process group of its own: a signal to our group must not end it before it has
 * cancelled its work. Its stderr is ours.
 */
export function startInGroup(command: readonly string[], cwd: string): ChildInGroup {
  const child = spawn(command[0] ?? "", command.slice(1), {
    cwd,
    stdio: ["pipe", "pipe", "inherit"],
    detached: true,
  });
  // The program may end before it has read everything; the reason of its end says more.
  child.stdin.on("error", () => undefined);
  const gone = new Promise<string>((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("exit", (code, signal) =>
      resolve(`The CLI ended with ${signal ?? `exit code ${code}`} before it answered.`),
    );
  });

  function end(): void {
    if (child.pid === undefined || child.exitCode !== null) return;
    try {
      process.kill(-child.pid, "SIGTERM");
    } catch {
      // It has ended by itself.
    }
  }

  return { stdin: child.stdin, stdout: child.stdout, gone, end };
}
