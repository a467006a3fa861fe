import { expect, test } from "vitest";
import { playAgents, playGroups, playOrchestrator, playPlans } from "../compat/mcp-scenarios.ts";
import { playTask, playTaskTools } from "../compat/task-scenarios.ts";
import { aRecordedClient, type Json, upstream } from "../compat/world.ts";
import { type Deployment, onPostgres, onSqlite } from "../kit/postgres/deployments.ts";

type Options = { readonly config?: Json; readonly listens?: boolean };

/** Plays the same script on both set-ups, and returns what was asked and answered. */
async function playBoth(play: (deployment: Deployment) => Promise<void>, options: Options = {}) {
  const played = async (open: typeof onSqlite) => {
    const deployment = await open(options.config, { listens: options.listens ?? false });
    await play(deployment);
    return deployment.exchanges();
  };
  const [sqlite, postgres] = await Promise.all([played(onSqlite), played(onPostgres)]);
  return { sqlite, postgres };
}

/** The tools of the first version, which every client of it knows. */
const TEN_TOOLS = [
  "create_group",
  "delete_group",
  "run_agents",
  "run_sequential",
  "run_magentic",
  "list_agents",
  "get_agent_status",
  "wait_agent",
  "report_result",
  "list_roles",
];

test("the ten original tools answer the same on SQLite and on two servers with PostgreSQL", async () => {
  const { sqlite, postgres } = await playBoth(async ({ world, over }) => {
    await upstream(world);
    const main = await aRecordedClient(world.recorder, "main", over());
    await main.list();
    await main.call("list_roles");
    await playGroups(world, main);
    await playPlans(world, main);
    await playOrchestrator(world, over);
    await playAgents(world, over);
  });

  expect(postgres).toEqual(sqlite);
  const called = (tool: string) => sqlite.some(({ request }) => request.includes(`: ${tool} `));
  expect(TEN_TOOLS.filter((tool) => !called(tool))).toEqual([]);
});

test("a task is drafted, approved, blocked, unblocked and completed the same on SQLite and on two servers with PostgreSQL", async () => {
  const { sqlite, postgres } = await playBoth(({ world }) => playTask(world), { listens: true });

  expect(postgres).toEqual(sqlite);
});

test("the block of a task reaches its executor the same on SQLite and on two servers with PostgreSQL", async () => {
  const { sqlite, postgres } = await playBoth(
    async ({ world, over }) => {
      await upstream(world);
      await playTaskTools(world, await aRecordedClient(world.recorder, "main", over()), over);
    },
    { config: { tasks: { holdFor_ms: 100 } } },
  );

  expect(postgres).toEqual(sqlite);
});
