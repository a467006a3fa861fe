import { setTimeout as sleep } from "node:timers/promises";
import type { Fields } from "../../../src/base/narrow.ts";
import type { SignedRequest } from "./sign.ts";

/** What Slack sends to the app. In HTTP mode the kind decides on the address and the form. */
export type Delivery = {
  readonly kind: "events_api" | "interactive" | "slash_commands";
  readonly payload: Fields;
};

export type Retry = { readonly number: number; readonly reason: string };

/** One try to deliver a payload. */
export type Attempt = {
  readonly isAcked: boolean;
  /** From sending to the answer. */
  readonly ms: number;
  /** What the app has sent with its acknowledgement. */
  readonly payload: Fields;
  /** Why there is no acknowledgement, in Slack's words. */
  readonly reason?: string;
  /** HTTP mode only. */
  readonly status?: number;
  readonly request?: SignedRequest;
  /** HTTP mode only: the app asks Slack not to try again. */
  readonly wantsNoRetry?: boolean;
};

/** How the app has answered. */
export type Answer = Attempt & {
  readonly delivery: Delivery;
  /** All tries, also those before the last one. */
  readonly attempts: readonly Attempt[];
};

export type Transport = (delivery: Delivery, retry?: Retry) => Promise<Attempt>;

export type RetryRules = {
  /** Slack waits a moment, a minute and five minutes. */
  readonly delaysMs: readonly number[];
  readonly signal: AbortSignal;
};

/** Slack tries again with events only; a person sees at once that a click had no answer. */
export async function deliver(
  transport: Transport,
  delivery: Delivery,
  { delaysMs, signal }: RetryRules,
): Promise<Answer> {
  let last = await transport(delivery);
  const attempts = [last];
  const delays = delivery.kind === "events_api" ? delaysMs : [];
  for (const [index, delay] of delays.entries()) {
    if (last.isAcked || last.wantsNoRetry || signal.aborted) break;
    await sleep(delay, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) break;
    last = await transport(delivery, { number: index + 1, reason: last.reason ?? "" });
    attempts.push(last);
  }
  return { ...last, delivery, attempts };
}
