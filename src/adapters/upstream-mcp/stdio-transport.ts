import { spawn, type ChildProcess } from "node:child_process";
import { statSync } from "node:fs";
import type { Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { plainText } from "../../domain/text/plain-text.ts";
import { endProcess, watchGroup } from "./end-process.ts";
import { MAX_ERROR_CHARS, MAX_MESSAGE_BYTES } from "./limits.ts";
import { createLineSplitter } from "./line-splitter.ts";
import { answeredId, ownError } from "./own-errors.ts";

export type StdioServer = {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly graceMs: number;
  /** Something on stdout that is no message; told once. */
  onGarbage(beginning: string): void;
};

/** The message was not handed over, so it cannot have had an effect. */
export class NotSent extends Error {}

const STDERR_TAIL = 2_000;
/** What a server that does not read may let pile up. */
const MAX_UNSENT_BYTES = 64 * 1024 * 1024;
/** The last answer may still be in the pipe of a server that has ended. */
const DRAIN_MS = 200;

export type StdioTransport = Transport & {
  /** Why it is over; undefined while it is not, or when we ended it. */
  failure(): string | undefined;
};

/**
 * The SDK's own transport ends the connection when one message is too long, copies what it has with
 * every chunk, and knows nothing of process groups; so the program is run here.
 */
export function createStdioTransport(server: StdioServer): StdioTransport {
  let child: ChildProcess | undefined;
  let stderr = "";
  let failure: string | undefined;
  let isOver = false;
  let isGarbageTold = false;
  let ending: Promise<void> | undefined;
  const ended = Promise.withResolvers<void>();

  const lines = createLineSplitter(MAX_MESSAGE_BYTES, { onLine, onTooLong });

  function onLine(line: string): void {
    const message = readMessage(line);
    if (!message) {
      if (line.trim() === "" || isGarbageTold) return;
      isGarbageTold = true;
      server.onGarbage(plainText(line.slice(0, MAX_ERROR_CHARS)));
    } else if ("method" in message) transport.onmessage?.(message);
    // The SDK hands notifications on a moment later: an answer must not overtake its last progress.
    else queueMicrotask(() => transport.onmessage?.(message));
  }

  function onTooLong(head: string, tail: string): void {
    const id = answeredId(head, tail);
    if (id === null) return;
    if (id !== undefined) {
      transport.onmessage?.(ownError(id, "too_large", tooLargeMessage()));
      return;
    }
    over("It wrote a message that is too long to be read, and did not say whose answer it was.");
  }

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
    // A pipe that breaks is noticed by its process's end.
    for (const stream of started.stdio) stream?.on("error", () => {});
    started.stderr?.on("data", (chunk: Buffer) => {
      stderr = (stderr + chunk.toString("utf8")).slice(-STDERR_TAIL);
    });
    started.stdout?.on("data", (chunk: Buffer) => {
      if (!isOver) lines.push(chunk);
    });
    started.once("exit", (code, signal) => {
      const how = signal ?? `exit code ${code}`;
      soonAfter(started, () => over(`It ended (${how})${lastWords(stderr)}`));
    });
    // Closed by a program that goes on: there is nothing more to expect of it.
    started.stdout?.once("end", () => {
      setTimeout(() => over(`It closed its stdout${lastWords(stderr)}`), DRAIN_MS);
    });
  }

  const transport: StdioTransport & { readonly pid: number | null; readonly stderr: null } = {
    // With these two the SDK takes it for what it is when it asks for the protocol's era.
    get pid() {
      return child?.pid ?? null;
    },
    stderr: null,
    failure: () => failure,
    async start() {
      if (isOver) throw new Error("It was closed before it was started.");
      requireDirectory(server.cwd);
      const started = spawn(server.command, [...server.args], {
        cwd: server.cwd,
        env: server.env,
        stdio: "pipe",
        detached: true,
        windowsHide: true,
      });
      child = started;
      await new Promise<void>((resolve, reject) => {
        started.once("error", (error) => reject(explainSpawn(server.command, error)));
        started.once("spawn", () => {
          if (started.pid !== undefined) watchGroup(started.pid);
          watch(started);
          resolve();
        });
      });
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
        // A broken pipe is only the sign of it: why the program ended is known a moment later.
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

function written(to: Writable, line: string): Promise<void> {
  return new Promise((resolve, reject) => {
    to.write(line, (error) => (error ? reject(error) : resolve()));
  });
}

function readMessage(line: string): JSONRPCMessage | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isMessage(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** As far as is needed to tell garbage; the SDK looks closer, and once is enough. */
function isMessage(value: unknown): value is JSONRPCMessage {
  if (typeof value !== "object" || value === null) return false;
  if (!("jsonrpc" in value) || value.jsonrpc !== "2.0") return false;
  return "method" in value || ("id" in value && ("result" in value || "error" in value));
}

export function tooLargeMessage(): string {
  return `The answer is larger than ${MAX_MESSAGE_BYTES / 1024 / 1024} MB.`;
}

/** When its stdout has been read to the end; somebody else may hold that open. */
function soonAfter({ stdout }: ChildProcess, then: () => void): void {
  if (!stdout || stdout.readableEnded) return then();
  const timer = setTimeout(then, DRAIN_MS);
  stdout.once("end", () => {
    clearTimeout(timer);
    then();
  });
}

/** A missing directory would be told as a missing command. */
function requireDirectory(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new Error(`Its working directory ${path} does not exist.`);
  }
}

function explainSpawn(command: string, error: Error): Error {
  const code = "code" in error ? error.code : undefined;
  if (code === "ENOENT") return new Error(`The command ${command} was not found.`);
  if (code === "EACCES") return new Error(`The command ${command} may not be executed.`);
  return new Error(`The command ${command} could not be started: ${error.message}`);
}

/** Whole lines, as many as fit. */
function lastWords(stderr: string): string {
  const words = plainText(stderr).trim();
  if (words.length <= MAX_ERROR_CHARS) return words === "" ? "." : `: ${words}`;
  const end = words.slice(-MAX_ERROR_CHARS);
  return `: … ${end.slice(end.indexOf("\n") + 1)}`;
}
