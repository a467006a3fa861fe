import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";
import type { McpServer } from "@agentclientprotocol/sdk";
import { fieldsOf, parseJson, textOf } from "../base/narrow.ts";
import { startHost } from "./host.ts";

/**
 * A program of its own: it talks ACP to the CLI and writes the events of a runner to stdout, so a
 * restarted daemon finds the run going on.
 */
void main();

async function main(): Promise<never> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      access: { type: "string", default: "read-write" },
      "asks-first": { type: "boolean", default: false },
      model: { type: "string" },
      mode: { type: "string" },
      "session-meta": { type: "string" },
      resume: { type: "string" },
      mcp: { type: "string" },
    },
  });
  const host = startHost({
    command: positionals,
    cwd: process.cwd(),
    prompt: await text(process.stdin),
    access: values.access === "read-only" ? "read-only" : "read-write",
    asksFirst: values["asks-first"],
    model: values.model ?? null,
    mode: values.mode ?? null,
    sessionMeta: fieldsOf(parseJson(values["session-meta"] ?? "{}")),
    resumeSession: values.resume ?? null,
    mcp: values.mcp === undefined ? null : serverOf(values.mcp),
    emit: (event) => void process.stdout.write(`${JSON.stringify(event)}\n`),
  });
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, host.stop);
  const code = await host.done;
  // Wait until stdout is written: a pipe of the CLI must not keep the process alive.
  process.stdout.write("", () => process.exit(code));
  return new Promise(() => undefined);
}

/** The argument has the names of variables; their values, which are secret, are in our environment. */
function serverOf(argument: string): McpServer {
  const entry = fieldsOf(parseJson(argument));
  const [command = "", ...args] = texts(entry.command);
  return {
    name: textOf(entry.name) ?? "",
    command,
    args,
    env: texts(entry.variables).map((name) => ({ name, value: process.env[name] ?? "" })),
  };
}

function texts(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  return value.map((each) => textOf(each)).filter((each) => each !== undefined);
}
