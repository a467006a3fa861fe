import { request } from "node:http";
import type { Bench, Context, Figure } from "./kit/bench.ts";
import { aClient, aGroup, runToTheEnd } from "./kit/client.ts";
import { aDaemon } from "./kit/daemon.ts";
import { aHelper } from "./kit/helper.ts";
import { aPlace, FAKE_CLIS, urlOf } from "./kit/place.ts";
import { cpuFor, idleOf } from "./kit/proc.ts";
import { aReporter } from "./kit/reporter.ts";
import { sleep, timed } from "./kit/stats.ts";

const AGENTS = 100;
const WARM_UP = 20;
const REPETITIONS = 3;
/** A report like that of a rehearsal, without the headers of its request. */
const BODY = JSON.stringify({ jsonrpc: "2.0", id: 1, params: { response: "報告".repeat(180) } });

/** For a warmed-up daemon, and agents that use little CPU. */
const LIGHT_WARM_UPS = 4;
const LIGHT_AGENTS = 500;

/** CPU of the daemon for the whole life of an agent that reports over MCP. */
export const reports: Bench = async (context) => {
  const rehearsal = await amongHeavyAgents(context);
  const few = await amongLightAgents(context, 10);
  return [rehearsal, few, await amongLightAgents(context, 50)];
};

/** Each agent is a Node process on the same cores. */
async function amongHeavyAgents(context: Context): Promise<Figure> {
  const place = aPlace(context.product, {
    config: { agent: { runner: "rehearsal", maxConcurrent: 4 } },
  });
  const daemon = await aDaemon(context, place);
  const client = await aClient(context, place);
  // Measured before the work, because garbage collection continues for a while after it.
  const idle = await idleOf(daemon.pid);
  const groupId = await aGroup(client);
  const helper = aHelper(context, new URL("./floor-echo.ts", import.meta.url));
  const port = Number(await helper.ask("listen"));
  const warmUp = await timed(() => runToTheEnd(client, groupId, WARM_UP));
  const pauseMs = warmUp / WARM_UP;

  const product: number[] = [];
  const floor: number[] = [];
  for (let i = 1; i <= REPETITIONS; i++) {
    context.say(`${AGENTS} reporting agents, ${i} of ${REPETITIONS}`);
    // At the same time and rate: the same code costs more on busy cores.
    const [ours, bare] = await Promise.all([
      cpuFor(daemon.pid, idle, () => runToTheEnd(client, groupId, AGENTS)),
      cpuFor(helper.pid, 0, () => echoAll(port, AGENTS, pauseMs)),
    ]);
    product.push(ours / AGENTS);
    floor.push(bare / AGENTS);
  }
  const name = "server CPU per reporting agent (floor: one HTTP echo)";
  return { name, unit: "ms", product, floor, goal: { atMost: 3 } };
}

/**
 * Light agents, as on an otherwise idle machine: shell scripts, and one process that reports for all.
 * With few at once the daemon wakes up for each of them, with cold CPU caches.
 */
async function amongLightAgents(context: Context, atOnce: number): Promise<Figure> {
  const log = `${context.product.dir}/reporting-${atOnce}`;
  const env = { FAKE_AGENT_SLEEP: "0.1", FAKE_AGENT_LOG: log };
  const place = aPlace(context.product, {
    path: [FAKE_CLIS],
    env,
    config: { agent: { runner: "cursor", maxConcurrent: atOnce, env: Object.keys(env) } },
  });
  const daemon = await aDaemon(context, place);
  const client = await aClient(context, place);
  const idle = await idleOf(daemon.pid);
  const groupId = await aGroup(client);
  const reporter = aReporter(context, log, urlOf(place));
  let done = 0;
  const run = async (count: number): Promise<void> => {
    await runToTheEnd(client, groupId, count);
    await reporter.reached((done += count));
  };
  context.say(`${LIGHT_WARM_UPS * LIGHT_AGENTS} light agents, ${atOnce} at once, not counted`);
  const helper = aHelper(context, new URL("./floor-echo.ts", import.meta.url));
  const port = Number(await helper.ask("listen"));
  let pauseMs = 0;
  for (let i = 0; i < LIGHT_WARM_UPS; i++) {
    pauseMs = (await timed(() => run(LIGHT_AGENTS))) / LIGHT_AGENTS;
  }
  const product: number[] = [];
  const floor: number[] = [];
  for (let i = 1; i <= REPETITIONS; i++) {
    context.say(`${LIGHT_AGENTS} light agents, ${i} of ${REPETITIONS}`);
    const [ours, bare] = await Promise.all([
      cpuFor(daemon.pid, idle, () => run(LIGHT_AGENTS)),
      cpuFor(helper.pid, 0, () => echoAll(port, LIGHT_AGENTS, pauseMs)),
    ]);
    product.push(ours / LIGHT_AGENTS);
    floor.push(bare / LIGHT_AGENTS);
  }
  const name = `the same for light agents, ${atOnce} at once, after two thousand`;
  return { name, unit: "ms", product, floor, goal: { atMost: 3 } };
}

/** One connection per agent, like real agents. */
async function echoAll(port: number, count: number, pauseMs: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    await echo(port);
    await sleep(pauseMs);
  }
}

function echo(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const asked = request({ port, method: "POST", agent: false }, (answer) => {
      answer.resume();
      answer.once("end", resolve);
    });
    asked.once("error", reject);
    asked.end(BODY);
  });
}
