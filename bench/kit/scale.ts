import type { Context } from "./bench.ts";
import type { Daemon } from "./daemon.ts";
import { anInspector } from "./inspector.ts";
import { pssOf } from "./proc.ts";
import { sleep } from "./stats.ts";

export type Weight = {
  /** Heap and buffers that are still in use. */
  readonly liveKb: number;
  readonly pssKb: number;
  /** Memory before the collection, as a user sees it. */
  readonly foundKb: number;
};

/** Measures the memory of a daemon that was started with --inspect, before and after a full collection. */
export async function aScale(
  context: Context,
  daemon: Daemon,
  settleMs = 3_000,
): Promise<() => Promise<Weight>> {
  const inspector = await anInspector(context, daemon);
  return async () => {
    await sleep(settleMs);
    const foundKb = pssOf(daemon.pid);
    const liveKb = (await inspector.liveBytes()) / 1024;
    await sleep(settleMs);
    return { liveKb, pssKb: pssOf(daemon.pid), foundKb };
  };
}
