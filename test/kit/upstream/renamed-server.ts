import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Server, type CallToolResult, type Tool } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";
import { createRenaming } from "./renaming.ts";

/**
 * Proxies the given server with other names for all tools and properties, in another
 * order, and adds two unrelated tools.
 *   node renamed-server.ts <seed> <server.js>
 */
const data = z.record(z.string(), z.unknown());
const [seed = "1", script = ""] = process.argv.slice(2);

const client = new Client({ name: "renaming", version: "1" });
await client.connect(
  new StdioClientTransport({
    command: process.execPath,
    args: [script],
    env: z.record(z.string(), z.string()).parse({ ...process.env }),
  }),
);
const { tools } = await client.listTools();
const renaming = createRenaming([...tools, ...unrelated()], Number(seed));
const listed = [...unrelated(), ...tools.toReversed()].map((tool) => renaming.definition(tool));

serveStdio(() => {
  const server = new Server({ name: "renamed", version: "1" }, { capabilities: { tools: {} } });
  server.setRequestHandler("tools/list", () => ({ tools: listed }));
  server.setRequestHandler("tools/call", async ({ params }): Promise<CallToolResult> => {
    const name = renaming.toolBack(params.name) ?? params.name;
    if (unrelated().some((tool) => tool.name === name)) {
      return { content: [{ type: "text", text: "called for nothing" }], isError: true };
    }
    const { content, structuredContent, isError } = await client.callTool({
      name,
      arguments: data.parse(renaming.dataBack(params.arguments ?? {})),
    });
    if (isError || !structuredContent) return { content, isError: true };
    const renamed = data.parse(renaming.data(structuredContent));
    return {
      content: [{ type: "text", text: JSON.stringify(renamed) }],
      structuredContent: renamed,
    };
  });
  return server;
});

function unrelated(): Tool[] {
  const text = { type: "string" };
  const list = { type: "array", items: { type: "object", properties: { headline: text } } };
  return [
    {
      name: "read_the_news",
      inputSchema: { type: "object", properties: { topic: text }, required: ["topic"] },
      outputSchema: { type: "object", properties: { headlines: list }, required: ["headlines"] },
      annotations: { readOnlyHint: true },
    },
    {
      name: "order_lunch",
      inputSchema: {
        type: "object",
        properties: { dish: text, count: { type: "integer", minimum: 1 } },
        required: ["dish", "count"],
      },
      annotations: { destructiveHint: true },
    },
  ];
}
