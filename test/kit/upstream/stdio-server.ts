import { spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { createOddTools } from "./odd-tools.ts";

/** An upstream server as a program, with all the ways it can be odd. */
const { values } = parseArgs({
  options: {
    journal: { type: "string" },
    many: { type: "string" },
    description: { type: "string" },
    /** Writes what is no message before, and goes on as if nothing were wrong. */
    garbage: { type: "boolean" },
    "exit-at-once": { type: "boolean" },
    /** Lives, and never says a word. */
    mute: { type: "boolean" },
    "start-after": { type: "string" },
    /** Leaves a child behind in its process group. */
    child: { type: "boolean" },
    /** Ends neither at the end of its stdin nor when asked to. */
    stubborn: { type: "boolean" },
  },
});

if (values["exit-at-once"]) {
  process.stderr.write("the licence has expired\n");
  process.exit(3);
}
if (values.garbage) process.stdout.write("Server listening…\n{not json}\n\n[1,2\n");
if (values.child) spawn("sleep", ["1000"], { stdio: "ignore" });
if (values.stubborn || values.mute) setInterval(() => {}, 1_000);
if (values.stubborn) process.on("SIGTERM", () => {});
if (values["start-after"]) await sleep(Number(values["start-after"]));
if (!values.mute) {
  const createServer = createOddTools({
    journal: values.journal,
    many: Number(values.many ?? 0),
    ...(values.description !== undefined && { description: values.description }),
    crash: () => process.exit(9),
  });
  serveStdio(() => createServer());
}
