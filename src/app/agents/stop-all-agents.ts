import type { Core } from "../core.ts";
import { stopAgent } from "./stop-agent.ts";

const LOOK_EVERY_MS = 50;

/** Stops every live agent of this server and resolves when their processes are gone. Queued agents stay queued. */
export async function stopAllAgents(core: Core, withinMs = 60_000): Promise<void> {
  const giveUpAt = core.clock.now() + withinMs;
  for (;;) {
    const live = await core.store.listLiveAgents(core.serverId);
    if (live.length === 0 || core.clock.now() > giveUpAt) return;
    for (const { id } of live) await stopAgent(core, id, "cancelled");
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}
