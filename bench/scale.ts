import { runBareJobs } from "./kit/bare-jobs.ts";
import type { Bench, Figure } from "./kit/bench.ts";
import { aClient, aGroup, runToTheEnd } from "./kit/client.ts";
import { aDaemon } from "./kit/daemon.ts";
import { aDatabase, type Database } from "./kit/database.ts";
import { aPlace, FAKE_CLIS } from "./kit/place.ts";
import { cpuOf, pssOf } from "./kit/proc.ts";
import { sleep, timed } from "./kit/stats.ts";
import { aWorker } from "./kit/worker.ts";

const COUNTS = [1, 2, 4, 8];
const SLOTS = 10;
const AGENT_MS = 500;
const AGENTS_PER_WORKER = 50;
const IDLE_MS = 10_000;
const env = { FAKE_AGENT_SLEEP: String(AGENT_MS / 1_000) };

/**
 * Workers behind one server on PostgreSQL. One floor is the time in which full slots would run the
 * agents; the other is pg-boss with jobs that only wait, and as many commits per job.
 */
export const scale: Bench = async (context) => {
  const database = await aDatabase(context);
  const place = aPlace(context.product, {
    path: [FAKE_CLIS],
    env: { ...env, KUROMAJUTSU_DATABASE_URL: database.url },
    config: {
      agent: { runner: "cursor", maxConcurrent: 1_000, env: Object.keys(env) },
      server: { slots: 0 },
      healthCheck: { enabled: false },
    },
  });
  await aDaemon(context, place);
  const client = await aClient(context, place);
  const groupId = await aGroup(client);
  const alone = await commitsPerSecond(database);
  const figures: Figure[] = [];
  const workers: { readonly pid: number }[] = [];
  for (const count of COUNTS) {
    while (workers.length < count) {
      workers.push(
        await aWorker(context, place, { name: `w-${workers.length}`, slots: SLOTS, env }),
      );
    }
    if (count === 1) await runToTheEnd(client, groupId, SLOTS);
    const agents = count * AGENTS_PER_WORKER;
    const before = await database.commits();
    const product = await timed(() => runToTheEnd(client, groupId, agents));
    const commits = (await database.commits()) - before;
    const slots = count * SLOTS;
    const bare = await timed(() =>
      runBareJobs({
        url: database.url,
        jobs: agents,
        slots,
        jobMs: AGENT_MS,
        commitsPerJob: Math.round(commits / agents),
      }),
    );
    const perSecond = (1_000 * agents) / product;
    const possible = (1_000 * slots) / AGENT_MS;
    context.say(
      `${count} workers: ${perSecond.toFixed(1)} agents/s of ${possible}; ` +
        `${(commits / agents).toFixed(1)} commits each; ` +
        `bare pg-boss with as many commits: ${((1_000 * agents) / bare).toFixed(1)} jobs/s`,
    );
    figures.push({
      name: `${agents} agents of ${AGENT_MS} ms on ${count} workers (floor: full slots)`,
      unit: "ms",
      product: [product],
      floor: [(agents * AGENT_MS) / slots],
      goal: { timesFloor: 1.3 },
    });
    figures.push({
      name: `${agents} agents of ${AGENT_MS} ms on ${count} workers (floor: bare pg-boss)`,
      unit: "ms",
      product: [product],
      floor: [bare],
      goal: { timesFloor: 1.3 },
    });
  }
  await sleep(IDLE_MS);
  const [{ pid } = { pid: 0 }] = workers;
  const cpu = cpuOf(pid);
  const rate = await commitsPerSecond(database);
  const idleCpu = cpuOf(pid) - cpu;
  context.say(`an idle worker: ${((rate - alone) / workers.length).toFixed(2)} transactions/s`);
  return [
    ...figures,
    {
      name: "an idle worker (Pss)",
      unit: "KB",
      product: [pssOf(pid)],
      floor: [],
      goal: { atMost: 80 * 1_024 },
    },
    {
      name: `CPU of an idle worker in ${IDLE_MS} ms`,
      unit: "ms",
      product: [idleCpu],
      floor: [],
      goal: { atMost: 100 },
    },
  ];
};

async function commitsPerSecond(database: Database): Promise<number> {
  const before = await database.commits();
  await sleep(IDLE_MS);
  return (1_000 * ((await database.commits()) - before)) / IDLE_MS;
}
