import { createInterface } from "node:readline";
import { z } from "zod";

/**
 * A hand-written server for messages that no library sends: odd definitions, and answers too long
 * to be read with their id at the beginning, at the end, or nowhere.
 */
const message = z.looseObject({
  id: z.union([z.number(), z.string()]).optional(),
  method: z.string(),
  params: z.looseObject({ name: z.string().optional() }).optional(),
});

const ZERO_WIDTH = "\u200b";
/** Text, because JSON.stringify fails on a value that is nested so deeply. */
const deep = (levels: number): string => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;

const TOOLS: readonly unknown[] = [
  {
    name: `re${ZERO_WIDTH}ad`,
    title: "\u001b[31mRead\u001b[0m",
    description: `Reads.${ZERO_WIDTH}\u0000 ${"long ".repeat(3_000)}`,
    inputSchema: {
      type: "object",
      properties: { path: { type: "string", description: `Where.${ZERO_WIDTH}` } },
    },
    annotations: { readOnlyHint: true, secret: "not ours to keep" },
  },
  { name: "no_type", description: "Its schema is empty.", inputSchema: {} },
  { name: "no_schema", description: "It has none." },
  { name: "list_schema", inputSchema: [] },
  { name: "string_schema", inputSchema: { type: "string" } },
  { name: "large_schema", inputSchema: { type: "object", description: "x".repeat(70_000) } },
  { name: "deep_schema", inputSchema: { type: "object", properties: "DEEP" } },
  {
    name: "large_output",
    inputSchema: { type: "object" },
    outputSchema: { x: "x".repeat(70_000) },
  },
  { name: "read", description: "A second one.", inputSchema: { type: "object" } },
  { name: "", inputSchema: { type: "object" } },
  { name: 7, inputSchema: { type: "object" } },
  "no tool at all",
  { name: "id_first", inputSchema: { type: "object" } },
  { name: "id_last", inputSchema: { type: "object" } },
  { name: "id_nowhere", inputSchema: { type: "object" } },
  { name: "deep_answer", inputSchema: { type: "object" } },
  { name: "no_result", inputSchema: { type: "object" } },
  { name: "long_notice", inputSchema: { type: "object" } },
];

const LONG = JSON.stringify({ content: [{ type: "text", text: "y".repeat(9 * 1024 * 1024) }] });
const BRIEF = JSON.stringify({ content: [{ type: "text", text: "brief" }] });

const ANSWERS: Readonly<Record<string, (id: string) => string>> = {
  id_first: (id) => `{"jsonrpc":"2.0","id":${id},"result":${LONG}}`,
  id_last: (id) => `{"result":${LONG},"jsonrpc":"2.0","id":${id}}`,
  id_nowhere: (id) => `{"result":${LONG},"id":${id},"x":"${"z".repeat(2_000)}"}`,
  deep_answer: (id) =>
    `{"jsonrpc":"2.0","id":${id},"result":{"content":[],"structuredContent":${deep(2_000)}}}`,
  no_result: (id) => `{"jsonrpc":"2.0","id":${id},"result":{"content":"nothing of the kind"}}`,
  long_notice: (id) =>
    `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":${LONG}}}\n{"jsonrpc":"2.0","id":${id},"result":${BRIEF}}`,
};

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = message.parse(JSON.parse(line));
  if (id === undefined) return;
  process.stdout.write(`${answer(JSON.stringify(id), method, params?.name ?? "")}\n`);
});

function answer(id: string, method: string, name: string): string {
  const odd = method === "tools/call" ? ANSWERS[name] : undefined;
  if (odd) return odd(id);
  return `{"jsonrpc":"2.0","id":${id},"result":${resultOf(method, name)}}`;
}

function resultOf(method: string, name: string): string {
  if (method === "tools/list") {
    return JSON.stringify({ tools: TOOLS }).replace('"DEEP"', deep(5_000));
  }
  if (method === "tools/call") {
    return JSON.stringify({ content: [{ type: "text", text: JSON.stringify(name) }] });
  }
  return JSON.stringify({
    protocolVersion: "2025-06-18",
    capabilities: { tools: {} },
    serverInfo: { name: "raw", version: "1" },
  });
}
