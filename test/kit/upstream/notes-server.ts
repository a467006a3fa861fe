import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

/**
 * An upstream server that records every call, so that tests can count them.
 *   node notes-server.ts <journal>
 */
const [journal = ""] = process.argv.slice(2);

// Exits with its client, so calls in progress are cut off.
process.stdin.on("end", () => process.exit());

type Line = {
  readonly tool: string;
  readonly what: "began" | "wrote" | "cancelled";
  readonly text?: string;
  readonly key?: unknown;
};

function note(line: Line): void {
  appendFileSync(journal, `${JSON.stringify(line)}\n`);
}

function wasAskedBefore(text: string): boolean {
  return existsSync(journal) && readFileSync(journal, "utf8").includes(JSON.stringify(text));
}

function answer(structuredContent: Record<string, unknown>) {
  const text = JSON.stringify(structuredContent);
  return { content: [{ type: "text" as const, text }], structuredContent };
}

function createServer(): McpServer {
  const server = new McpServer({ name: "notes", version: "1" });
  server.registerTool(
    "list_notes",
    {
      inputSchema: z.object({ pauseMs: z.int().optional() }),
      outputSchema: z.object({ count: z.int() }),
      annotations: { readOnlyHint: true },
    },
    async ({ pauseMs = 0 }) => {
      const isFirst = !wasAskedBefore("list_notes");
      note({ tool: "list_notes", what: "began" });
      if (isFirst) await sleep(pauseMs);
      return answer({ count: 7 });
    },
  );
  server.registerTool(
    "write_note",
    {
      inputSchema: z.object({
        text: z.string(),
        pauseMs: z.int().optional().describe("Only the first time this text comes"),
        writes: z.enum(["first", "last"]).optional().describe("Before or after the pause"),
      }),
      outputSchema: z.object({ noteId: z.string() }),
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
    },
    async ({ text, pauseMs = 0, writes = "first" }, { mcpReq }) => {
      const key = mcpReq._meta?.["kuromajutsu/idempotencyKey"];
      const isFirst = !wasAskedBefore(text);
      note({ tool: "write_note", what: "began", text, key });
      if (writes === "first") note({ tool: "write_note", what: "wrote", text });
      if (isFirst) await pause(pauseMs, mcpReq.signal);
      if (mcpReq.signal.aborted) note({ tool: "write_note", what: "cancelled", text });
      else if (writes === "last") note({ tool: "write_note", what: "wrote", text });
      return answer({ noteId: "note-1" });
    },
  );
  server.registerTool(
    "send_word",
    {
      inputSchema: z.object({ word: z.string() }),
      outputSchema: z.object({ sent: z.boolean() }),
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
    },
    ({ word }) => {
      note({ tool: "send_word", what: "began", text: word });
      note({ tool: "send_word", what: "wrote", text: word });
      return answer({ sent: true });
    },
  );
  return server;
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}

serveStdio(createServer);
