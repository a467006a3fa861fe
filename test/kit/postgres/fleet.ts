import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { anHttpClient, type TestClient } from "../daemon.ts";
import { aDashboard, aFollower } from "../live-client.ts";
import { aBalancer } from "./balancer.ts";
import { aServer, SETTINGS, startAgain, type TestServer } from "./servers.ts";
import { startWorker, type TestWorker, type WorkerOptions, aWorkerPlace } from "./workers.ts";

const STARTED_WITHIN_MS = 60_000;
const RESTART_AFTER_MS = 300;
const LOOK_EVERY_MS = 100;

/** Servers and workers whose processes are killed and started again, behind one address. */
export type Fleet = {
  readonly url: string;
  readonly servers: TestServer[];
  readonly workers: TestWorker[];
  restartServer(index: number): Promise<void>;
  restartWorker(index: number): Promise<void>;
};

export type FleetOptions = {
  readonly servers: number;
  readonly workers: number;
  readonly slots: number;
  readonly labels: readonly string[];
  readonly leaseMs: number;
};

/** Only the workers run agents. */
export async function aFleet(
  database: string,
  { leaseMs, slots, labels, ...count }: FleetOptions,
): Promise<Fleet> {
  const config = { ...SETTINGS, server: { slots: 0 }, store: { lease_ms: leaseMs } };
  const servers = await times(count.servers, () => aServer(database, config));
  const balancer = await aBalancer(() => servers.map(({ url }) => url));
  const optionsOf = (index: number): WorkerOptions => ({ name: `build-${index}`, slots, labels });
  const workers = await times(count.workers, async (index) => {
    const { id, place } = await aWorkerPlace(balancer, `build-${index}`);
    return startWorker(balancer, place, id, optionsOf(index));
  });
  return {
    url: balancer.url,
    servers,
    workers,
    async restartServer(index) {
      servers[index] = await persistently(() => startAgain(at(servers, index).place));
    },
    async restartWorker(index) {
      const { place, id } = at(workers, index);
      workers[index] = await startWorker(balancer, place, id, optionsOf(index));
    },
  };
}

/** As a service manager does: a server ends if the database does not answer when it starts. */
async function persistently<T>(start: () => Promise<T>): Promise<T> {
  for (const giveUpAt = performance.now() + STARTED_WITHIN_MS; ;) {
    try {
      return await start();
    } catch (error) {
      if (performance.now() > giveUpAt) throw error;
      await sleep(RESTART_AFTER_MS);
    }
  }
}

export function at<T>(list: readonly T[], index: number): T {
  const found = list[index];
  if (found === undefined) throw new Error(`There is no number ${index}.`);
  return found;
}

async function times<T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => make(index)));
}

const started = z.object({ agents: z.array(z.object({ agentId: z.string() })) });

export type Load = {
  /** The ids of the agents whose start was acknowledged. */
  readonly acknowledged: readonly string[];
  /** Resolves when no request is under way. */
  pause(): Promise<void>;
  resume(): void;
  stop(): Promise<void>;
};

/** Starts agents, two at a time, while not too many wait. */
export function keepRunning(
  { url }: Pick<Fleet, "url">,
  groupId: string,
  spec: { readonly prompt: string; readonly labels: readonly string[] },
  { everyMs, isEnough }: { readonly everyMs: number; readonly isEnough: () => Promise<boolean> },
): Load {
  const acknowledged: string[] = [];
  let client: TestClient | undefined;
  let isPaused = false;
  const stopped = new AbortController();
  let turn = Promise.resolve();

  async function start(): Promise<void> {
    try {
      client ??= await anHttpClient(url);
      const agents = [spec, spec].map((each) => ({ role: "impl-code", ...each }));
      const answer = started.safeParse(await client.call("run_agents", { groupId, agents }));
      if (answer.success) acknowledged.push(...answer.data.agents.map(({ agentId }) => agentId));
    } catch {
      // The server was killed: whether the agents were stored is not known.
      client = undefined;
    }
  }
  async function keepStarting(): Promise<void> {
    while (!stopped.signal.aborted) {
      const next = sleep(everyMs);
      const isFull = await isEnough().catch(() => true);
      if (!isFull && !isPaused) await (turn = start());
      await next;
    }
  }
  const starting = keepStarting();
  return {
    acknowledged,
    async pause() {
      isPaused = true;
      await turn;
    },
    resume: () => void (isPaused = false),
    async stop() {
      stopped.abort();
      await starting;
    },
  };
}

/** A dashboard that connects again whenever its server is gone, until the signal. */
export function keepWatching({ url }: Pick<Fleet, "url">, done: AbortSignal) {
  const follower = aFollower();
  async function watch(): Promise<void> {
    const dashboard = await aDashboard(url, follower.hello());
    let taken = 0;
    const takeNew = () => {
      for (const frame of dashboard.frames().slice(taken)) {
        follower.take(frame);
        taken++;
      }
    };
    while (!done.aborted && !dashboard.closed()) {
      takeNew();
      await sleep(LOOK_EVERY_MS);
    }
    takeNew();
    dashboard.socket.terminate();
  }
  async function watchAgain(): Promise<void> {
    while (!done.aborted) await watch().catch(() => sleep(LOOK_EVERY_MS));
  }
  return { follower, watching: watchAgain() };
}
