import type { Bench } from "./kit/bench.ts";
import { aClient, aGroup, runToTheEnd } from "./kit/client.ts";
import { aDaemon } from "./kit/daemon.ts";
import { aLiveSocket } from "./kit/live-socket.ts";
import { aPlace, urlOf } from "./kit/place.ts";
import { aScale, type Weight } from "./kit/scale.ts";
import { until } from "./kit/stats.ts";
import { aTalker } from "./kit/talker.ts";

const AGENTS = 100;
const EVENTS = 1_000;
const OVER_MS = 5_000;
const REPETITIONS = 3;
const ALLOWED_KB = 5 * 1024;

/** A dashboard that never reads: what happens meanwhile must not pile up for it. */
export const stuckDashboard: Bench = async (context) => {
  const place = aPlace(context.product, {
    path: [aTalker(context.product, EVENTS, OVER_MS)],
    config: { agent: { runner: "cursor", maxConcurrent: AGENTS } },
  });
  const daemon = await aDaemon(context, place, ["--inspect=127.0.0.1:0"]);
  const weigh = await aScale(context, daemon, 1_000);
  const client = await aClient(context, place);
  const weighAfterWork = async (): Promise<Weight> => {
    await runToTheEnd(client, await aGroup(client), AGENTS);
    return weigh();
  };
  await weighAfterWork();
  await weighAfterWork();

  const stuck: Weight[] = [];
  const alone: Weight[] = [];
  for (let i = 1; i <= REPETITIONS; i++) {
    context.say(`${AGENTS} agents of ${EVENTS} events, ${i} of ${REPETITIONS}`);
    alone.push(await weighAfterWork());
    const dashboard = await aStuckDashboard(urlOf(place));
    stuck.push(await weighAfterWork());
    context.say(`${Math.round((await dashboard.release()) / 1024)} KB were waiting`);
  }
  const both = (key: keyof Weight) => ({
    unit: "KB" as const,
    product: stuck.map((weight) => weight[key]),
    floor: alone.map((weight) => weight[key]),
    goal: { aboveFloor: ALLOWED_KB },
  });
  return [
    {
      ...both("liveKb"),
      name: "a dashboard that never reads (live heap and buffers; floor: none)",
    },
    { ...both("pssKb"), name: "a dashboard that never reads (Pss; floor: none)" },
  ];
};

/** Says hello and reads no more. When it may read again it proves that it was left behind. */
async function aStuckDashboard(url: string) {
  let snapshots = 0;
  let bytes = 0;
  const socket = await aLiveSocket(url, (text) => {
    bytes += Buffer.byteLength(text);
    if (text.startsWith('{"t":"snapshot"')) snapshots++;
  });
  socket.pause();
  return {
    async release(): Promise<number> {
      socket.resume();
      socket.on("close", () => console.error("closed"));
      await until(() => snapshots === 2, "the snapshot for who was left behind", 10_000).catch(
        (e) => {
          console.error(bytes, snapshots);
          throw e;
        },
      );
      socket.terminate();
      return bytes;
    },
  };
}
