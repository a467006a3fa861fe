import { connect } from "node:net";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { Client, type Transport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";
import type { Bench, Context, Figure } from "./kit/bench.ts";
import { aClient, aGroup } from "./kit/client.ts";
import { aDaemon } from "./kit/daemon.ts";
import { aPlace, readDaemonFile, urlOf, type Place } from "./kit/place.ts";
import { environmentOf } from "./kit/proc.ts";
import { sleep, timed, until } from "./kit/stats.ts";
import { aTaskCli } from "./kit/task-cli.ts";

const CALLS = 400;
const WARM_UP = 300;
const LOOK_EVERY_MS = 20;
/** The upstream server of the tests; both sides of the comparison call the same tool of it. */
const SERVER = fileURLToPath(new URL("../test/kit/upstream/stdio-server.ts", import.meta.url));
const TOOL = { name: "echo", arguments: { text: "九月分の残業時間" } };

const started = z.object({ agents: z.array(z.object({ agentId: z.string() })) });
const aTask = z.object({ taskId: z.string() });
const approvals = z.object({
  approvals: z.array(z.object({ approvalId: z.string(), version: z.number() })),
});

/**
 * A call of an upstream tool by an agent, compared with a direct one: through the daemon's socket,
 * through shim and daemon, and in an execution. The intent is committed to the audit before the call is
 * forwarded; in an execution the answer is committed too.
 */
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
  const server = aProgram([SERVER], place.env);
  const direct = callOf(await connected(context, server));

  const token = await tokenOfAnAgent(context, place);
  const env = { ...place.env, KUROMAJUTSU_AGENT_TOKEN: token };
  const agent = await connected(context, aSocket(context, place, token));
  const shimmed = await connected(context, aProgram([context.product.bin, "mcp"], env));
  const commit = aBareCommit(context, place);
  // Every call is in the audit before it is forwarded.
  const recorded = async () => {
    commit();
    await direct();
  };
  const plain = await compare(context, "gateway call by an agent", callOf(agent), recorded);
  const shim = await compare(context, "the same through the shim", callOf(shimmed), recorded);

  const { taskId } = aTask.parse(await rest(place, "POST", "/api/tasks", { text: "bench" }));
  await approveAll(place, taskId, 2);
  const executor = await cli.nextExecutor();
  const link = aSocket(context, place, executor.token);
  const durable = await compare(
    context,
    "the same in an execution",
    callOf(await connected(context, link)),
    async () => {
      await recorded();
      commit();
    },
  );
  executor.end();
  const beside = "a direct call to the same stdio server";
  return [
    { ...plain, name: `${plain.name} (floor: ${beside}, and a commit)` },
    { ...shim, name: `${shim.name} (floor: ${beside}, and a commit)` },
    { ...durable, name: `${durable.name} (floor: ${beside}, and two commits)` },
  ];
};

async function compare(
  context: Context,
  name: string,
  through: () => Promise<void>,
  direct: () => Promise<void>,
): Promise<Figure> {
  const product: number[] = [];
  const floor: number[] = [];
  context.say(`${CALLS} calls: ${name}`);
  for (let i = -WARM_UP; i < CALLS; i++) {
    const ours = await timed(through);
    const bare = await timed(direct);
    if (i < 0) continue;
    product.push(ours);
    floor.push(bare);
  }
  return { name, unit: "ms", product, floor, goal: { timesFloor: 2.5 } };
}

function callOf(client: Client): () => Promise<void> {
  return () => echo(client);
}

async function echo(client: Client): Promise<void> {
  const answer = await client.callTool(TOOL);
  const said = JSON.stringify(answer);
  if (answer.isError || !said.includes(TOOL.arguments.text)) throw new Error(said);
}

async function connected({ ends }: Context, transport: Transport): Promise<Client> {
  const client = new Client({ name: "bench", version: "1" });
  await client.connect(transport);
  ends.defer(() => client.close());
  return client;
}

function aProgram(args: string[], env: Record<string, string>): Transport {
  return new StdioClientTransport({ command: process.execPath, args, env, stderr: "ignore" });
}

/** Connects like the shim, without the shim's process. */
function aSocket({ ends }: Context, place: Place, token: string): Transport {
  const socket = connect(readDaemonFile(place)?.socketPath ?? "");
  ends.defer(() => void socket.destroy());
  const hello = { kind: "mcp", version: "1", pid: process.pid, cwd: place.dir, token, keys: {} };
  socket.write(`${JSON.stringify(hello)}\n`);
  return new StdioServerTransport(socket, socket);
}

/** The cost of a bare commit on this machine. */
function aBareCommit({ ends }: Context, place: Place): () => void {
  const db = new DatabaseSync(join(place.dir, "floor.db"));
  ends.defer(() => db.close());
  db.exec("pragma journal_mode = wal; pragma synchronous = full; create table t (x text)");
  const insert = db.prepare("insert into t values (?)");
  return () => void insert.run("x".repeat(500));
}

/** The token of an agent that runs and does nothing. */
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

/** Approves like a person, as soon as an approval is pending. */
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
