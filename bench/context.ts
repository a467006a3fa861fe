import { z } from "zod";
import { wireTool } from "../src/doors/mcp/create-mcp-server.ts";
import type { Caller as CallerKind } from "../src/doors/mcp/define-tool.ts";
import { TOOLS } from "../src/doors/mcp/tools.ts";
import type { Bench, Figure } from "./kit/bench.ts";
import { aClient, aGroup, waitForAll, type Caller } from "./kit/client.ts";
import { aDaemon } from "./kit/daemon.ts";
import { aPlace } from "./kit/place.ts";

const AGENTS = 10;
const RUN_GOAL_KB = 5;
/** The limit of any single answer about ten agents, without their own texts. */
const ANSWER_GOAL_KB = 3;
const LIST_GOALS_KB = { client: 14, orchestrator: 12, executor: 4, agent: 4 } as const;

/**
 * What a main agent's model has to read before and during a run of ten agents, because users pay for
 * tokens. An answer is counted once: clients show either its text or its structured copy.
 */
export const context: Bench = async (benchmark) => {
  const place = aPlace(benchmark.product, {
    config: { agent: { runner: "rehearsal", maxConcurrent: AGENTS } },
  });
  await aDaemon(benchmark, place);
  const client = counting(await aClient(benchmark, place));
  benchmark.say(`a run of ${AGENTS} rehearsal agents, and their tool lists`);
  await runOfTen(client);
  const run = client.figures();
  const total = sum(run.map(({ product }) => sum(product)));
  const ownTexts = sum(run.map(({ floor }) => sum(floor)));
  await starts(client);
  return [
    ...run,
    {
      name: `all of it, besides the agents' own texts (floor: those texts)`,
      unit: "KB",
      product: [total - ownTexts],
      floor: [ownTexts],
      goal: { atMost: RUN_GOAL_KB },
    },
    ...client.figures().slice(run.length),
    ...toolLists(),
  ];
};

const started = z.object({ agents: z.array(z.object({ agentId: z.string() })) });

async function runOfTen(client: Counting): Promise<void> {
  const groupId = await aGroup(client);
  const agents = Array.from({ length: AGENTS }, () => ({
    role: "impl-code",
    prompt: "Write a greeting",
  }));
  const answer = await client.call("run_agents", { groupId, agents });
  const agentIds = started.parse(answer).agents.map(({ agentId }) => agentId);
  // One chunk that ends early, as for clients with a short time-out.
  const { cursor } = await client.call("wait_agent", { agentIds, maxBlock_ms: 0 });
  await client.call("wait_agent", { agentIds, ...(typeof cursor === "string" && { cursor }) });
  await client.call("get_agent_status", { agentIds });
  await client.call("delete_group", { groupId });
}

/** Outside that run: the other ways to start agents, and the calls that read. */
async function starts(client: Counting): Promise<void> {
  const groupId = await aGroup(client, "sequential");
  const task = { role: "impl-code", prompt: "Write a greeting" };
  const stages = [3, 4, 3].map((count) => ({ tasks: Array.from({ length: count }, () => task) }));
  await waitForAll(client, await client.call("run_sequential", { groupId, stages }));
  await client.call("list_agents", { groupId });
  await client.call("list_agents", { groupId, fields: ["status"] });
  await client.call("list_roles", {});
}

type Counting = Caller & { figures(): Figure[] };

/** Records the size of every answer, and the part of it that agents wrote. */
function counting(client: Caller): Counting {
  const seen: Figure[] = [];
  return {
    figures: () => [...seen],
    async call(name, args) {
      const answer = await client.call(name, args);
      const bytes = Buffer.byteLength(JSON.stringify(answer));
      const own = ownTextsIn(answer);
      const shown = Object.keys(args).filter((key) => key !== "agents" && key !== "stages");
      seen.push({
        name: `answer of ${name} (${shown.join(", ")})`,
        unit: "KB",
        product: [bytes / 1024],
        floor: own === 0 ? [] : [own / 1024],
        goal: { atMost: ANSWER_GOAL_KB + Math.ceil(own / 1024) },
      });
      return answer;
    },
  };
}

const OWN_TEXTS = new Set(["summary", "response"]);

function ownTextsIn(value: unknown, key = ""): number {
  if (typeof value === "string") {
    return OWN_TEXTS.has(key) ? Buffer.byteLength(JSON.stringify(value)) - 2 : 0;
  }
  if (typeof value !== "object" || value === null) return 0;
  return sum(Object.entries(value).map(([name, inner]) => ownTextsIn(inner, name)));
}

/** The floor is the minimum a model needs: names and descriptions of the tools. */
function toolLists(): Figure[] {
  const kinds: readonly (keyof typeof LIST_GOALS_KB & CallerKind)[] = [
    "client",
    "orchestrator",
    "executor",
    "agent",
  ];
  return kinds.map((kind) => {
    const tools = TOOLS.filter(({ callers }) => callers.includes(kind)).map(wireTool);
    return {
      name: `tools/list of ${kind}: ${tools.length} tools (floor: their names and descriptions)`,
      unit: "KB",
      product: [Buffer.byteLength(JSON.stringify({ tools })) / 1024],
      floor: [sum(tools.map((tool) => wordsIn(tool))) / 1024],
      goal: { atMost: LIST_GOALS_KB[kind] },
    };
  });
}

function wordsIn({ name, description = "" }: { name: string; description?: string | undefined }) {
  return Buffer.byteLength(name + description);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
