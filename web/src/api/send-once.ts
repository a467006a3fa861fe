import { newKey } from "../lib/ids.ts";
import { Offline, send } from "./send.ts";

/** A daemon that is started again is there within these. */
const PAUSES_MS = [300, 700, 1_500];

/** What was sent and never answered, by what it said. */
const unanswered = new Map<string, string>();

/**
 * A click is one deed, however often it has to be sent: an answer that was lost on its way is asked
 * for under the same key, now and when the person clicks again.
 */
export async function sendOnce(path: string, body: string | undefined): Promise<Response> {
  const deed = `${path}\n${body ?? ""}`;
  const key = unanswered.get(deed) ?? newKey();
  unanswered.set(deed, key);
  const init = {
    method: "POST",
    headers: { "idempotency-key": key },
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

async function answered(deed: string, path: string, init: RequestInit & { method: string }) {
  const response = await send(path, init);
  unanswered.delete(deed);
  return response;
}
