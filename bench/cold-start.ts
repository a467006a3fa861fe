import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Bench, Context } from "./kit/bench.ts";
import { aDaemon, endStrayDaemon, isServed } from "./kit/daemon.ts";
import { aPlace, type Place } from "./kit/place.ts";
import { timed, until } from "./kit/stats.ts";

const WITH_DAEMON = 25;
const WITHOUT_DAEMON = 9;

const INITIALIZE = `${JSON.stringify({
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "bench", version: "1" },
  },
})}\n`;

/** What an MCP client waits for: from the start of `kuromajutsu mcp` to its first answer. */
export const coldStart: Bench = async (context) => {
  const running = aPlace(context.product);
  const stopped = aPlace(context.product);
  await aDaemon(context, running);
  context.ends.defer(() => endStrayDaemon(stopped));
  // Once without counting: the compile cache is written when a program ends.
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
  context.say(`${WITHOUT_DAEMON} starts without one, with and without data`);
  for (let i = 0; i < WITHOUT_DAEMON; i++) {
    bareAgain.push(await bareNode(context));
    withData.push(await startWith(context, stopped));
    firstEver.push(await startWith(context, aPlace(context.product)));
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

async function startWith(context: Context, place: Place): Promise<number> {
  const took = await toAnswer(context, place);
  // It may answer before it has written down who it is.
  await until(() => isServed(place), "the daemon's file");
  await endStrayDaemon(place);
  return took;
}

async function toAnswer({ product }: Context, place: Place): Promise<number> {
  const began = performance.now();
  const child = spawn(process.execPath, [product.bin, "mcp"], {
    cwd: place.dir,
    env: place.env,
    stdio: ["pipe", "pipe", "ignore"],
  });
  child.stdin.write(INITIALIZE);
  const answered = once(child.stdout, "data");
  const ended = once(child, "exit");
  const first = await Promise.race([answered, ended]);
  const took = performance.now() - began;
  if (!String(first[0]).includes("protocolVersion")) throw new Error(`It said: ${first[0]}`);
  // Closing its stdin, not a signal: what it leaves behind (the compile cache) belongs to it.
  child.stdin.end();
  await ended;
  return took;
}
