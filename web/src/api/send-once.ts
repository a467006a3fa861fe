import { newKey } from "./new-key.ts";
import { type Heard, Offline, send } from "./send.ts";

/** A daemon that is started again is there within these. */
const PAUSES_MS = [300, 700, 1_500];
/** After that the same words are a new deed. */
const FORGET_MS = 5 * 60_000;

/** What was sent and never answered, by what it said. */
const unanswered = new Map<string, { readonly key: string; readonly at: number }>();

/**
 * A click is one deed, however often it has to be sent: an answer that was lost on its way is asked
 * for under the same key, now and when the person clicks again.
 */
export async function sendOnce(path: string, body: string | undefined): Promise<Heard> {
  const deed = `${path}\n${body ?? ""}`;
  const init = {
    method: "POST",
    headers: { "idempotency-key": keyOf(deed) },
    ...(body !== undefined && { body }),
  };
  for (const pause of PAUSES_MS) {
    try {
      return await answered(deed, path, init);
    } catch (error) {
      if (!(error instanceof Offline)) throw error;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
  return answered(deed, path, init);
}

function keyOf(deed: string): string {
  const known = unanswered.get(deed);
  if (known && Date.now() - known.at < FORGET_MS) return known.key;
  const key = newKey();
  unanswered.set(deed, { key, at: Date.now() });
  return key;
}

async function answered(deed: string, path: string, init: RequestInit & { method: string }) {
  const answer = await send(path, init);
  unanswered.delete(deed);
  return answer;
}
