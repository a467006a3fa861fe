import type { Context } from "./bench.ts";
import type { Daemon } from "./daemon.ts";
import { anInspector } from "./inspector.ts";
import { pssOf } from "./proc.ts";
import { sleep } from "./stats.ts";

export type Weight = {
  /** Heap and buffers that are still in use. */
  readonly liveKb: number;
  readonly pssKb: number;
};

/** Weighs a daemon that was started with --inspect, after a full collection. */
export async function aScale(
  context: Context,
  daemon: Daemon,
  settleMs = 3_000,
): Promise<() => Promise<Weight>> {
  const inspector = await anInspector(context, daemon);
  return async () => {
    await sleep(settleMs);
    const liveKb = (await inspector.liveBytes()) / 1024;
    await sleep(settleMs);
    return { liveKb, pssKb: pssOf(daemon.pid) };
  };
}
