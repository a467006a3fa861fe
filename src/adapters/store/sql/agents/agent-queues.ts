import { sql } from "kysely";
import type { LiveCounts, UnsettledCount } from "../../../../app/ports/store.ts";
import type { Agent } from "../../../../domain/agents/agent.ts";
import type { RunnerId } from "../../../../domain/agents/runner.ts";
import type { AgentId, GroupId } from "../../../../domain/ids.ts";
import { anyIds, idList } from "../engine/any-id.ts";
import { isPostgres } from "../engine/dialect.ts";
import { prepared } from "../engine/prepared.ts";
import type { Db } from "../engine/tables.ts";
import { LABELS, toAgent } from "./agent-row.ts";

// States are written as literals here: a partial index is not used for a bound parameter.
const WAITING = sql<"waiting">`'waiting'`;
const ENDED = sql<"ended">`'ended'`;
/** The column of an agent that uses no key of its client. */
const NO_KEYS = sql<string>`'[]'`;
const NO_LABELS = sql<string>`'[]'`;
const LIVE = sql<"starting" | "alive">`('starting', 'alive')`;

const NO_LIMIT = 2_147_483_647;
/** SQLite plans for the value of a plain `limit ?` and so compiles the query again at every call. */
const unplanned = (limit: number) => sql<number>`(${limit} + 0)`;

const selectWaiting = prepared(
  (
    db,
    slot: Agent["slot"],
    limit: number | null,
    except: readonly AgentId[],
    paused: readonly RunnerId[],
  ) =>
    db
      .selectFrom("agents")
      .selectAll()
      .where("process", "=", WAITING)
      .where("slot", "=", slot)
      .where("held", "=", sql.lit(0))
      .where("worker_id", "is", null)
      .where("id", "not in", anyIds<AgentId>(db, except))
      .where((row) =>
        row.or([
          row("client_keys", "<>", NO_KEYS),
          row("runner", "not in", anyIds<RunnerId>(db, paused)),
        ]),
      )
      .orderBy("priority", "desc")
      .orderBy("created_at")
      .orderBy("seq")
      .limit(unplanned(limit ?? NO_LIMIT)),
  (slot, limit, except, paused) => [slot, idList(except), idList(paused), limit ?? NO_LIMIT],
);

export async function listWaitingAgents(
  db: Db,
  slot: Agent["slot"],
  limit: number | null,
  except: readonly AgentId[],
  paused: readonly RunnerId[],
): Promise<readonly Agent[]> {
  const { rows } = await selectWaiting(db, slot, limit, except, paused);
  return rows.map(toAgent);
}

export async function listWaitingOfRunners(
  db: Db,
  runners: readonly RunnerId[],
): Promise<readonly Agent[]> {
  const rows = await db
    .selectFrom("agents")
    .selectAll()
    .where("process", "=", WAITING)
    .where("runner", "in", anyIds<RunnerId>(db, runners))
    .where("client_keys", "=", NO_KEYS)
    // The order of the index.
    .orderBy("slot")
    .orderBy("held")
    .orderBy("priority", "desc")
    .orderBy("created_at")
    .orderBy("seq")
    .execute();
  return rows.map(toAgent);
}

export async function listLiveAgents(
  db: Db,
  workerId: string | null = null,
): Promise<readonly Agent[]> {
  const live = db
    .selectFrom("agents")
    .selectAll()
    .where("process", "in", LIVE)
    .orderBy("created_at")
    .orderBy("seq");
  const rows = await (workerId === null ? live : live.where("worker_id", "=", workerId)).execute();
  return rows.map(toAgent);
}

export async function listTakenAgents(db: Db, workerId: string): Promise<readonly Agent[]> {
  const rows = await db
    .selectFrom("agents")
    .selectAll()
    .where("process", "=", WAITING)
    .where("worker_id", "=", workerId)
    .orderBy("priority", "desc")
    .orderBy("created_at")
    .orderBy("seq")
    .execute();
  return rows.map(toAgent);
}

export async function listAgentsResuming(
  db: Db,
  runner: RunnerId,
  sessionId: string,
): Promise<readonly Agent[]> {
  const rows = await db
    .selectFrom("agents")
    .selectAll()
    .where("resume_session", "=", sessionId)
    .where("runner", "=", runner)
    .orderBy("seq")
    .execute();
  return rows.map(toAgent);
}

