import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished } from "vitest";
import { z } from "zod";
import { openPostgresStore } from "../../../src/adapters/store/postgres/postgres-store.ts";
import { parseStatus } from "../../../src/adapters/supervisor/spool/status-file.ts";
import { command, until } from "../daemon.ts";
import type { aFollower } from "../live-client.ts";
import { processesWith } from "../processes.ts";
import { at, type Fleet, type Load } from "./fleet.ts";
import { agentRows, ask, rowsOf } from "./servers.ts";

const SETTLED_WITHIN_MS = 120_000;
const AGENT_ID = "KUROMAJUTSU_AGENT_ID=";

/** Everything that watches a fleet while its parts fail. */
export type Watched = {
  readonly url: string;
  readonly fleet: Fleet;
  readonly load: Pick<Load, "acknowledged">;
  /** The numbers of all stored events, as the feed of a server delivers them. */
  readonly delivered: readonly (number | null)[];
  /** A dashboard that connects again after each fault. */
  readonly follower: Follower;
  /** A dashboard whose server does not die, so it has seen every event. */
  readonly steady: Follower | undefined;
  /** Agents of a worker that was away for too long. */
  readonly mayBeLost: boolean;
};

type Follower = ReturnType<typeof aFollower>;

/** What a server's feed delivers. The connections of this one fail with all others. */
export async function feedOf(url: string): Promise<readonly (number | null)[]> {
  const store = await openPostgresStore({ url });
  onTestFinished(() => store.close());
  const numbers: (number | null)[] = [];
  store.subscribe((_, id) => {
    if (id !== null) numbers.push(id);
  });
  return numbers;
}

export async function unsettledIn(url: string): Promise<number> {
  const rows = await rowsOf(url, "select count(*)::int as n from agents where process <> 'ended'");
  return Number(rows[0]?.["n"]);
}

/** Checks all that must hold when no agent runs. */
export async function expectIdle(watched: Watched): Promise<void> {
  const { url, fleet, follower, steady } = watched;
  const isSettled = async () => (await unsettledIn(url).catch(() => 1)) === 0;
  await until(isSettled, undefined, SETTLED_WITHIN_MS);
  const processes = [
    ...fleet.servers.map(({ daemon }) => daemon.process),
    ...fleet.workers.map((worker) => worker.process),
  ];
  expect(processes.map(({ exitCode }) => exitCode)).toEqual(processes.map(() => null));
  await expectAgents(watched);
  await expectNothingLeft(fleet, url);
  await expectEvents(watched);
  for (const each of steady ? [follower, steady] : [follower]) await expectShown(url, each);
  const verified = await command(at(fleet.servers, 0).place, ["audit", "verify"]);
  expect([verified.code, verified.stderr]).toEqual([0, ""]);
}

/** Every acknowledged agent is there, was started once, and ended once. */
async function expectAgents({ url, fleet, load, mayBeLost }: Watched): Promise<void> {
  const rows = await agentRows(url);
  const ids = rows.map(({ id }) => id).toSorted();
  const known = new Set(ids);
  expect(load.acknowledged.filter((id) => !known.has(id))).toEqual([]);
  const expected = new Set(["resultReported", ...(mayBeLost ? ["lost"] : [])]);
  expect(rows.filter(({ status }) => !expected.has(status))).toEqual([]);

  const events = await eventsIn(url);
  const ends = events.filter(({ type }) => type === "agent:completed");
  expect(ends.map(({ agentId }) => String(agentId)).toSorted()).toEqual(ids);
  // Only a start stores this status. A role that is not started again has one for each agent.
  const starts = events.filter(({ type, status }) => isUpdate(type) && status === "running");
  expect(starts.map(({ agentId }) => String(agentId)).toSorted()).toEqual(ids);
  const endOf = new Map(ends.map(({ agentId, seq }) => [agentId, seq]));
  expect(starts.filter(({ agentId, seq }) => seq > (endOf.get(agentId) ?? 0))).toEqual([]);

  // What the workers say themselves: a process ran in no other attempt than the recorded one.
  const ran = attemptsOf(fleet);
  const wrong = rows.filter(({ id, attempt, status }) => {
    const attempts = ran.get(id) ?? [];
    const isOnce = attempts.length === 1 && attempts[0] === attempt;
    return !(isOnce || (status === "lost" && attempts.length === 0));
  });
  expect(wrong.map(({ id, ...row }) => ({ id, ...row, ran: ran.get(id) }))).toEqual([]);
}

const isUpdate = (type: string) => type === "agent:status_update";

