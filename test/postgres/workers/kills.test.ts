import type { ChildProcess } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { openPostgresStore } from "../../../src/adapters/store/postgres/postgres-store.ts";
import { aGroup } from "../../kit/agents.ts";
import { command, until } from "../../kit/daemon.ts";
import { aCutProxy } from "../../kit/postgres/cut-proxy.ts";
import { aMigratedUrl } from "../../kit/postgres/daemon-place.ts";
import { aFleet, at, type Fleet, keepRunning, keepWatching } from "../../kit/postgres/fleet.ts";
import {
  agentRows,
  ask,
  isAlive,
  rowsOf,
  running,
  TEST_CONNECTION,
} from "../../kit/postgres/servers.ts";
import { processesWith } from "../../kit/processes.ts";
import { rounds } from "../../kit/rounds.ts";

const LEASE_MS = 2_000;
const SERVERS = 2;
const WORKERS = 3;
const SLOTS = 2;
const LABELS = ["repo:app"];
const SHORT = { prompt: "#rehearsal sleep 300", labels: LABELS };
/** Faults of each kind. */
const FAULTS = rounds({ all: 100, few: 3 });
const PAUSES = rounds({ all: 100, few: 2 });
/** A server needs more than a second without a fault to start. */
const MAX_GAP_MS = rounds({ all: 4_000, few: 2_000 });
const MAX_UNSETTLED = 20;
const ALL_FAULTS_MS = 1_800_000;

const random = (ms: number) => sleep(Math.random() * ms);

/** The faults of one kind, one after the other. Kinds run at the same time. */
async function repeat(times: number, fault: (round: number) => Promise<void>): Promise<void> {
  for (let round = 0; round < times; round++) {
    await random(MAX_GAP_MS);
    await fault(round);
  }
}

/** No process ends by itself, whatever happens to others. */
function expectAllRun(processes: readonly ChildProcess[]): void {
  expect(processes.map(({ exitCode }) => exitCode)).toEqual(processes.map(() => null));
}

async function killServer(fleet: Fleet, round: number): Promise<void> {
  const index = round % SERVERS;
  expectAllRun(fleet.servers.map(({ daemon }) => daemon.process));
  await at(fleet.servers, index).daemon.kill("SIGKILL");
  await random(500);
  await fleet.restartServer(index);
}

/** Half of them are back within the lease, and keep their agents. */
async function killWorker(fleet: Fleet, round: number): Promise<void> {
  const index = round % (WORKERS - 1);
  expectAllRun(fleet.workers.map(({ process: each }) => each));
  await at(fleet.workers, index).kill("SIGKILL");
  await random(2 * LEASE_MS);
  await fleet.restartWorker(index);
}

/** The last worker is not killed, so that it is always the same process that continues. */
async function pauseWorker(fleet: Fleet): Promise<void> {
  const { pid } = at(fleet.workers, WORKERS - 1);
  process.kill(pid, "SIGSTOP");
  await sleep(1.5 * LEASE_MS);
  await random(LEASE_MS);
  process.kill(pid, "SIGCONT");
}

const CUT_CONNECTIONS = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and application_name <> '${TEST_CONNECTION}'`;

/** Every stored end of an agent, as a server's feed delivers it. */
async function endsIn(url: string): Promise<readonly string[]> {
  const store = await openPostgresStore({ url });
  onTestFinished(() => store.close());
  const ended: string[] = [];
  store.subscribe((event) => {
    if (event.type === "agent:completed") ended.push(event.agentId);
  });
  return ended;
}

const livingAgents = () =>
  new Set(
    processesWith("KUROMAJUTSU_AGENT_ID=").flatMap(({ environment }) =>
      environment.filter((entry) => entry.startsWith("KUROMAJUTSU_AGENT_ID=")),
    ),
  );

test(
  "servers, workers and connections that die at random moments neither lose nor repeat an agent",
  { timeout: ALL_FAULTS_MS },
  async () => {
    const url = await aMigratedUrl();
    const proxy = await aCutProxy(url);
    const fleet = await aFleet(proxy.url, {
      servers: SERVERS,
      workers: WORKERS,
      slots: SLOTS,
      labels: LABELS,
      leaseMs: LEASE_MS,
    });
    const delivered = await endsIn(proxy.url);
    const groupId = await aGroup(at(fleet.servers, 0).main);
    const [asked, watched] = [new AbortController(), new AbortController()];
    const unsettled = async () =>
      (await agentRows(url)).filter(({ process }) => process !== "ended");
    const asking = keepRunning(fleet, groupId, SHORT, {
      everyMs: 600,
      isEnough: async () => (await unsettled()).length > MAX_UNSETTLED,
      done: asked.signal,
    });
    const { follower, watching } = keepWatching(fleet, watched.signal);

    await Promise.all([
      repeat(FAULTS, (round) => killServer(fleet, round)),
      repeat(FAULTS, (round) => killWorker(fleet, round)),
      repeat(PAUSES, () => pauseWorker(fleet)),
      repeat(FAULTS, async (round) => {
        if (round % 2 === 0) return void (await rowsOf(url, CUT_CONNECTIONS));
        proxy.cut();
        await random(LEASE_MS);
        proxy.restore();
      }),
    ]);
    asked.abort();
    const acknowledged = await asking;
    const isSettled = async () => (await unsettled()).length === 0;
    await until(isSettled, undefined, 120_000);

    const rows = await agentRows(url);
    const ids = rows.map(({ id }) => id).toSorted();
    const known = new Set(ids);
    expect(acknowledged.filter((id) => !known.has(id))).toEqual([]);
    expect(acknowledged.length).toBeGreaterThan(FAULTS);
    // An agent of a worker that is lost is lost; all others reported.
    const others = rows.filter(({ status }) => status !== "lost" && status !== "resultReported");
    expect(others).toEqual([]);
    const ends = await rowsOf(url, "select agent_id from events where type = 'agent:completed'");
    expect(ends.map(({ agent_id }) => String(agent_id)).toSorted()).toEqual(ids);
    await until(() => delivered.length >= ids.length);
    expect(delivered.toSorted()).toEqual(ids);
    await until(() => {
      const living = livingAgents();
      return ids.every((id) => !living.has(`KUROMAJUTSU_AGENT_ID=${id}`));
    });

    // Every slot is free: all of them run an agent at the same time.
    const hang = { prompt: "#rehearsal hang", labels: LABELS };
    const last = await running(
      at(fleet.servers, 0),
      Array.from({ length: WORKERS * SLOTS }, () => hang),
    );
    await ask(at(fleet.servers, 0), "POST", `/api/groups/${last.groupId}/stop`);
    await until(() => last.agentIds.every((id) => !isAlive(id)));
    await until(isSettled);

    const wronglyShown = async () =>
      (await agentRows(url))
        .map((row) => ({ ...row, shown: follower.stateOf(row.id)?.["status"] }))
        .filter(({ status, shown }) => shown !== status);
    await until(async () => (await wronglyShown()).length === 0).catch(() => undefined);
    expect(await wronglyShown()).toEqual([]);
    expect(follower.problems).toEqual([]);
    watched.abort();
    await watching;
    const verified = await command(at(fleet.servers, 0).place, ["audit", "verify"]);
    expect([verified.code, verified.stderr]).toEqual([0, ""]);
  },
);
