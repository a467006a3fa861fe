import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { z } from "zod";
import type { Context } from "./bench.ts";
import type { Place } from "./place.ts";

export type Caller = {
  readonly call: (tool: string, args: Record<string, unknown>) => Promise<Record<string, unknown>>;
};

const record = z.record(z.string(), z.unknown());
const group = z.object({ groupId: z.string() });
const started = z.object({ agents: z.array(z.object({ agentId: z.string() })) });
const waited = z.object({
  completed: z.array(z.object({ status: z.string() })),
  waitMore: z.boolean().optional(),
  cursor: z.string().optional(),
});

/** A main agent that connects like a real one: over stdio, through the shim. */
export async function aClient({ product, ends }: Context, place: Place): Promise<Caller> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [product.bin, "mcp"],
    cwd: place.dir,
    env: place.env,
    stderr: "ignore",
  });
  const client = new Client({ name: "bench", version: "1" });
  await client.connect(transport);
  ends.defer(() => client.close());
  return {
    async call(name, args) {
      const answer = await client.callTool({ name, arguments: args });
      if (answer.isError) throw new Error(`${name}: ${JSON.stringify(answer.content)}`);
      return record.parse(answer.structuredContent);
    },
  };
}

export async function aGroup(
  { call }: Caller,
  mode: "concurrent" | "sequential" = "concurrent",
): Promise<string> {
  return group.parse(await call("create_group", { description: "bench", mode })).groupId;
}

/** From the call of run_agents to the last answer of wait_agent. A failed agent breaks the benchmark. */
export async function runToTheEnd(
  client: Caller,
  groupId: string,
  count: number,
  prompt = "bench",
): Promise<void> {
  const agents = Array.from({ length: count }, () => ({ role: "impl-code", prompt }));
  await waitForAll(client, await client.call("run_agents", { groupId, agents }));
}

/** Waits for the last answer of wait_agent about all agents of run_agents or run_sequential. */
export async function waitForAll({ call }: Caller, answer: unknown): Promise<void> {
  const agentIds = started.parse(answer).agents.map((agent) => agent.agentId);
  const statuses: string[] = [];
  for (let cursor: string | undefined; ;) {
    const part = waited.parse(
      await call("wait_agent", { agentIds, ...(cursor === undefined ? {} : { cursor }) }),
    );
    cursor = part.cursor;
    statuses.push(...part.completed.map(({ status }) => status));
    if (part.waitMore) continue;
    const bad = statuses.find((status) => !GOOD.includes(status));
    if (statuses.length !== agentIds.length) throw new Error(`Only ${statuses.length} are done.`);
    if (bad) throw new Error(`An agent is ${bad}.`);
    return;
  }
}

const GOOD = ["completed", "resultReported"];