/** The attempts in which a process of each agent was started, on all workers. */
function attemptsOf({ workers }: Fleet): ReadonlyMap<string, readonly number[]> {
  const attempts = workers.flatMap(({ place }) => {
    const spool = join(place.dir, "worker", "spool");
    return readdirSync(spool).flatMap((name) => {
      const [, agentId = "", attempt = ""] = /^(.+)\.(\d+)\.status$/.exec(name) ?? [];
      if (agentId === "") return [];
      const { process } = parseStatus(readFileSync(join(spool, name), "utf8"));
      return process ? [{ agentId, attempt: Number(attempt) }] : [];
    });
  });
  const byAgent = Map.groupBy(attempts, ({ agentId }) => agentId);
  return new Map([...byAgent].map(([id, all]) => [id, all.map(({ attempt }) => attempt)]));
}

const workersShape = z.object({
  workers: z.array(z.object({ name: z.string(), state: z.string(), agents: z.number() })),
});

/** No slot is taken, no process runs, and no job waits or was given up. */
async function expectNothingLeft(fleet: Fleet, url: string): Promise<void> {
  const ids = (await agentRows(url)).map(({ id }) => `${AGENT_ID}${id}`);
  const living = () => {
    const found = processesWith(AGENT_ID).flatMap(({ environment }) => environment);
    const alive = new Set(found.filter((entry) => entry.startsWith(AGENT_ID)));
    return ids.filter((id) => alive.has(id));
  };
  await until(() => living().length === 0).catch(() => undefined);
  expect(living()).toEqual([]);

  const workers = async () => {
    const { body } = await ask(at(fleet.servers, 0), "GET", "/api/workers");
    return workersShape.parse(body).workers;
  };
  const isFree = async () =>
    (await workers()).every(({ state, agents }) => state === "connected" && agents === 0);
  await until(isFree).catch(() => undefined);
  expect(await workers()).toEqual(
    fleet.workers.map(({ name }) => ({ name, state: "connected", agents: 0 })),
  );

  const jobs = () =>
    rowsOf(
      url,
      `select name, state, data from kuromajutsu_jobs.job
        where name = 'dead_letters'
          or (name = 'reactions' and state in ('created', 'retry', 'active', 'failed'))`,
    );
  await until(async () => (await jobs()).length === 0).catch(() => undefined);
  expect(await jobs()).toEqual([]);
}

/** No event was missed or came twice. */
async function expectEvents({ url, delivered, follower, steady }: Watched): Promise<void> {
  const count = async () => (await eventsIn(url)).length;
  await until(async () => delivered.length >= (await count())).catch(() => undefined);
  // One that comes twice may come late.
  await sleep(200);
  const events = await eventsIn(url);
  expect(delivered.toSorted((a, b) => Number(a) - Number(b))).toEqual(events.map(({ seq }) => seq));
  expect(follower.problems).toEqual([]);
  if (!steady) return;
  const missed = async () => missedBy(steady, await eventsIn(url));
  await until(async () => (await missed()).length === 0).catch(() => undefined);
  expect(await missed()).toEqual([]);
  expect(steady.problems).toEqual([]);
  expect([steady.count("snapshot"), steady.count("resumed")]).toEqual([1, 0]);
}

/** A frame has only the last update of each agent, so an earlier one may be part of a later one. */
function missedBy(follower: Follower, events: readonly StoredEvent[]): readonly StoredEvent[] {
  const seen = follower.ids();
  const first = Math.min(...seen);
  const lastUpdate = new Map(
    events
      .filter(({ seq, type }) => isUpdate(type) && seen.has(seq))
      .map((e) => [e.agentId, e.seq]),
  );
  return events.filter(
    ({ seq, type, agentId }) =>
      seq > first && !seen.has(seq) && !(isUpdate(type) && seq < (lastUpdate.get(agentId) ?? 0)),
  );
}

/** A dashboard shows every agent as the database has it. */
async function expectShown(url: string, follower: Follower): Promise<void> {
  const wrong = async () =>
    (await agentRows(url))
      .map(({ id, status }) => ({ id, status, shown: follower.stateOf(id)?.["status"] }))
      .filter(({ status, shown }) => shown !== status);
  await until(async () => (await wrong()).length === 0).catch(() => undefined);
  expect(await wrong()).toEqual([]);
}

const eventShape = z.object({
  seq: z.coerce.number(),
  type: z.string(),
  agentId: z.string().nullable(),
  status: z.string().nullable(),
});
type StoredEvent = z.infer<typeof eventShape>;

async function eventsIn(url: string): Promise<readonly StoredEvent[]> {
  const rows = await rowsOf(
    url,
    `select seq, type, agent_id as "agentId", data::json ->> 'status' as status
      from events order by seq`,
  );
  return z.array(eventShape).parse(rows);
}
