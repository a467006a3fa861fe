import { appendFileSync, existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { McpServer, type ServerContext } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

/**
 * An upstream server that keeps state: a counter in memory. It records its processes and its calls.
 *   node counter-server.ts <journal>
 */
const [journal = ""] = process.argv.slice(2);
let count = 0;

/** `at`: milliseconds of the clock that all processes of the machine share. */
function note(what: string, by?: number): void {
  const at = Number(process.hrtime.bigint()) / 1e6;
  appendFileSync(journal, `${JSON.stringify({ pid: process.pid, what, at, by })}\n`);
}

process.stdin.on("end", () => process.exit());
note("started");

type Request = ServerContext["mcpReq"];

async function report(request: Request, progress: number, total: number): Promise<void> {
  const progressToken = request._meta?.progressToken;
  if (progressToken === undefined) return;
  const params = { progressToken, progress, total, message: `${progress} of ${total}` };
  await request.notify({ method: "notifications/progress", params });
}

/** Waits for this time, and until the file exists. */
async function pause({ signal }: Request, ms: number, gate: string | undefined): Promise<void> {
  const isOpen = (): boolean => gate === undefined || existsSync(gate);
  try {
    await sleep(ms, undefined, { signal });
    while (!isOpen()) await sleep(20, undefined, { signal });
  } catch {
    note("cancelled");
  }
}

function createServer(): McpServer {
  const server = new McpServer({ name: "counter", version: "1" });
  server.registerTool(
    "add",
    {
      inputSchema: z.object({
        by: z.int(),
        pauseMs: z.int().optional(),
        gate: z.string().optional(),
        steps: z.int().optional(),
      }),
      outputSchema: z.object({ count: z.int(), pid: z.int() }),
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
    },
    async ({ by, pauseMs = 0, gate, steps = 0 }, { mcpReq }) => {
      note("add", by);
      count += by;
      for (let progress = 1; progress <= steps; progress++) await report(mcpReq, progress, steps);
      await pause(mcpReq, pauseMs, gate);
      const structuredContent = { count, pid: process.pid };
      return {
        content: [{ type: "text" as const, text: JSON.stringify(structuredContent) }],
        structuredContent,
      };
    },
  );
  server.registerTool("look", { inputSchema: z.object({}) }, async (_args, { mcpReq }) => {
    note("look");
    await pause(mcpReq, 60_000, undefined);
    return { content: [{ type: "text" as const, text: String(count) }] };
  });
  server.registerTool("fail", { inputSchema: z.object({}) }, () => ({
    content: [{ type: "text" as const, text: "It is broken." }],
    isError: true,
  }));
  return server;
}

serveStdio(createServer);
