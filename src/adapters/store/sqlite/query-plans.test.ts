import { DatabaseSync } from "node:sqlite";
import { type CompiledQuery, Kysely } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import type { Queries } from "../../../app/ports/store.ts";
import { toCursor } from "./cursor.ts";
import { createDialect } from "./dialect.ts";
import { migrate } from "./migrate.ts";
import { MIGRATIONS } from "./migrations/migrations.ts";
import { createQueries } from "./queries.ts";
import type { Tables } from "./tables.ts";

const cursor = toCursor({ createdAt: 1, seq: 1 });
const mine = { limit: 50, groupId: "grp-1" } as const;
const statuses = ["failed", "timedOut", "lost"] as const;

test.each<[string, RegExp, (queries: Queries) => Promise<unknown>]>([
  ["getGroup", /autoindex_groups/, (it) => it.getGroup("x")],
  ["getAgent", /autoindex_agents/, (it) => it.getAgent("x")],
  ["getAgents", /autoindex_agents/, (it) => it.getAgents(["x", "y"])],
  ["getProgress", /autoindex_agent_progress/, (it) => it.getProgress("a-b-c")],
  ["getReport", /autoindex_agent_results/, (it) => it.getReport("a-b-c")],
  ["listAgents", /agents_newest/, (it) => it.listAgents({ limit: 50 })],
  ["listAgents on", /agents_newest/, (it) => it.listAgents({ limit: 50, cursor })],
  ["listAgents of a group", /agents_by_group/, (it) => it.listAgents({ ...mine, cursor })],
  ["listAgents by status", /agents_by_status/, (it) => it.listAgents({ limit: 50, statuses })],
  [
    "listAgents of a group by status",
    /agents_by_group_and_status/,
    (it) => it.listAgents({ ...mine, cursor, statuses }),
  ],
  ["listWaitingAgents", /agents_waiting/, (it) => it.listWaitingAgents(5, ["a-b-c"])],
  ["listLiveAgents", /agents_live/, (it) => it.listLiveAgents()],
  ["countUnsettled", /agents_unsettled/, (it) => it.countUnsettled(mine.groupId)],
  ["countByProcess", /agents_waiting.*agents_live/, (it) => it.countByProcess()],
  ["findAgentByTokenHash", /agents_token/, (it) => it.findAgentByTokenHash("x")],
  ["listEvents", /PRIMARY KEY/, (it) => it.listEvents(10, 10)],
  ["lastEventSeq", /SEARCH events/, (it) => it.lastEventSeq()],
])("%s walks its index, sorts nothing and reads no history", async (_, index, ask) => {
  const plan = await planOf(ask);

  expect(plan.join(" ")).toMatch(index);
  expect(plan.filter(costsHistory)).toEqual([]);
});

/** Indexes that hold no finished agent, and those read in order until the page is full. */
const CHEAP_SCANS = /USING (COVERING )?INDEX agents_(waiting|live|newest)|json_each|CONSTANT ROW/;

function costsHistory(step: string): boolean {
  return step.includes("TEMP B-TREE") || (step.startsWith("SCAN") && !CHEAP_SCANS.test(step));
}

async function planOf(ask: (queries: Queries) => Promise<unknown>): Promise<readonly string[]> {
  const database = new DatabaseSync(":memory:");
  onTestFinished(() => database.close());
  const asked: CompiledQuery[] = [];
  const db = new Kysely<Tables>({
    dialect: createDialect(database, "begin"),
    log: ({ query }) => {
      asked.push(query);
    },
  });
  await migrate(db, MIGRATIONS, ":memory:");
  asked.length = 0;
  await ask(createQueries((work) => work(db)));
  return asked.flatMap(({ sql }) =>
    database
      .prepare(`explain query plan ${sql}`)
      .all()
      .map((row) => String(row["detail"])),
  );
}
