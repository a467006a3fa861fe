import { spawn } from "node:child_process";
import { accessSync, closeSync, constants, openSync, statSync, writeSync } from "node:fs";
import { AGENT_MARK } from "../processes/process-table.ts";
import { bootLine } from "../spool/status-file.ts";
import type { LaunchRequest } from "./launcher-messages.ts";
import { wrapperArguments } from "./wrapper.ts";

export type Spawned = {
  readonly bootId: string;
  /** The umask of the agent. The launcher's own is 077, so that only the owner reads its files. */
  readonly umask: number;
  readonly onLaunched: (pid: number) => void;
  readonly onFailed: (error: string) => void;
  readonly onExited: () => void;
};

/**
 * Starts the wrapper in its own session, with four open files and no other descriptor of the
 * launcher. Every failure goes to `onFailed`; none is thrown.
 */
export function spawnAgent(request: LaunchRequest, spawned: Spawned): void {
  const fds: number[] = [];
  try {
    const { files, argv, env, workingDirectory } = request;
    requireDirectory(workingDirectory);
    requireExecutable(argv[0]);
    fds.push(openSync(files.in, "r"));
    for (const file of [files.out, files.err]) fds.push(openSync(file, "a", 0o600));
    const status = openSync(files.status, "a", 0o600);
    fds.push(status);
    // Also allocates the disk block for the exit line, in case the disk is full by then.
    writeSync(status, bootLine(spawned.bootId));
    const child = spawn("/bin/sh", wrapperArguments(files.claim, spawned.umask, argv), {
      cwd: workingDirectory,
      detached: true,
      env: { ...env, [AGENT_MARK]: request.mark },
      stdio: fds,
    });
    child.once("error", (error) => spawned.onFailed(error.message));
    child.once("exit", spawned.onExited);
    if (child.pid !== undefined) spawned.onLaunched(child.pid);
  } catch (error) {
    spawned.onFailed(error instanceof Error ? error.message : String(error));
  } finally {
    for (const fd of fds) closeSync(fd);
  }
}

function requireDirectory(path: string): void {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
    throw new Error(`The working directory ${path} does not exist.`);
  }
}

function requireExecutable(path: string | undefined): void {
  if (path === undefined) throw new Error("There is no command to run.");
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat) throw new Error(`The command ${path} does not exist.`);
  try {
    accessSync(path, constants.X_OK);
  } catch {
    throw new Error(`The command ${path} is not executable.`);
  }
  if (!stat.isFile()) throw new Error(`The command ${path} is not a file.`);
}
