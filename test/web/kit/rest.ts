import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { z } from "zod";
import { until } from "./daemon.ts";

const approvalShape = z.looseObject({
  approvalId: z.string(),
  kind: z.string(),
  status: z.string(),
  version: z.number(),
  title: z.string(),
});
export type SeenApproval = z.infer<typeof approvalShape>;

const taskShape = z.looseObject({
  taskId: z.string(),
  status: z.string(),
  title: z.string().nullable(),
  groupId: z.string(),
  approvals: z.array(approvalShape).default([]),
  executions: z.array(z.looseObject({ attempt: z.number(), status: z.string() })).default([]),
  agents: z
    .array(z.looseObject({ agentId: z.string(), role: z.string(), status: z.string() }))
    .default([]),
  toolCalls: z.array(z.looseObject({ tool: z.string(), status: z.string() })).default([]),
});
export type SeenTask = z.infer<typeof taskShape>;
const agentShape = z.looseObject({ agentId: z.string(), status: z.string() });
const fields = z.record(z.string(), z.unknown());

export type Rest = ReturnType<typeof restOf>;

/** What a test does without the browser: it prepares data and reads the result. */
export function restOf(url: string) {
  async function ask(method: string, path: string, body?: unknown): Promise<unknown> {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        "x-kuromajutsu": "1",
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status} ${text}`);
    return JSON.parse(text === "" ? "null" : text);
  }

  async function look(taskId: string): Promise<SeenTask> {
    return taskShape.parse(await ask("GET", `/api/tasks/${taskId}`));
  }

  async function reach(taskId: string, isSo: (task: SeenTask) => boolean, what = "a task") {
    let seen = await look(taskId);
    await until(async () => isSo((seen = await look(taskId))), `${what}: ${taskId}`, 90_000);
    return seen;
  }

  async function pending(taskId: string, kind: string): Promise<SeenApproval> {
    const find = (task: SeenTask) =>
      task.approvals.find((each) => each.kind === kind && each.status === "pending");
    const task = await reach(taskId, (seen) => find(seen) !== undefined, `${kind} to be decided`);
    return approvalShape.parse(find(task));
  }

  async function decide(
    { approvalId, version }: SeenApproval,
    decision: "approve" | "reject" = "approve",
    more: Record<string, unknown> = {},
  ): Promise<void> {
    await ask("POST", `/api/approvals/${approvalId}/decision`, { decision, version, ...more });
  }

  async function create(text: string, more: Record<string, unknown> = {}): Promise<string> {
    return taskShape.parse(await ask("POST", "/api/tasks", { text, ...more })).taskId;
  }

  /** Calls one of our tools as the main agent. */
  async function tool(name: string, args: Record<string, unknown>) {
    const client = new Client({ name: "test", version: "1" });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)));
    try {
      const answer = await client.callTool({ name, arguments: args });
      if (answer.isError) throw new Error(`${name}: ${JSON.stringify(answer.content)}`);
      return fields.parse(answer.structuredContent);
    } finally {
      await client.close();
    }
  }

  async function agent(agentId: string) {
    return agentShape.parse(await ask("GET", `/api/agents/${agentId}`));
  }

  return {
    url,
    ask,
    look,
    reach,
    pending,
    decide,
    create,
    tool,
    agent,
    /** Requests a task and approves its prompt and steps. */
    async start(text: string): Promise<string> {
      const taskId = await create(text);
      await decide(await pending(taskId, "prompt"));
      await decide(await pending(taskId, "process"));
      return taskId;
    },
    async group(description: string, mode = "concurrent"): Promise<string> {
      const group = z
        .looseObject({ groupId: z.string() })
        .parse(await ask("POST", "/api/groups", { description, mode }));
      return group.groupId;
    },
    /** Starts one agent per prompt; the prompt contains its directives. */
    async run(groupId: string, prompts: readonly string[], role = "impl-code") {
      const agents = prompts.map((prompt) => ({ role, prompt }));
      const started = await tool("run_agents", { groupId, agents });
      return z
        .array(agentShape)
        .parse(started["agents"])
        .map(({ agentId }) => agentId);
    },
    async reachAgent(agentId: string, ...statuses: readonly string[]): Promise<void> {
      await until(
        async () => statuses.includes((await agent(agentId)).status),
        `${agentId} to be ${statuses.join(" or ")}`,
        90_000,
      );
    },
  };
}

/** A request with three steps (read, write, send) of the server that records every call. */
export function aRequest(title: string, ...directives: readonly string[]): string {
  return [
    title,
    "#rehearsal steps list_notes, write_note, send_word",
    "#rehearsal uncheck step-2",
    '#rehearsal arg step-2.text "やあ"',
    '#rehearsal arg step-3.word "済"',
    ...directives.map((directive) => `#rehearsal ${directive}`),
  ].join("\n");
}
