import type { Core } from "../../../app/core.ts";
import type { SlackDelivery } from "../../../app/ports/slack-store.ts";
import type { Fields } from "../../../base/narrow.ts";
import type { RequestHead } from "./read-request.ts";

type Rows = Pick<Core, "store" | "clock" | "log">;

/** Undefined: the same request was stored before. */
export async function storeDelivery(
  { store, clock }: Rows,
  { key, team }: RequestHead,
  body: Fields,
): Promise<SlackDelivery | undefined> {
  const { token: _, ...kept } = body;
  const at = clock.now();
  const delivery: SlackDelivery = {
    key,
    team,
    body: JSON.stringify(kept),
    status: "new",
    tries: 0,
    error: null,
    nextAt: at,
    at,
  };
  const isNew = await store.transaction((unit) => unit.insertSlackDelivery(delivery));
  return isNew ? delivery : undefined;
}

/** How a request ended; after a failure, when to try again. */
export type DeliveryEnd = "done" | "failed" | { readonly retryInMs: number };

/** Stores the end of an attempt. `error` is undefined if it succeeded. */
export async function storeEnd(
  { store, clock, log }: Rows,
  { key, tries }: SlackDelivery,
  error: Error | undefined,
  retryDelaysMs: readonly number[],
): Promise<DeliveryEnd> {
  const now = clock.now();
  const update = (change: Pick<SlackDelivery, "status" | "tries" | "error" | "nextAt">) =>
    store.transaction((unit) => unit.updateSlackDelivery(key, change));
  if (!error) {
    await update({ status: "done", tries, error: null, nextAt: now });
    return "done";
  }
  const why = error.message;
  const retryInMs = retryDelaysMs[tries];
  if (retryInMs === undefined) {
    log.error("A request of Slack could not be handled; giving up.", { key, error: why });
    await update({ status: "failed", tries: tries + 1, error: why, nextAt: now });
    return "failed";
  }
  log.warn("A request of Slack could not be handled; trying again.", { key, error: why });
  await update({ status: "new", tries: tries + 1, error: why, nextAt: now + retryInMs });
  return { retryInMs };
}
