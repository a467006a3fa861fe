import type { Bench } from "./kit/bench.ts";
import { aClient, aGroup, waitForAll } from "./kit/client.ts";
import { aDaemon } from "./kit/daemon.ts";
import { aPlace, FAKE_CLIS } from "./kit/place.ts";
import { timed } from "./kit/stats.ts";
import { xargs } from "./kit/xargs.ts";

const STAGES = 20;
const TASKS = 5;
const REPETITIONS = 2;
const env = { FAKE_AGENT_SLEEP: "1" };

/** Stages: no time may be lost between the last agent of one and the first of the next. */
export const stages: Bench = async (context) => {
  const place = aPlace(context.product, {
    path: [FAKE_CLIS],
    env,
    config: { agent: { runner: "cursor", maxConcurrent: TASKS, env: Object.keys(env) } },
  });
  await aDaemon(context, place);
  const client = await aClient(context, place);
  const runPlan = async (length: number): Promise<void> => {
    const groupId = await aGroup(client, "sequential");
    const tasks = Array.from({ length: TASKS }, () => ({ role: "impl-code", prompt: "bench" }));
    const plan = Array.from({ length }, () => ({ tasks }));
    await waitForAll(client, await client.call("run_sequential", { groupId, stages: plan }));
  };
  await runPlan(1);

  const product: number[] = [];
  const floor: number[] = [];
  for (let i = 1; i <= REPETITIONS; i++) {
    context.say(`${STAGES} stages of ${TASKS} agents of 1 s, ${i} of ${REPETITIONS}`);
    floor.push(
      await timed(async () => {
        for (let stage = 0; stage < STAGES; stage++) await xargs(TASKS, TASKS, env);
      }),
    );
    product.push(await timed(() => runPlan(STAGES)));
  }
  const name = `${STAGES} stages of ${TASKS} agents of 1 s (floor: xargs -P each)`;
  return [{ name, unit: "ms", product, floor, goal: { atMost: STAGES * 1_000 * 1.05 } }];
};
