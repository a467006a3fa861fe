import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { migratePostgres } from "../../../src/adapters/store/postgres/migrate.ts";
import { aGroup } from "../../kit/agents.ts";
import { until } from "../../kit/daemon.ts";
import { aCutProxy } from "../../kit/postgres/cut-proxy.ts";
import { aMigratedUrl } from "../../kit/postgres/daemon-place.ts";
import { aPostgres, tcpUrl } from "../../kit/postgres/database.ts";
import { aFleet, at, type Fleet, keepRunning, keepWatching } from "../../kit/postgres/fleet.ts";
import { expectIdle, feedOf, unsettledIn } from "../../kit/postgres/idle-fleet.ts";
import { ask, isAlive, rowsOf, running, TEST_CONNECTION } from "../../kit/postgres/servers.ts";
import { HAS_ALL_ROUNDS, rounds } from "../../kit/rounds.ts";

const LEASE_MS = 2_000;
/** No agent may be lost although the machine is busy. */
const LONG_LEASE_MS = 6_000;
/** These are killed. In all rounds there is one more, whose dashboard must see every event. */
const MORTAL_SERVERS = 2;
const WORKERS = 3;
const SLOTS = 2;
const LABELS = ["repo:app"];
const SHORT = { prompt: "#rehearsal sleep 300", labels: LABELS };
/** Fills all slots. */
const LONGER = { prompt: "#rehearsal sleep 2000", labels: LABELS };
/** After each batch of faults the load pauses, and everything is checked. */
const BATCHES = rounds({ all: 34, few: 1 });
/** Faults of each kind in a batch. Kinds run at the same time. */
const FAULTS = 3;
const PAUSES = rounds({ all: 3, few: 2 });
/** PostgreSQL is killed once in every third batch. */
const OUTAGE_EVERY = 3;
const OUTAGES = 10;
/** A server needs more than a second without a fault to start. */
const MAX_GAP_MS = rounds({ all: 4_000, few: 2_000 });
const MAX_UNSETTLED = 20;
const ALL_FAULTS_MS = 3_600_000;

const random = (ms: number) => sleep(Math.random() * ms);

/** The faults of one kind, one after the other. */
async function repeat(times: number, fault: (round: number) => Promise<void>): Promise<void> {
  for (let round = 0; round < times; round++) {
    await random(MAX_GAP_MS);
    await fault(round);
  }
}

/** No process ends by itself, whatever happens to others. */
function expectAllRun(processes: readonly { readonly exitCode: number | null }[]): void {
  expect(processes.map(({ exitCode }) => exitCode)).toEqual(processes.map(() => null));
}

