import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

/** Takes a report, for recordings of a CLI that runs without our daemon. */
serveStdio(() => {
  const server = new McpServer({ name: "kuromajutsu", version: "1" });
  server.registerTool(
    "report_result",
    {
      description: "Report the result of your work.",
      inputSchema: z.object({ status: z.string(), summary: z.string() }),
      outputSchema: z.object({ accepted: z.boolean() }),
    },
    () => ({
      content: [{ type: "text" as const, text: '{"accepted":true}' }],
      structuredContent: { accepted: true },
    }),
  );
  return server;
});
