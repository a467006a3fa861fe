import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Bench } from "./kit/bench.ts";
import { aClient, aGroup, runToTheEnd } from "./kit/client.ts";
import { aDaemon } from "./kit/daemon.ts";
import { aHelper } from "./kit/helper.ts";
import { aPlace } from "./kit/place.ts";
import { cpuFor, idleOf } from "./kit/proc.ts";

const LINES = 100_000;
const TOOL_CALL_EVERY = 100;
const REPETITIONS = 7;

/** A talkative agent: CPU of the daemon for its stream, against reading the same lines as JSON. */
export const stream: Bench = async (context) => {
  const folder = join(context.product.dir, "talker");
  const recording = join(folder, "stream.jsonl");
  mkdirSync(folder);
  writeFileSync(recording, recordedStream());
  writeFileSync(join(folder, "agent"), `#!/bin/sh\ncat >/dev/null\nexec cat '${recording}'\n`, {
    mode: 0o755,
  });
  const place = aPlace(context.product, {
    path: [folder],
    config: { agent: { runner: "cursor" } },
  });
  const daemon = await aDaemon(context, place);
  const client = await aClient(context, place);
  const groupId = await aGroup(client);
  const helper = aHelper(context, new URL("./floor-parse.ts", import.meta.url));
  // Both once without counting: a daemon has seen a stream before, so has the floor.
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

function recordedStream(): string {
  const session = "3b1f8a52-6c1d-4a0e-9d5b-0c7f2e9a4d11";
  const lines = [
    { type: "system", subtype: "init", cwd: "/", session_id: session, model: "m" },
    ...Array.from({ length: LINES - 2 }, (_, index) => event(index, session)),
    {
      type: "result",
      subtype: "success",
      duration_ms: 1,
      is_error: false,
      result: "完了",
      session_id: session,
    },
  ];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

function event(index: number, session_id: string): unknown {
  const timestamp_ms = 1_794_733_200_000 + index;
  const call = Math.floor(index / TOOL_CALL_EVERY);
  const at = index % TOOL_CALL_EVERY;
  if (at < 2) {
    const path = `src/file-${call % 50}.ts`;
    const result = at === 0 ? {} : { result: { success: { path, linesAdded: 3 } } };
    return {
      type: "tool_call",
      subtype: at === 0 ? "started" : "completed",
      call_id: `call_${call}`,
      tool_call: { editToolCall: { args: { path }, ...result } },
      model_call_id: `${session_id}-${call}`,
      session_id,
      timestamp_ms,
    };
  }
  // 470 bytes with what is around it; text like an agent's, with escapes and with Japanese.
  const text = `${index}: 次に "auth" のテストを直します。\n`.padEnd(266, "lorem ipsum dolor ");
  return {
    type: "assistant",
    message: { role: "assistant", content: [{ type: "text", text }] },
    session_id,
    timestamp_ms,
  };
}
