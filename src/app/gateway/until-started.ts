import { waitForEvent } from "../../base/wait-for-event.ts";
import type { Core } from "../core.ts";

/** As long as a call waits for a server that starts. */
const PATIENCE_MS = 5_000;

/**
 * With several servers a call must be sent soon after its intent, so the wait for an upstream server
 * that starts comes before. One that is not ready then refuses the call with the reason.
 */
export async function untilStarted(
  { calls, upstream }: Pick<Core, "calls" | "upstream">,
  server: string,
  signal: AbortSignal,
): Promise<void> {
  const isStarting = (): boolean =>
    upstream.servers().find(({ name }) => name === server)?.status === "starting";
  if (calls.serverId === null || !isStarting()) return;
  await waitForEvent<true>({
    subscribe: (found) =>
      upstream.subscribe(() => {
        if (!isStarting()) found(true);
      }),
    look: async () => (isStarting() ? undefined : true),
    withinMs: PATIENCE_MS,
    signal,
  });
}
