import type { Bench } from "./kit/bench.ts";
import { aClient, aGroup, runToTheEnd } from "./kit/client.ts";
import { aDaemon } from "./kit/daemon.ts";
import { aPlace, FAKE_CLIS } from "./kit/place.ts";
import { timed } from "./kit/stats.ts";
import { xargs } from "./kit/xargs.ts";

const AGENTS = 200;
const AT_ONCE = 20;
const REPETITIONS = 3;
const env = { FAKE_AGENT_SLEEP: "0.5" };

/** Agents that run for a while, like real ones: no slot may stay empty between two of them. */
export const agents: Bench = async (context) => {
  const place = aPlace(context.product, {
    path: [FAKE_CLIS],
    env,
    config: { agent: { runner: "cursor", maxConcurrent: AT_ONCE, env: Object.keys(env) } },
  });
  await aDaemon(context, place);
  const client = await aClient(context, place);
  const groupId = await aGroup(client);
  await runToTheEnd(client, groupId, AT_ONCE);

  const product: number[] = [];
  const floor: number[] = [];
  for (let i = 1; i <= REPETITIONS; i++) {
    context.say(`${AGENTS} agents of 500 ms, ${i} of ${REPETITIONS}`);
    floor.push(await timed(() => xargs(AGENTS, AT_ONCE, env)));
    product.push(await timed(() => runToTheEnd(client, groupId, AGENTS)));
  }
  const name = `${AGENTS} agents of 500 ms, ${AT_ONCE} at once (floor: xargs -P)`;
  return [{ name, unit: "ms", product, floor, goal: { timesFloor: 1.1 } }];
};
