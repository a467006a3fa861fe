import { spawn, type ChildProcess } from "node:child_process";
import { statSync } from "node:fs";
import type { Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { Transport } from "@modelcontextprotocol/client";
import { isCode } from "../../base/error-code.ts";
import { endProcess, watchGroup } from "./end-process.ts";
import { findError } from "./find-error.ts";
import { createMessageReader } from "./message-reader.ts";

export type StdioServer = {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly graceMs: number;
  /** The server wrote something else than messages to stdout; called once. */
  onGarbage(beginning: string): void;
};

/** The message did not reach the server, so it cannot have had an effect. */
export class NotSent extends Error {}

/** Enough for a stack trace and the error in front of it. */
const STDERR_TAIL = 16_000;
/** Back-pressure: limit for messages that the server has not read yet. */
const MAX_UNSENT_BYTES = 64 * 1024 * 1024;
/** Time to read the last answer from the pipe after a server has ended. */
const DRAIN_MS = 200;

export type StdioTransport = Transport & {
  /** Why the server has ended; undefined while it runs, or if we closed it. */
  failure(): string | undefined;
};

/**
 * Replaces the SDK's transport, which closes the connection when one message is too long, copies its
 * buffer with every chunk and does not handle process groups.
 */
export function createStdioTransport(server: StdioServer): StdioTransport {
  let child: ChildProcess | undefined;
  let stderr = "";
  let failure: string | undefined;
  let isOver = false;
  let ending: Promise<void> | undefined;
  const ended = Promise.withResolvers<void>();
  const messages = createMessageReader({
    onMessage: (message) => transport.onmessage?.(message),
    onGarbage: (beginning) => server.onGarbage(beginning),
    onUnreadable: over,
  });

  function over(why: string): void {
    if (isOver) return;
    isOver = true;
    failure = why;
    ended.resolve();
    void end();
    transport.onclose?.();
  }

  function end(): Promise<void> {
    ending ??= child ? endProcess(child, server.graceMs) : Promise.resolve();
    return ending;
  }

  function watch(started: ChildProcess): void {
    // A broken pipe is followed by the exit event.
    for (const stream of started.stdio) stream?.on("error", () => {});
    started.stderr?.on("data", (chunk: Buffer) => {
      stderr = (stderr + chunk.toString("utf8")).slice(-STDERR_TAIL);
    });
    started.stdout?.on("data", (chunk: Buffer) => {
      if (!isOver) messages.push(chunk);
    });
    started.once("exit", (code, signal) => {
      const how = signal ?? `exit code ${code}`;
      afterDrain(started, () => over(`It ended (${how})${because(stderr)}`));
    });
    // A running program that has closed its stdout cannot answer any more.
    started.stdout?.once("end", () => {
      setTimeout(() => over(`It closed its stdout${because(stderr)}`), DRAIN_MS);
    });
  }

  const transport: StdioTransport & { readonly pid: number | null; readonly stderr: null } = {
    // The SDK recognises a stdio transport by `pid` and `stderr` when it negotiates the protocol.
    get pid() {
      return child?.pid ?? null;
    },
    stderr: null,
    failure: () => failure,
    async start() {
      if (isOver) throw new Error("It was closed before it was started.");
      requireDirectory(server.cwd);
      child = spawnServer(server);
      await spawned(child, server.command, watch);
    },
    async send(message) {
      const stdin = child?.stdin;
      if (isOver || !stdin?.writable) throw new NotSent("The server is not running.");
      if (stdin.writableLength > MAX_UNSENT_BYTES) {
        throw new NotSent("The server does not read what it is sent.");
      }
      try {
        await written(stdin, `${JSON.stringify(message)}\n`);
      } catch (error) {
        // Wait a moment for the exit event, which has the reason for the broken pipe.
        await Promise.race([ended.promise, sleep(2 * DRAIN_MS)]);
        throw new NotSent(failure ?? String(error), { cause: error });
      }
    },
    async close() {
      const wasOver = isOver;
      isOver = true;
      ended.resolve();
      if (!wasOver) transport.onclose?.();
      await end();
    },
  };
  return transport;
}

function spawnServer({ command, args, cwd, env }: StdioServer): ChildProcess {
  return spawn(command, [...args], {
    cwd,
    env,
    stdio: "pipe",
    detached: true,
    windowsHide: true,
  });
}

/** `onSpawn` is called at once, so that it misses no output. */
function spawned(
  child: ChildProcess,
  command: string,
  onSpawn: (child: ChildProcess) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once("error", (error) => reject(explainSpawn(command, error)));
    child.once("spawn", () => {
      if (child.pid !== undefined) watchGroup(child.pid);
      onSpawn(child);
      resolve();
    });
  });
}

function written(to: Writable, line: string): Promise<void> {
  return new Promise((resolve, reject) => {
    to.write(line, (error) => (error ? reject(error) : resolve()));
  });
}

/** Calls back once stdout has ended, or after a delay: another process may hold it open. */
function afterDrain({ stdout }: ChildProcess, then: () => void): void {
  if (!stdout || stdout.readableEnded) return then();
  const timer = setTimeout(then, DRAIN_MS);
  stdout.once("end", () => {
    clearTimeout(timer);
    then();
  });
}

/** spawn would report a missing directory as a missing command. */
function requireDirectory(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new Error(`Its working directory ${path} does not exist.`);
  }
}

function explainSpawn(command: string, error: Error): Error {
  if (isCode(error, "ENOENT")) return new Error(`The command ${command} was not found.`);
  if (isCode(error, "EACCES")) return new Error(`The command ${command} may not be executed.`);
  return new Error(`The command ${command} could not be started: ${error.message}`);
}

function because(stderr: string): string {
  const error = findError(stderr);
  return error === "" ? "." : `: ${error}`;
}
