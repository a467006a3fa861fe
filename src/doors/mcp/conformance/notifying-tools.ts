import { setTimeout as sleep } from "node:timers/promises";
import type { ServerContext } from "@modelcontextprotocol/server";
import { fixture, type Fixture } from "./fixture.ts";
import { say } from "./samples.ts";

const PAUSE_MS = 50;

/** Tools that notify while the call is open: progress, log lines, a changed tool list. */
export const notifyingTools: readonly Fixture[] = [
  fixture("test_tool_with_progress", "Beats three times before it answers.", async (_, context) => {
    await beat(context, 0);
    await sleep(PAUSE_MS);
    await beat(context, 50);
    await sleep(PAUSE_MS);
    await beat(context, 100);
    return say("Three beats were sent.");
  }),
  fixture("test_tool_with_logging", "Logs three lines before it answers.", async (_, context) => {
    await context.mcpReq.log("info", "Tool execution started");
    await sleep(PAUSE_MS);
    await context.mcpReq.log("info", "Tool processing data");
    await sleep(PAUSE_MS);
    await context.mcpReq.log("info", "Tool execution completed");
    return say("Three lines were logged.");
  }),
  fixture("test_logging_tool", "Logs a line for those who asked for it.", async (_, context) => {
    await context.mcpReq.log("info", "Only for a request that named a level");
    return say("A line was logged, if it was wanted.");
  }),
  fixture("test_trigger_tool_change", "Makes the tool list change.", () => {
    changeTools();
    return say("The configuration is being read again.");
  }),
];

async function beat(context: ServerContext, progress: number): Promise<void> {
  const progressToken = context.mcpReq._meta?.progressToken;
  if (progressToken === undefined) return;
  await context.mcpReq.notify({
    method: "notifications/progress",
    params: { progressToken, progress, total: 100 },
  });
}

/** As in production: the daemon reloads its configuration and notifies its clients. */
function changeTools(): void {
  if (process.listenerCount("SIGHUP") === 0) throw new Error("This process has no SIGHUP handler.");
  process.kill(process.pid, "SIGHUP");
}
