import { waitForEvent } from "../../base/wait-for-event.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { Core } from "../core.ts";
import type { UnitOfWork } from "../ports/store.ts";
import { sendLimit } from "./forward-call.ts";
import type { CallVerdict } from "./gateway-call.ts";

/** The time that a connection also waits for its server, with one daemon. */
const PATIENCE_MS = 5_000;

export type Started = {
  readonly server: string;
  readonly signal: AbortSignal;
  readonly patienceMs?: number;
};

export type Decided = {
  readonly verdict: CallVerdict;
  /** Counts from before the intent. */
  readonly mayStillSend: () => boolean;
};

/**
 * Decides about a call in one transaction. With several servers a call must be sent soon after its
 * intent, so no intent is committed for an upstream server that starts: the transaction is rolled back
 * and repeated after the wait. A call that is not sent, such as a repeat, does not wait.
 */
export async function decideWhenStarted(
  core: Core,
  { server, signal, patienceMs = PATIENCE_MS }: Started,
  authorize: (unit: UnitOfWork) => Promise<CallVerdict>,
): Promise<Decided> {
  const refusal = stillStarting(server);
  async function decide(): Promise<Decided> {
    const mayStillSend = sendLimit(core);
    const verdict = await core.store.transaction(async (unit) => {
      const decided = await authorize(unit);
      if (decided.kind === "send" && isStarting(core, server)) throw refusal;
      return decided;
    });
    return { verdict, mayStillSend };
  }
  try {
    return await decide();
  } catch (error) {
    if (error !== refusal) throw error;
  }
  await untilStarted(core, server, signal, patienceMs);
  return decide();
}

async function untilStarted(
  core: Pick<Core, "calls" | "upstream">,
  server: string,
  signal: AbortSignal,
  withinMs: number,
): Promise<void> {
  await waitForEvent<true>({
    subscribe: (found) =>
      core.upstream.subscribe(() => {
        if (!isStarting(core, server)) found(true);
      }),
    look: async () => (isStarting(core, server) ? undefined : true),
    withinMs,
    signal,
  });
}

/** With one server a call may wait after its intent: a stop finds it in this process. */
function isStarting({ calls, upstream }: Pick<Core, "calls" | "upstream">, server: string) {
  if (calls.serverId === null) return false;
  return upstream.servers().find(({ name }) => name === server)?.status === "starting";
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
