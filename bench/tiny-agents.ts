import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import type { Bench } from "./kit/bench.ts";
import { aClient, aGroup, runToTheEnd } from "./kit/client.ts";
import { aDaemon } from "./kit/daemon.ts";
import { aHelper } from "./kit/helper.ts";
import { aPlace, FAKE_CLIS } from "./kit/place.ts";
import { timed } from "./kit/stats.ts";

const AGENTS = 200;
const AT_ONCE = 20;
const REPETITIONS = 7;

/** Agents of 1 ms: the rest of the time is our overhead per agent. */
export const tinyAgents: Bench = async (context) => {
  const place = aPlace(context.product, {
    path: [FAKE_CLIS],
    config: { agent: { runner: "cursor", maxConcurrent: AT_ONCE } },
  });
  await aDaemon(context, place);
  const client = await aClient(context, place);
  const groupId = await aGroup(client);
  const helper = aHelper(context, new URL("./floor-spawn.ts", import.meta.url));
  const spawnAll = async (count: number): Promise<number> => {
    const dir = mkdtempSync(join(context.product.dir, "spawn-"));
    const argv = [join(FAKE_CLIS, "agent"), "--model", "none", "x"];
    return Number(await helper.ask(JSON.stringify({ dir, count, atOnce: AT_ONCE, argv })));
  };
  await runToTheEnd(client, groupId, AT_ONCE);
  await spawnAll(AT_ONCE);

  const product: number[] = [];
  const floor: number[] = [];
  for (let i = 1; i <= REPETITIONS; i++) {
    context.say(`${AGENTS} agents of 1 ms, ${i} of ${REPETITIONS}`);
    floor.push(await spawnAll(AGENTS));
    product.push(await timed(() => runToTheEnd(client, groupId, AGENTS)));
  }
  const name = `${AGENTS} agents of 1 ms, ${AT_ONCE} at once (floor: bare spawn)`;
  return [{ name, unit: "ms", product, floor, goal: { timesFloor: 1.5 } }];
};
