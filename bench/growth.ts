import type { Bench } from "./kit/bench.ts";
import { aClient, aGroup, runToTheEnd } from "./kit/client.ts";
import { aDaemon } from "./kit/daemon.ts";
import { aPlace, FAKE_CLIS, urlOf } from "./kit/place.ts";
import { childrenOf, pssOf } from "./kit/proc.ts";
import { aReporter } from "./kit/reporter.ts";
import { aScale, type Weight } from "./kit/scale.ts";

const FIRST = 500;
const AGENTS = 5_000;
const AT_A_TIME = 500;
const ALLOWED_KB = 50 * 1024;
const ALLOWED_LAUNCHER_KB = 15 * 1024;

/** Memory over a long day: thousands of agents report while they run, each over its own connection. */
export const growth: Bench = async (context) => {
  const log = `${context.product.dir}/started`;
  const env = { FAKE_AGENT_SLEEP: "0.3", FAKE_AGENT_LOG: log };
  const place = aPlace(context.product, {
    path: [FAKE_CLIS],
    env,
    config: { agent: { runner: "cursor", maxConcurrent: 20, env: Object.keys(env) } },
  });
  const daemon = await aDaemon(context, place, ["--inspect=127.0.0.1:0"]);
  const weigh = await aScale(context, daemon);
  const client = await aClient(context, place);
  const groupId = await aGroup(client);
  const reporter = aReporter(context, log, urlOf(place));
  let done = 0;
  const run = async (count: number): Promise<void> => {
    for (const end = done + count; done < end;) {
      done += AT_A_TIME;
      await runToTheEnd(client, groupId, AT_A_TIME);
      await reporter.reached(done);
      context.say(`${done} agents`);
    }
  };
  // The launcher is the only child that exists before the first agent and after the last.
  const launcherKb = () => Math.max(...childrenOf(daemon.pid).map(pssOf));
  await run(FIRST);
  const before = await weigh();
  const launcherBefore = launcherKb();
  context.say(JSON.stringify({ ...before, launcherBefore }));
  await run(AGENTS);
  const after = await weigh();
  const launcherAfter = launcherKb();
  context.say(JSON.stringify({ ...after, launcherAfter }));

  const figure = (key: keyof Weight, how: string) => ({
    name: `growth over ${AGENTS} agents that report (${how})`,
    unit: "KB" as const,
    product: [after[key] - before[key]],
    floor: [],
    goal: { atMost: ALLOWED_KB },
  });
  return [
    figure("liveKb", "live heap and buffers"),
    figure("pssKb", "Pss after a collection"),
    figure("foundKb", "Pss as it was found"),
    {
      name: `growth of the launcher over ${AGENTS} agents (Pss)`,
      unit: "KB" as const,
      product: [launcherAfter - launcherBefore],
      floor: [],
      goal: { atMost: ALLOWED_LAUNCHER_KB },
    },
  ];
};
