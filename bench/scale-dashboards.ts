import { z } from "zod";
import type { Bench } from "./kit/bench.ts";
import { aClient, aGroup, runToTheEnd } from "./kit/client.ts";
import { aDaemon } from "./kit/daemon.ts";
import { aDatabase } from "./kit/database.ts";
import { aHelper, type Helper } from "./kit/helper.ts";
import { aPlace, urlOf } from "./kit/place.ts";
import { aTalker } from "./kit/talker.ts";

const DASHBOARDS_EACH = 25;
const AGENTS = 10;
const EVENTS = 2_000;
const OVER_MS = 2_000;
const REPETITIONS = 3;

const seen = z.object({ frames: z.number(), events: z.number(), p50: z.number(), p99: z.number() });

/**
 * Fifty dashboards, half of them on a server that does not run the agents. The floor is the lag at the
 * server that runs them, in the same run.
 */
export const scaleDashboards: Bench = async (context) => {
  const { url } = await aDatabase(context);
  const options = {
    path: [aTalker(context.product, EVENTS, OVER_MS)],
    env: { KUROMAJUTSU_DATABASE_URL: url },
  };
  const agent = { runner: "cursor", maxConcurrent: AGENTS };
  const runs = aPlace(context.product, { ...options, config: { agent } });
  const other = aPlace(context.product, { ...options, config: { agent, server: { slots: 0 } } });
  await aDaemon(context, runs);
  await aDaemon(context, other);
  const client = await aClient(context, runs);
  const groupId = await aGroup(client);
  const clients = new URL("./dashboard-clients.ts", import.meta.url);
  const [here, there] = [aHelper(context, clients), aHelper(context, clients)];
  const openAll = (helper: Helper, place: typeof runs) =>
    helper.ask(JSON.stringify({ open: urlOf(place), count: DASHBOARDS_EACH }));

  const lags: { here: number[]; there: number[] } = { here: [], there: [] };
  for (let round = 0; round <= REPETITIONS; round++) {
    await Promise.all([openAll(here, runs), openAll(there, other)]);
    await runToTheEnd(client, groupId, AGENTS);
    const [own, others] = await Promise.all([lagOf(here), lagOf(there)]);
    context.say(
      `each dashboard was told ${own.events / DASHBOARDS_EACH} events at the server that runs the agents ` +
        `(half within ${own.p50} ms), ${others.events / DASHBOARDS_EACH} at the other one (${others.p50} ms)`,
    );
    // The first round loads code.
    if (round === 0) continue;
    lags.here.push(own.p99);
    lags.there.push(others.p99);
  }
  return [
    {
      name: `lag p99 of ${2 * DASHBOARDS_EACH} dashboards, at another server (floor: the agents' server)`,
      unit: "ms",
      product: lags.there,
      floor: lags.here,
      goal: { atMost: 200 },
    },
  ];
};

async function lagOf(helper: Helper): Promise<z.infer<typeof seen>> {
  return seen.parse(JSON.parse(await helper.ask("{}")));
}