async function killServer(fleet: Fleet, round: number): Promise<void> {
  const index = round % MORTAL_SERVERS;
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

/** What is killed and watched: servers and workers on this database, under load. */
async function aFleetUnderLoad(
  url: string,
  servers: number,
  { leaseMs, spec } = { leaseMs: LEASE_MS, spec: SHORT },
) {
  const proxy = await aCutProxy(url);
  const delivered = await feedOf(proxy.url);
  const fleet = await aFleet(proxy.url, {
    servers,
    workers: WORKERS,
    slots: SLOTS,
    labels: LABELS,
    leaseMs,
  });
  const done = new AbortController();
  const { follower, watching } = keepWatching(fleet, done.signal);
  const lasting = fleet.servers[MORTAL_SERVERS];
  const steady = lasting && keepWatching(lasting, done.signal);
  const load = keepRunning(fleet, await aGroup(at(fleet.servers, 0).main), spec, {
    everyMs: 600,
    isEnough: async () => (await unsettledIn(url)) > MAX_UNSETTLED,
  });
  const watched = { url, fleet, load, delivered, follower, steady: steady?.follower };
  return {
    ...watched,
    proxy,
    check: async ({ mayBeLost }: { readonly mayBeLost: boolean }) => {
      await load.pause();
      await expectIdle({ ...watched, mayBeLost });
    },
    stop: async () => {
      await load.stop();
      done.abort();
      await Promise.all([watching, steady?.watching]);
    },
  };
}

/** Every slot is free: all of them run an agent at the same time. */
async function expectAllSlots(fleet: Fleet): Promise<void> {
  const hang = { prompt: "#rehearsal hang", labels: LABELS };
  const last = await running(
    at(fleet.servers, 0),
    Array.from({ length: WORKERS * SLOTS }, () => hang),
  );
  await ask(at(fleet.servers, 0), "POST", `/api/groups/${last.groupId}/stop`);
  await until(() => last.agentIds.every((id) => !isAlive(id)));
}

/** The server of the run is used by other tests, so only one of our own is killed. */
async function aPostgresToKill() {
  const postgres = await aPostgres();
  await migratePostgres(postgres.url);
  return { ...postgres, url: tcpUrl(postgres.url) };
}

async function killPostgres(
  postgres: Pick<Awaited<ReturnType<typeof aPostgresToKill>>, "kill9" | "start">,
  awayMs: number,
): Promise<void> {
  await postgres.kill9();
  await sleep(awayMs);
  await postgres.start();
}

test(
  "servers, workers and connections that die at random moments neither lose nor repeat an agent",
  { timeout: ALL_FAULTS_MS },
  async () => {
    const postgres = HAS_ALL_ROUNDS ? await aPostgresToKill() : undefined;
    const url = postgres?.url ?? (await aMigratedUrl());
    const servers = rounds({ all: MORTAL_SERVERS + 1, few: MORTAL_SERVERS });
    const { fleet, proxy, load, check, stop } = await aFleetUnderLoad(url, servers);

    for (let batch = 0; batch < BATCHES; batch++) {
      load.resume();
      const outages = batch % OUTAGE_EVERY === 1 ? 1 : 0;
      await Promise.all([
        repeat(FAULTS, (round) => killServer(fleet, batch * FAULTS + round)),
        repeat(FAULTS, (round) => killWorker(fleet, batch * FAULTS + round)),
        repeat(PAUSES, () => pauseWorker(fleet)),
        repeat(FAULTS, async (round) => {
          // PostgreSQL may be away.
          if (round % 2 === 0) return void (await rowsOf(url, CUT_CONNECTIONS).catch(() => []));
          proxy.cut();
          await random(LEASE_MS);
          proxy.restore();
        }),
        postgres && repeat(outages, () => killPostgres(postgres, Math.random() * 2 * LEASE_MS)),
      ]);
      await check({ mayBeLost: true });
    }
    expect(load.acknowledged.length).toBeGreaterThan(BATCHES * FAULTS);

    await expectAllSlots(fleet);
    await stop();
  },
);

test.runIf(HAS_ALL_ROUNDS)(
  "PostgreSQL that is killed under load loses no agent of a worker, and each one is run and shown once",
  { timeout: ALL_FAULTS_MS },
  async () => {
    const postgres = await aPostgresToKill();
    const servers = MORTAL_SERVERS + 1;
    const { load, check, stop, fleet } = await aFleetUnderLoad(postgres.url, servers, {
      leaseMs: LONG_LEASE_MS,
      spec: LONGER,
    });

    for (let outage = 0; outage < OUTAGES; outage++) {
      load.resume();
      await until(async () => (await unsettledIn(postgres.url)) > WORKERS * SLOTS);
      await random(1_000);
      // Every other outage is longer than the leases.
      await killPostgres(postgres, outage % 2 === 0 ? 300 : 1.5 * LONG_LEASE_MS);
      await random(2_000);
      await check({ mayBeLost: false });
    }
    expect(load.acknowledged.length).toBeGreaterThan(OUTAGES * WORKERS * SLOTS);

    await expectAllSlots(fleet);
    await stop();
  },
);
