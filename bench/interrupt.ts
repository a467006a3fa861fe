import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { z } from "zod";
import type { Bench, Context } from "./kit/bench.ts";
import { aDaemon } from "./kit/daemon.ts";
import { aPlace, urlOf, type Place } from "./kit/place.ts";
import { sleep, timed } from "./kit/stats.ts";
import { aTaskCli } from "./kit/task-cli.ts";

const BLOCKS = 25;
const CALLS_BEFORE = 4;
const LOOK_EVERY_MS = 20;
const LINE = "通知があります。get_notificationsを呼び出して確認してください。";
/** Any tool an agent may call; both sides of the comparison call this one. */
const ANY_TOOL = { name: "report_progress", arguments: { stepId: "step-1", message: "bench" } };

const aTask = z.object({ taskId: z.string() });
const approvals = z.object({
  approvals: z.array(z.object({ approvalId: z.string(), version: z.number() })),
});
const changed = z.object({ stopping: z.array(z.string()) });

/** After a person has blocked a task: the time of the agent's next call, which announces it. */
export const interrupt: Bench = async (context) => {
  const cli = aTaskCli(context.product);
  const place = aPlace(context.product, {
    path: [cli.folder],
    env: cli.env,
    config: { agent: { runner: "cursor", env: Object.keys(cli.env) } },
  });
  await aDaemon(context, place);
  const { taskId } = aTask.parse(await rest(place, "POST", "/api/tasks", { text: "bench" }));
  await approveAll(place, taskId, 2);

  const product: number[] = [];
  const floor: number[] = [];
  context.say(`${BLOCKS} blocks`);
  for (let i = 0; i <= BLOCKS; i++) {
    const executor = await cli.nextExecutor();
    const client = await aClientFor(context, place, executor.token);
    const before: number[] = [];
    for (let call = 0; call < CALLS_BEFORE; call++) {
      before.push(await timed(() => callTold(client, false)));
    }
    const patched = await rest(place, "PATCH", `/api/tasks/${taskId}`, { status: "blocked" });
    const { stopping } = changed.parse(patched);
    if (!stopping.includes(executor.agentId)) throw new Error(`It stops ${stopping.join(", ")}.`);
    const after = await timed(() => callTold(client, true));
    // The first call also opens the connection.
    if (i > 0) {
      floor.push(...before);
      product.push(after);
    }
    await client.callTool({ name: "get_notifications", arguments: {} });
    await client.callTool({ name: "report_completed", arguments: { result: "blocked" } });
    await client.close();
    executor.end();
    if (i < BLOCKS) await rest(place, "PATCH", `/api/tasks/${taskId}`, { status: "in_progress" });
  }
  return [
    {
      name: "agent's next answer after a block (floor: the same call without a notice)",
      unit: "ms",
      product,
      floor,
      goal: { atMost: 20 },
    },
  ];
};

async function aClientFor({ ends }: Context, place: Place, token: string): Promise<Client> {
  const client = new Client(
    { name: "bench", version: "1" },
    { versionNegotiation: { mode: "auto" } },
  );
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  const url = new URL(`${urlOf(place)}/mcp`);
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
  ends.defer(() => client.close());
  return client;
}

async function callTold(client: Client, isTold: boolean): Promise<void> {
  const { content } = await client.callTool(ANY_TOOL);
  const said = JSON.stringify(content);
  if (said.includes(LINE) !== isTold) throw new Error(`Unexpected answer: ${said}`);
}

/** Approves like a person, as soon as an approval is pending. */
async function approveAll(place: Place, taskId: string, count: number): Promise<void> {
  for (let approved = 0; approved < count; await sleep(LOOK_EVERY_MS)) {
    const path = `/api/approvals?status=pending&taskId=${taskId}`;
    const [first] = approvals.parse(await rest(place, "GET", path)).approvals;
    if (!first) continue;
    const { approvalId, version } = first;
    await rest(place, "POST", `/api/approvals/${approvalId}/decision`, {
      decision: "approve",
      version,
    });
    approved++;
  }
}

async function rest(place: Place, method: string, path: string, body?: unknown): Promise<unknown> {
  const answer = await fetch(`${urlOf(place)}${path}`, {
    method,
    headers: { "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const said = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${said}`);
  return JSON.parse(said);
}
