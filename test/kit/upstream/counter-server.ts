import { appendFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

/**
 * An upstream server that keeps state: a counter in memory. It records its processes and its calls.
 *   node counter-server.ts <journal>
 */
const [journal = ""] = process.argv.slice(2);
let count = 0;

function note(what: string): void {
  appendFileSync(journal, `${JSON.stringify({ pid: process.pid, what })}\n`);
}

process.stdin.on("end", () => process.exit());
note("started");

function createServer(): McpServer {
  const server = new McpServer({ name: "counter", version: "1" });
  server.registerTool(
    "add",
    {
      inputSchema: z.object({ by: z.int(), pauseMs: z.int().optional() }),
      outputSchema: z.object({ count: z.int(), pid: z.int() }),
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
    },
    async ({ by, pauseMs = 0 }, { mcpReq }) => {
      note("add");
      count += by;
      await sleep(pauseMs, undefined, { signal: mcpReq.signal }).catch(() => note("cancelled"));
      const structuredContent = { count, pid: process.pid };
      return {
        content: [{ type: "text" as const, text: JSON.stringify(structuredContent) }],
        structuredContent,
      };
    },
  );
  server.registerTool("fail", { inputSchema: z.object({}) }, () => ({
    content: [{ type: "text" as const, text: "It is broken." }],
    isError: true,
  }));
  return server;
}

serveStdio(createServer);
