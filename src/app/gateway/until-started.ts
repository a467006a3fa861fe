import { waitForEvent } from "../../base/wait-for-event.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { Core } from "../core.ts";

/** The time that a connection also waits for its server, with one daemon. */
const PATIENCE_MS = 5_000;

/**
 * With several servers a call must be sent soon after its intent, so the wait for an upstream server
 * that starts comes before. Refuses if it is not over in time: the call could not be sent any more.
 */
export async function untilStarted(
  { calls, upstream }: Pick<Core, "calls" | "upstream">,
  server: string,
  signal: AbortSignal,
  patienceMs = PATIENCE_MS,
): Promise<void> {
  const isStarting = (): boolean =>
    upstream.servers().find(({ name }) => name === server)?.status === "starting";
  if (calls.serverId === null || !isStarting()) return;
  const isOver = await waitForEvent<true>({
    subscribe: (found) =>
      upstream.subscribe(() => {
        if (!isStarting()) found(true);
      }),
    look: async () => (isStarting() ? undefined : true),
    withinMs: patienceMs,
    signal,
  });
  if (!isOver && !signal.aborted) throw stillStarting(server);
}

function stillStarting(server: string): Refusal {
  return new Refusal("UPSTREAM_UNAVAILABLE", {
    en: [
      `The upstream server ${server} is still starting.`,
      "Nothing was sent. Try again in a moment; if it stays, say so in your report.",
    ],
    ja: [
      `上流のサーバー ${server} はまだ起動中です。`,
      "何も送っていません。少し待ってもう一度試し、続くようなら報告に書いてください。",
    ],
  });
}
