import { z } from "zod";
import type { Bench } from "./kit/bench.ts";
import { aClient, aGroup, waitForAll } from "./kit/client.ts";
import { aDaemon } from "./kit/daemon.ts";
import { aLiveSocket } from "./kit/live-socket.ts";
import { aPlace, FAKE_CLIS, urlOf } from "./kit/place.ts";
import { aScale, type Weight } from "./kit/scale.ts";
import { until } from "./kit/stats.ts";

/** 6 KB each on the wire: far more in total than the kernel buffers for a client that does not read. */
const EVENTS = 1_500;
const SUMMARY = "報告".repeat(990);
const AT_ONCE = 4;
/** As many as fill the ring of live events. */
const WARM_UP = 4;
const REPETITIONS = 3;

const started = z.object({ agents: z.array(z.object({ agentId: z.string() })) });

/** Back-pressure: events must not accumulate in memory for a dashboard that never reads. */
export const stuckDashboard: Bench = async (context) => {
  const place = aPlace(context.product, {
    path: [FAKE_CLIS],
    config: { agent: { runner: "cursor" } },
  });
  const daemon = await aDaemon(context, place, ["--inspect=127.0.0.1:0"]);
  const weigh = await aScale(context, daemon, 1_000);
  const client = await aClient(context, place);
  const agents = Array.from({ length: AT_ONCE }, () => ({ role: "impl-code", prompt: "bench" }));
  const answer = await client.call("run_agents", { groupId: await aGroup(client), agents });
  await waitForAll(client, answer);
  const ids = started.parse(answer).agents.map(({ agentId }) => agentId);

  let count = 0;
  const happen = async (agentId: string): Promise<void> => {
    for (let i = 0; i < EVENTS / AT_ONCE; i++) {
      const summary = `${++count} ${SUMMARY}`;
      await client.call("report_result", { agentId, status: "success", summary, response: "" });
    }
  };
  const weighAfterEvents = async (): Promise<Weight> => {
    await Promise.all(ids.map(happen));
    return weigh();
  };
  for (let i = 1; i <= WARM_UP; i++) await weighAfterEvents();

  const stuck: Weight[] = [];
  const alone: Weight[] = [];
  for (let i = 1; i <= REPETITIONS; i++) {
    context.say(`${EVENTS} events, ${i} of ${REPETITIONS}`);
    alone.push(await weighAfterEvents());
    const dashboard = await aStuckDashboard(urlOf(place));
    stuck.push(await weighAfterEvents());
    context.say(`${Math.round((await dashboard.release()) / 1024)} KB were on their way to it`);
  }
  const both = (key: keyof Weight) => ({
    unit: "KB" as const,
    product: stuck.map((weight) => weight[key]),
    floor: alone.map((weight) => weight[key]),
    goal: { aboveFloor: 5 * 1024 },
  });
  const name = "memory with a dashboard that never reads";
  return [
    { ...both("liveKb"), name: `${name} (live heap and buffers; floor: without)` },
    { ...both("pssKb"), name: `${name} (Pss; floor: without)` },
  ];
};

/** Sends a hello and stops reading. When it reads again, it must get a snapshot. */
async function aStuckDashboard(url: string) {
  let snapshots = 0;
  let bytes = 0;
  const socket = await aLiveSocket(url, (text) => {
    if (text.startsWith('{"t":"snapshot"')) snapshots++;
    if (snapshots < 2) bytes += Buffer.byteLength(text);
  });
  socket.pause();
  return {
    /** The number of unread bytes. */
    async release(): Promise<number> {
      socket.resume();
      // Only a client that fell behind gets a second snapshot.
      await until(() => snapshots === 2, "the second snapshot of a stuck dashboard", 10_000);
      socket.terminate();
      return bytes;
    },
  };
}
