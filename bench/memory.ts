import type { Bench } from "./kit/bench.ts";
import { aClient, aGroup, runToTheEnd } from "./kit/client.ts";
import { aDaemon } from "./kit/daemon.ts";
import { aPlace, FAKE_CLIS } from "./kit/place.ts";
import { aScale } from "./kit/scale.ts";

const AT_A_TIME = 500;

/** Memory that a daemon keeps per settled agent: the history is in the database, not in memory. */
export const memory: Bench = async (context) => {
  const place = aPlace(context.product, {
    path: [FAKE_CLIS],
    config: { agent: { runner: "cursor", maxConcurrent: 20 } },
  });
  const daemon = await aDaemon(context, place, ["--inspect=127.0.0.1:0"]);
  const measure = await aScale(context, daemon);
  const client = await aClient(context, place);
  const groupId = await aGroup(client);

  const run = async (count: number) => {
    for (let done = 0; done < count; done += AT_A_TIME) {
      context.say(`${AT_A_TIME} agents`);
      await runToTheEnd(client, groupId, AT_A_TIME);
    }
  };
  // The first thousand fill all pools and caches; the second shows the growth per agent.
  await run(1_000);
  const first = await measure();
  await run(1_000);
  const second = await measure();

  const common = { unit: "KB", floor: [], goal: { atMost: 10 } } as const;
  return [
    {
      ...common,
      name: "memory kept per finished agent (live heap and buffers)",
      product: [(second.liveKb - first.liveKb) / 1_000],
    },
    {
      ...common,
      name: "memory kept per finished agent (Pss)",
      product: [(second.pssKb - first.pssKb) / 1_000],
    },
  ];
};
