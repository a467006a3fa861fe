import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { EndOrphans, StopRequest, WrapperProcess } from "./launcher-messages.ts";

const LOOK_EVERY_MS = 500;

type Orphans = EndOrphans & {
  /** Looks at the processes. Throws if it could not look. */
  readonly liveRoots: () => readonly WrapperProcess[];
  readonly stop: (request: StopRequest) => void;
  /** A stop is under way, also for what a wrapper has left. */
  readonly isStopping: () => boolean;
};

/**
 * The owner was killed, or ends for good. Another process of it adopts the agents in time, or they are lost for all
 * servers, and may be started again elsewhere: then they end here. The clock is monotonic and stands
 * still while the machine sleeps, so that the owner has the same time to come back.
 */
export async function endOrphans({
  liveRoots,
  stop,
  isStopping,
  ...orphans
}: Orphans): Promise<void> {
  const endAt = performance.now() + orphans.afterMs;
  for (;;) {
    if (hasNewOwner(orphans)) return;
    const roots = rootsNow(liveRoots);
    // What a wrapper has left may still be being killed.
    if (roots?.length === 0) break;
    if (roots && performance.now() >= endAt) {
      const { graceMs } = orphans;
      for (const root of roots) stop({ type: "stop", ...root, signal: "SIGTERM", graceMs });
      break;
    }
    await sleep(LOOK_EVERY_MS);
  }
  while (isStopping()) await sleep(LOOK_EVERY_MS);
}

/** A file that can't be read proves nothing: the data directory may be gone with the worker. */
function hasNewOwner({ ownerFile, ownerId }: EndOrphans): boolean {
  try {
    return readFileSync(ownerFile, "utf8") !== ownerId;
  } catch {
    return false;
  }
}

function rootsNow(look: Orphans["liveRoots"]): readonly WrapperProcess[] | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
