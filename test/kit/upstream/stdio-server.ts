import { spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { createOddTools } from "./odd-tools.ts";

/** An upstream server as a program, with options for every kind of misbehaviour. */
const { values } = parseArgs({
  options: {
    journal: { type: "string" },
    many: { type: "string" },
    description: { type: "string" },
    /** Writes a line that is not a message first. */
    garbage: { type: "boolean" },
    "exit-at-once": { type: "boolean" },
    /** Runs, and never answers. */
    mute: { type: "boolean" },
    "start-after": { type: "string" },
    /** Leaves a child process in its process group. */
    child: { type: "boolean" },
    /** Ignores the end of stdin and SIGTERM. */
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