export async function listUnsettledAgents(db: Db, groupId: GroupId): Promise<readonly Agent[]> {
  const rows = await db
    .selectFrom("agents")
    .selectAll()
    .where("group_id", "=", groupId)
    .where("process", "<>", ENDED)
    .orderBy("seq")
    .execute();
  return rows.map(toAgent);
}

export async function listStageAgents(
  db: Db,
  groupId: GroupId,
  stageIndex: number,
): Promise<readonly Agent[]> {
  const rows = await db
    .selectFrom("agents")
    .selectAll()
    .where("group_id", "=", groupId)
    .where("stage_index", "=", stageIndex)
    .orderBy("seq")
    .execute();
  return rows.map(toAgent);
}

export async function listWritersIn(db: Db, tree: string): Promise<readonly AgentId[]> {
  const rows = await db
    .selectFrom("agents")
    .select("id")
    .where("tree", "=", tree)
    .where("access", "=", sql.lit("read-write"))
    .where("process", "<>", ENDED)
    .orderBy("seq")
    .execute();
  return rows.map(({ id }) => id);
}

export async function countUnsettled(db: Db, groupId: GroupId): Promise<number> {
  const { n } = await db
    .selectFrom("agents")
    .select((select) => select.fn.countAll<number>().as("n"))
    .where("group_id", "=", groupId)
    .where("process", "<>", ENDED)
    .executeTakeFirstOrThrow();
  return n;
}

const selectUnsettledByRunner = prepared(
  (db) =>
    db
      .selectFrom("agents")
      .select(({ fn }) => [
        "process",
        "runner",
        "held",
        fn.countAll<number>().as("agents"),
        fn.min("created_at").as("oldestCreatedAt"),
      ])
      .where("process", "<>", ENDED)
      .groupBy(["process", "runner", "held"]),
  () => [],
);

export async function countUnsettledByRunner(db: Db): Promise<readonly UnsettledCount[]> {
  const { rows } = await selectUnsettledByRunner(db);
  return rows.map((row) => ({ ...row, held: row.held === 1 }));
}

/** With those that a server has taken; with SQLite agents are not taken. */
const liveOrTaken = (db: Db) => {
  const agents = db.selectFrom("agents");
  return isPostgres(db)
    ? agents.where((row) =>
        row.or([
          row("process", "in", LIVE),
          row.and([row("process", "=", WAITING), row("worker_id", "is not", null)]),
        ]),
      )
    : agents.where("process", "in", LIVE);
};

export async function listLabelsInUse(db: Db): Promise<readonly (readonly string[])[]> {
  const rows = await liveOrTaken(db).select("labels").where("labels", "<>", NO_LABELS).execute();
  return rows.map(({ labels }) => LABELS.read(labels));
}

const liveCounts = (db: Db) => {
  const live = liveOrTaken(db).select(({ fn }) => fn.countAll<number>().as("n"));
  return [
    live.where("slot", "=", sql.lit("worker")).$asScalar().$notNull().as("live"),
    live.where("slot", "=", sql.lit("orchestrator")).$asScalar().$notNull().as("liveOrchestrators"),
    live.where("slot", "=", sql.lit("reserved")).$asScalar().$notNull().as("liveReserved"),
  ] as const;
};

const selectLiveCounts = prepared(
  (db) => db.selectNoFrom([...liveCounts(db)]),
  () => [],
);

export async function countLive(db: Db): Promise<LiveCounts> {
  const [counts] = (await selectLiveCounts(db)).rows;
  return counts ?? { live: 0, liveOrchestrators: 0, liveReserved: 0 };
}

/** One query, so that an agent whose state changes concurrently is counted once. */
const selectCounts = prepared(
  (db) => {
    const agents = db.selectFrom("agents").select(({ fn }) => fn.countAll<number>().as("n"));
    const waiting = agents.where("process", "=", WAITING).$asScalar().$notNull().as("waiting");
    return db.selectNoFrom([waiting, ...liveCounts(db)]);
  },
  () => [],
);

export async function countByProcess(db: Db): Promise<LiveCounts & { readonly waiting: number }> {
  const [counts] = (await selectCounts(db)).rows;
  return counts ?? { waiting: 0, live: 0, liveOrchestrators: 0, liveReserved: 0 };
}
