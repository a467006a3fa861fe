import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";
import { writeAll } from "../base/write-all.ts";
import { startHost } from "./host.ts";

/**
 * A program of its own: it talks to the app server of Codex and writes the events of a runner to
 * stdout, so a restarted daemon finds the run going on.
 */
void main();

async function main(): Promise<never> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      access: { type: "string", default: "read-only" },
      server: { type: "string", default: "" },
      inbox: { type: "string", default: "" },
      model: { type: "string" },
      resume: { type: "string" },
    },
  });
  const host = startHost({
    command: positionals,
    cwd: process.cwd(),
    prompt: await text(process.stdin),
    access: values.access === "read-write" ? "read-write" : "read-only",
    model: values.model ?? null,
    resumeSession: values.resume ?? null,
    server: values.server,
    inbox: values.inbox,
    apiKey: process.env.CODEX_API_KEY || undefined,
    emit: (event) => writeAll(1, `${JSON.stringify(event)}\n`),
  });
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, host.stop);
  process.exit(await host.done);
}
