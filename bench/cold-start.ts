import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Bench, Context } from "./kit/bench.ts";
import { aDaemon, endStrayDaemon, isServed } from "./kit/daemon.ts";
import { aPlace, type Place } from "./kit/place.ts";
import { timed, until } from "./kit/stats.ts";

const WITH_DAEMON = 25;
const WITHOUT_DAEMON = 9;

const HELLO = {
  id: 0,
  method: "initialize",
  params: {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "bench", version: "1" },
  },
};
const LIST_TOOLS = [{ method: "notifications/initialized" }, { id: 1, method: "tools/list" }];

/**
 * What an MCP client waits for: the time from the start of `kuromajutsu mcp` to its first answer, which
 * does not need the daemon, and to the list of tools, which does.
 */
export const coldStart: Bench = async (context) => {
  const running = aPlace(context.product);
  const stopped = aPlace(context.product);
  await aDaemon(context, running);
  context.ends.defer(() => endStrayDaemon(stopped));
  // One uncounted run: the compile cache is written when a program ends.
  await toAnswer(context, running);
  await startWith(context, stopped);

  const bare: number[] = [];
  const shim: number[] = [];
  context.say(`${WITH_DAEMON} starts with a daemon`);
  for (let i = 0; i < WITH_DAEMON; i++) {
    bare.push(await bareNode(context));
    shim.push(await toAnswer(context, running));
  }

  const bareAgain: number[] = [];
  const withData: number[] = [];
  const firstEver: number[] = [];
  const untilTools: number[] = [];
  context.say(`${WITHOUT_DAEMON} starts without one, with and without data`);
  for (let i = 0; i < WITHOUT_DAEMON; i++) {
    bareAgain.push(await bareNode(context));
    withData.push(await startWith(context, stopped));
    firstEver.push(await startWith(context, aPlace(context.product)));
    untilTools.push(await startWith(context, stopped, "tools"));
  }

  const common = { unit: "ms" } as const;
  return [
    { ...common, name: "cold start", product: shim, floor: bare, goal: { timesFloor: 1.5 } },
    {
      ...common,
      name: "cold start, no daemon",
      product: withData,
      floor: bareAgain,
      goal: { timesFloor: 6 },
    },
    {
      ...common,
      name: "cold start, no daemon and no data",
      product: firstEver,
      floor: bareAgain,
      goal: { timesFloor: 6 },
    },
    {
      ...common,
      name: "the same until the tools are listed, no daemon",
      product: untilTools,
      floor: bareAgain,
      // A longer start would need a progress display.
      goal: { atMost: 1_000 },
    },
  ];
};

function bareNode({ product }: Context): Promise<number> {
  return timed(async () => {
    const child = spawn(process.execPath, ["-e", "0"], {
      env: { PATH: "/usr/bin:/bin", TMPDIR: product.tmp },
      stdio: ["pipe", "pipe", "ignore"],
    });
    await once(child, "exit");
  });
}

type Until = "hello" | "tools";

async function startWith(context: Context, place: Place, wanted?: Until): Promise<number> {
  const took = await toAnswer(context, place, wanted);
  // The daemon may answer before it has written daemon.json.
  await until(() => isServed(place), "the daemon's file");
  await endStrayDaemon(place);
  return took;
}

async function toAnswer(
  { product }: Context,
  place: Place,
  wanted: Until = "hello",
): Promise<number> {
  const began = performance.now();
  const child = spawn(process.execPath, [product.bin, "mcp"], {
    cwd: place.dir,
    env: place.env,
    stdio: ["pipe", "pipe", "ignore"],
  });
  const ended = once(child, "exit");
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const say = (message: object): void =>
    void child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const hear = async (word: string): Promise<void> => {
    const { value } = await answers.next();
    if (!String(value).includes(word)) throw new Error(`It said: ${value}`);
  };
  say(HELLO);
  await hear("protocolVersion");
  if (wanted === "tools") {
    LIST_TOOLS.forEach(say);
    await hear("run_agents");
  }
  const took = performance.now() - began;
  // Close its stdin instead of sending a signal, so that it can still write the compile cache.
  child.stdin.end();
  await ended;
  return took;
}
