import { z } from "zod";
import type { Bench } from "./kit/bench.ts";
import { aClient, aGroup, runToTheEnd } from "./kit/client.ts";
import { aDaemon } from "./kit/daemon.ts";
import { aHelper } from "./kit/helper.ts";
import { aPlace, urlOf } from "./kit/place.ts";
import { cpuFor, idleOf } from "./kit/proc.ts";
import { timed } from "./kit/stats.ts";
import { aTalker } from "./kit/talker.ts";

const DASHBOARDS = 50;
const AGENTS = 10;
const EVENTS = 2_000;
const OVER_MS = 2_000;
const REPETITIONS = 5;

const seen = z.object({ frames: z.number(), events: z.number(), p50: z.number(), p99: z.number() });
type Sample = { readonly cpu: number; readonly wall: number };

/** The cost of open dashboards for the daemon and the agents, and the lag of their events. */
export const dashboards: Bench = async (context) => {
  const place = aPlace(context.product, {
    path: [aTalker(context.product, EVENTS, OVER_MS)],
    config: { agent: { runner: "cursor", maxConcurrent: AGENTS } },
  });
  const daemon = await aDaemon(context, place);
  const client = await aClient(context, place);
  const groupId = await aGroup(client);
  // In separate processes, so that the CPU of the dashboards is not counted for the daemon.
  const watchers = aHelper(context, new URL("./dashboard-clients.ts", import.meta.url));
  const bare = aHelper(context, new URL("./floor-live.ts", import.meta.url));
  const bareUrl = await bare.ask("listen");

  const work = (): Promise<void> => runToTheEnd(client, groupId, AGENTS);
  /** The p99 lag of the events meanwhile. */
  const lagOf = async (url: string, meanwhile: () => Promise<unknown>): Promise<number> => {
    await watchers.ask(JSON.stringify({ open: url, count: DASHBOARDS }));
    await meanwhile();
    const found = seen.parse(JSON.parse(await watchers.ask("{}")));
    context.say(
      `each was told ${found.events / DASHBOARDS} events in ${found.frames / DASHBOARDS} frames, half within ${found.p50} ms`,
    );
    return found.p99;
  };
  await lagOf(urlOf(place), work);
  const idle = await idleOf(daemon.pid);
  const measure = async (into: Sample[]): Promise<void> => {
    let wall = 0;
    const cpu = await cpuFor(daemon.pid, idle, async () => (wall = await timed(work)));
    into.push({ cpu, wall });
  };

  const watched: Sample[] = [];
  const alone: Sample[] = [];
  const lag: number[] = [];
  const bareLag: number[] = [];
  for (let i = 1; i <= REPETITIONS; i++) {
    context.say(`${AGENTS} agents of ${EVENTS} events, ${i} of ${REPETITIONS}`);
    await measure(alone);
    lag.push(await lagOf(urlOf(place), () => measure(watched)));
    // The same agents at the same time, but the dashboards watch a server that only sends.
    bareLag.push(await lagOf(bareUrl, () => Promise.all([bare.ask("send"), work()])));
  }
  const name = `${DASHBOARDS} dashboards on ${AGENTS} agents of ${EVENTS} events`;
  const both = (key: keyof Sample) => ({
    unit: "ms" as const,
    product: watched.map((sample) => sample[key]),
    floor: alone.map((sample) => sample[key]),
  });
  return [
    { ...both("cpu"), name: `server CPU, ${name} (floor: none)`, goal: { aboveFloor: 300 } },
    { ...both("wall"), name: `agents' time, ${name} (floor: none)`, goal: { timesFloor: 1.05 } },
    {
      name: `lag p99, ${name} (floor: bare ws)`,
      unit: "ms",
      product: lag,
      floor: bareLag,
      goal: { atMost: 150 },
    },
  ];
};
