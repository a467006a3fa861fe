import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Bench } from "./kit/bench.ts";
import { aClient, aGroup, runToTheEnd } from "./kit/client.ts";
import { aDaemon } from "./kit/daemon.ts";
import { aHelper } from "./kit/helper.ts";
import { aPlace } from "./kit/place.ts";
import { cpuFor, idleOf } from "./kit/proc.ts";
import { recordedStream } from "./kit/recorded-stream.ts";

const LINES = 100_000;
const REPETITIONS = 7;

/** An agent with much output: CPU of the daemon for its stream, compared with JSON.parse of the same lines. */
export const stream: Bench = async (context) => {
  const folder = join(context.product.dir, "talker");
  const recording = join(folder, "stream.jsonl");
  mkdirSync(folder);
  writeFileSync(recording, recordedStream(LINES).join(""));
  writeFileSync(join(folder, "agent"), `#!/bin/sh\ncat >/dev/null\nexec cat '${recording}'\n`, {
    mode: 0o755,
  });
  const place = aPlace(context.product, {
    path: [folder],
    // The fake CLI always prints the same, which would fail a health check.
    config: { agent: { runner: "cursor" }, healthCheck: { enabled: false } },
  });
  const daemon = await aDaemon(context, place);
  const client = await aClient(context, place);
  const groupId = await aGroup(client);
  const helper = aHelper(context, new URL("./floor-parse.ts", import.meta.url));
  // One uncounted run of each, to warm up both.
  await runToTheEnd(client, groupId, 1);
  await helper.ask(recording);

  const product: number[] = [];
  const floor: number[] = [];
  const idle = await idleOf(daemon.pid);
  for (let i = 1; i <= REPETITIONS; i++) {
    context.say(`${LINES} events, ${i} of ${REPETITIONS}`);
    floor.push(await cpuFor(helper.pid, 0, () => helper.ask(recording)));
    product.push(await cpuFor(daemon.pid, idle, () => runToTheEnd(client, groupId, 1)));
  }
  const name = "CPU per 100k stream events (floor: JSON.parse)";
  return [{ name, unit: "ms", product, floor, goal: { timesFloor: 1 } }];
};
