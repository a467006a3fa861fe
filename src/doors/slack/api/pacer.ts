import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../../../app/ports/world.ts";
import { limitOf, POSTS_PER_CHANNEL, type Limit } from "./limits.ts";

/** What one call uses up. */
export type Turn = {
  readonly team: string;
  readonly method: string;
  readonly channel?: string | undefined;
  readonly isUrgent: boolean;
};

export type Pacer = {
  /** Takes a turn if there is one now and returns 0; else the milliseconds until there may be one. */
  readonly take: (turn: Turn) => number;
  /** Waits for a turn. */
  readonly wait: (turn: Turn) => Promise<void>;
  /** Slack has said for how long this workspace must not call this method. */
  readonly pause: (team: string, method: string, ms: number) => void;
};

type Bucket = { tokens: number; at: number };

/**
 * Token buckets per workspace and method, because that is how Slack counts. Ordinary calls leave the
 * reserve of a bucket to urgent ones.
 */
export function createPacer(clock: Clock): Pacer {
  const buckets = new Map<string, Bucket>();
  const pausedUntil = new Map<string, number>();

  function refilled(key: string, limit: Limit): Bucket {
    const now = clock.now();
    const bucket = buckets.get(key) ?? { tokens: limit.burst, at: now };
    const since = Math.max(0, now - bucket.at);
    bucket.tokens = Math.min(limit.burst, bucket.tokens + (since * limit.perMinute) / 60_000);
    bucket.at = now;
    buckets.set(key, bucket);
    return bucket;
  }

  function take({ team, method, channel, isUrgent }: Turn): number {
    const key = `${team} ${method}`;
    const limits: (readonly [string, Limit])[] = [[key, limitOf(method)]];
    if (method === "chat.postMessage") limits.push([`${key} ${channel}`, POSTS_PER_CHANNEL]);
    const used = limits.map(([each, limit]) => ({ limit, bucket: refilled(each, limit) }));
    const waits = used.map(({ limit, bucket }) => waitFor(limit, bucket, isUrgent));
    const wait = Math.max(0, (pausedUntil.get(key) ?? 0) - clock.now(), ...waits);
    if (wait === 0) for (const { bucket } of used) bucket.tokens -= 1;
    return wait;
  }

  return {
    take,
    async wait(turn) {
      for (let ms = take(turn); ms > 0; ms = take(turn)) await sleep(ms, undefined, { ref: false });
    },
    pause(team, method, ms) {
      pausedUntil.set(`${team} ${method}`, clock.now() + ms);
    },
  };
}

/** Rounded, so that a sum of parts of a token is enough when it is due. */
const TOLERANCE = 1e-6;

function waitFor(limit: Limit, { tokens }: Bucket, isUrgent: boolean): number {
  const missing = 1 + (isUrgent ? 0 : limit.reserved) - tokens;
  return missing <= TOLERANCE ? 0 : Math.ceil((missing * 60_000) / limit.perMinute);
}
