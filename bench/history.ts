import { openStore } from "../src/adapters/store/open-store.ts";
import type { Agent } from "../src/domain/agents/agent.ts";
import { NO_PROGRESS } from "../src/domain/agents/progress.ts";
import { observedResult } from "../src/domain/agents/result.ts";
import type { AgentId } from "../src/domain/ids.ts";
import { aGroup, anAgent, NOON } from "../test/kit/builders.ts";
import type { Bench, Context } from "./kit/bench.ts";
import { aClient, type Caller } from "./kit/client.ts";
import { aDaemon } from "./kit/daemon.ts";
import { aPlace } from "./kit/place.ts";
import { timed } from "./kit/stats.ts";

const MANY = 10_000;
const FEW = 10;
const CALLS = 400;
const WARM_UP = 100;

/** Answers must not become slower as the history grows. */
export const history: Bench = async (context) => {
  context.say(`writing ${MANY} finished agents`);
  const many = await withHistory(context, MANY);
  const few = await withHistory(context, FEW);
  // Pages of the same size, because longer answers take longer.
  const page = { limit: FEW };
  return [
    {
      name: `get_agent_status with ${MANY} agents (floor: with ${FEW})`,
      ...(await compare(many, few, "get_agent_status", (index) => ({ agentId: idOf(index) }))),
    },
    {
      name: `list_agents, first page, with ${MANY} agents (floor: with ${FEW})`,
      ...(await compare(many, few, "list_agents", () => page)),
    },
  ];
};

type Seeded = { readonly client: Caller; readonly count: number };

async function compare(
  many: Seeded,
  few: Seeded,
  tool: string,
  argsFor: (index: number) => Record<string, unknown>,
) {
  const product: number[] = [];
  const floor: number[] = [];
  for (let i = -WARM_UP; i < CALLS; i++) {
    // Spread over the whole history, so that not all reads hit one cached page.
    const spread = (i + WARM_UP) * 7_919;
    const ours = await timed(() => many.client.call(tool, argsFor(spread % many.count)));
    const bare = await timed(() => few.client.call(tool, argsFor(spread % few.count)));
    if (i < 0) continue;
    product.push(ours);
    floor.push(bare);
  }
  return { unit: "ms", product, floor, goal: { timesFloor: 1.5 } } as const;
}

async function withHistory(context: Context, count: number): Promise<Seeded> {
  const place = aPlace(context.product);
  const store = await openStore({ dataDir: place.dataDir });
  await store.transaction(async (unit) => {
    await unit.insertGroup(aGroup());
    for (let index = 0; index < count; index++) {
      const agent = finished(index);
      const progress = { ...NO_PROGRESS, lines: 40, toolCallCount: 3, lastMessage: "できました" };
      const end = { exitCode: 0, stderrTail: "", startError: null, survivors: [] };
      await unit.insertAgent(agent, "認証機能を実装してください。".repeat(20));
      await unit.putProgress(agent.id, progress);
      await unit.putResult(agent.id, observedResult(agent, progress, end, NOON));
      for (const type of [
        "agent:status_update",
        "agent:status_update",
        "agent:completed",
      ] as const) {
        const { id: agentId, groupId, status } = agent;
        await unit.emit({ type, groupId, agentId, data: { status }, at: NOON + index });
      }
    }
  });
  await store.close();
  await aDaemon(context, place);
  return { client: await aClient(context, place), count };
}

function finished(index: number): Agent {
  return anAgent({
    id: idOf(index),
    status: "completed",
    process: "ended",
    attempt: 1,
    exitCode: 0,
    createdAt: NOON + index,
    startedAt: NOON + index,
    endedAt: NOON + index + 500,
  });
}

const idOf = (index: number): AgentId =>
  `impl-code-1794733200-${index.toString(16).padStart(4, "0")}`;
