import { LONGEST_TIMER_MS } from "./longest-timer.ts";

export type WaitForEvent<News> = {
  /** Calls `found` when an event ends the wait; returns how to unsubscribe. */
  readonly subscribe: (found: (news: News) => void) => () => void;
  /** The state may already be as wanted: then no event will come. */
  readonly look: () => Promise<News | undefined>;
  readonly withinMs?: number;
  readonly signal: AbortSignal;
};

/**
 * Waits for an event, a timeout or an abort; undefined for the last two. It subscribes before the
 * first look, so that no event in between is missed.
 */
export async function waitForEvent<News>(wait: WaitForEvent<News>): Promise<News | undefined> {
  const { subscribe, look, withinMs, signal } = wait;
  const { promise, resolve } = Promise.withResolvers<News | undefined>();
  const quit = (): void => resolve(undefined);
  const unsubscribe = subscribe(resolve);
  signal.addEventListener("abort", quit, { once: true });
  let timer: NodeJS.Timeout | undefined;
  try {
    const news = await look();
    if (news !== undefined) resolve(news);
    if (signal.aborted) quit();
    if (withinMs !== undefined) {
      timer = setTimeout(quit, Math.max(0, Math.min(withinMs, LONGEST_TIMER_MS)));
    }
    return await promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", quit);
    unsubscribe();
  }
}
