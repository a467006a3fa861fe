import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";
import { writeAll } from "../base/write-all.ts";
import { feed } from "./feed.ts";

/**
 * A program of its own between the launcher's wrapper and a CLI: it outlives the daemon, and passes
 * on messages of people while the CLI works.
 */
void main();

async function main(): Promise<never> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { inbox: { type: "string", default: "" } },
  });
  const code = await feed({
    command: positionals,
    prompt: await text(process.stdin),
    inbox: values.inbox,
    write: (lines) => writeAll(1, lines),
  });
  process.exit(code);
}
