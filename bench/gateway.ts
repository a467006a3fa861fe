import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { z } from "zod";
import type { Bench, Context, Figure } from "./kit/bench.ts";
import { aClient, aGroup } from "./kit/client.ts";
import { aDaemon } from "./kit/daemon.ts";
import { aPlace, urlOf, type Place } from "./kit/place.ts";
import { environmentOf } from "./kit/proc.ts";
import { sleep, timed, until } from "./kit/stats.ts";
import { aTaskCli } from "./kit/task-cli.ts";

const CALLS = 400;
const WARM_UP = 100;
const LOOK_EVERY_MS = 20;
/** The upstream server of the tests; both sides of the comparison call the same tool of it. */
const SERVER = fileURLToPath(new URL("../test/kit/upstream/stdio-server.ts", import.meta.url));
const TOOL = { name: "echo", arguments: { text: "九月分の残業時間" } };

const started = z.object({ agents: z.array(z.object({ agentId: z.string() })) });
const aTask = z.object({ taskId: z.string() });
const approvals = z.object({
  approvals: z.array(z.object({ approvalId: z.string(), version: z.number() })),
});

/** A call of an upstream tool by an agent, through the shim and the daemon, beside a direct one. */
export const gateway: Bench = async (context) => {
  const cli = aTaskCli(context.product);
  const place = aPlace(context.product, {
    path: [cli.folder],
    env: cli.env,
    config: {
      agent: { runner: "cursor", env: Object.keys(cli.env) },
      mcpServers: { odd: { command: process.execPath, args: [SERVER] } },
      roles: [{ id: "impl-code", runner: "rehearsal", mcpServers: ["*"] }],
      tasks: { unplannedTools: "allow" },
    },
  });
  await aDaemon(context, place);
  const direct = await connected(context, process.execPath, [SERVER], place.env);

  const token = await tokenOfAnAgent(context, place);
  const agent = await connected(context, process.execPath, [context.product.bin, "mcp"], {
    ...place.env,
    KUROMAJUTSU_AGENT_TOKEN: token,
  });
  const plain = await compare(context, "gateway call by an agent", agent, direct);

  const { taskId } = aTask.parse(await rest(place, "POST", "/api/tasks", { text: "bench" }));
  await approveAll(place, taskId, 2);
  const executor = await cli.nextExecutor();
  const inExecution = await connected(context, process.execPath, [context.product.bin, "mcp"], {
    ...place.env,
    KUROMAJUTSU_AGENT_TOKEN: executor.token,
  });
  // Two commits more: what is about to be sent, and what came of it.
  const durable = await compare(context, "the same in an execution", inExecution, direct);
  executor.end();
  return [plain, durable];
};

async function compare(
  { say }: Context,
  name: string,
  through: Client,
  direct: Client,
): Promise<Figure> {
  const product: number[] = [];
  const floor: number[] = [];
  say(`${CALLS} calls: ${name}`);
  for (let i = -WARM_UP; i < CALLS; i++) {
    const ours = await timed(() => echo(through));
    const bare = await timed(() => echo(direct));
    if (i < 0) continue;
    product.push(ours);
    floor.push(bare);
  }
  const beside = "floor: a direct call to the same stdio server";
  return { name: `${name} (${beside})`, unit: "ms", product, floor, goal: { timesFloor: 2.5 } };
}

async function echo(client: Client): Promise<void> {
  const answer = await client.callTool(TOOL);
  const said = JSON.stringify(answer);
  if (answer.isError || !said.includes(TOOL.arguments.text)) throw new Error(said);
}

async function connected(
  { ends }: Context,
  command: string,
  args: string[],
  env: Record<string, string>,
): Promise<Client> {
  const client = new Client({ name: "bench", version: "1" });
  await client.connect(new StdioClientTransport({ command, args, env, stderr: "ignore" }));
  ends.defer(() => client.close());
  return client;
}

/** Of an agent that runs and does nothing. */
async function tokenOfAnAgent(context: Context, place: Place): Promise<string> {
  const main = await aClient(context, place);
  const groupId = await aGroup(main);
  const agents = [{ role: "impl-code", prompt: "#rehearsal hang" }];
  const [agent] = started.parse(await main.call("run_agents", { groupId, agents })).agents;
  const entry = `KUROMAJUTSU_AGENT_ID=${agent?.agentId}`;
  let token: string | undefined;
  await until(() => {
    token = environmentOf(entry)?.get("KUROMAJUTSU_AGENT_TOKEN");
    return token !== undefined;
  }, "an agent");
  return token ?? "";
}

/** As a person would, as soon as there is something to approve. */
async function approveAll(place: Place, taskId: string, count: number): Promise<void> {
  for (let approved = 0; approved < count; await sleep(LOOK_EVERY_MS)) {
    const path = `/api/approvals?status=pending&taskId=${taskId}`;
    const [first] = approvals.parse(await rest(place, "GET", path)).approvals;
    if (!first) continue;
    const { approvalId, version } = first;
    const body = { decision: "approve", version };
    await rest(place, "POST", `/api/approvals/${approvalId}/decision`, body);
    approved++;
  }
}

async function rest(place: Place, method: string, path: string, body?: unknown): Promise<unknown> {
  const answer = await fetch(`${urlOf(place)}${path}`, {
    method,
    headers: { "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const said = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${said}`);
  return JSON.parse(said);
}
