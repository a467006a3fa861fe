import { spawn } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:os";
import { watchInbox } from "../base/inbox.ts";
import { createLineSplitter } from "../base/lines.ts";
import { fieldsOf, parseJson } from "../base/narrow.ts";

export type FeedOptions = {
  /** The CLI and its arguments. It takes messages on stdin, one JSON value per line. */
  readonly command: readonly string[];
  readonly prompt: string;
  /** The file that the daemon appends messages to. It need not exist yet. */
  readonly inbox: string;
  /** Takes the CLI's lines, and one line for each message that was passed on. */
  readonly write: (lines: string) => void;
};

/**
 * Runs a CLI that accepts messages while it works: first the prompt, then each message of the inbox
 * as soon as it arrives. Closes the CLI's input after its result. Resolves with its exit code.
 */
export async function feed({ command, prompt, inbox, write }: FeedOptions): Promise<number> {
  const child = spawn(command[0] ?? "", command.slice(1), { stdio: ["pipe", "pipe", "inherit"] });
  const exited = once(child, "close");
  // The CLI may end before it has read everything; its exit code says more than a broken pipe.
  child.stdin.on("error", () => undefined);
  const say = (text: string): void =>
    void child.stdin.write(`${JSON.stringify(userMessage(text))}\n`);
  const messages = watchInbox(inbox, (id, text) => {
    say(text);
    write(`${JSON.stringify({ type: "steered", id })}\n`);
  });
  const lines = createLineSplitter((line) => {
    write(`${line}\n`);
    if (!isResult(line)) return;
    messages.close();
    child.stdin.end();
  });
  child.stdout.on("data", (chunk: Buffer) => lines.push(chunk));
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => child.kill(signal));
  say(prompt);
  try {
    const [code, signal] = await exited;
    lines.end();
    return typeof code === "number" ? code : 128 + signalNumber(signal);
  } finally {
    messages.close();
  }
}

function userMessage(text: string) {
  return { type: "user", message: { role: "user", content: [{ type: "text", text }] } };
}

/** Only lines that may be a result are parsed: some lines are megabytes long. */
function isResult(line: string): boolean {
  return line.includes('"type":"result"') && fieldsOf(parseJson(line)).type === "result";
}

function signalNumber(signal: unknown): number {
  return Object.entries(constants.signals).find(([name]) => name === signal)?.[1] ?? 0;
}
