/** Calls per minute for one workspace, by method. */
export type RateLimits = {
  readonly perMinute: Readonly<Record<string, number>>;
  /** How many calls may come at once. */
  readonly burst: number;
  /** With 60 a minute of the limits passes in a second. */
  readonly speed: number;
  /** The current time in milliseconds. */
  readonly now: () => number;
};

const [TIER_2, TIER_3, TIER_4] = [20, 50, 100];

/** The published tiers of the methods that the app calls. */
export const TIERS: Readonly<Record<string, number>> = {
  "agents.sessions.rename": TIER_3,
  "agents.sessions.setStatus": TIER_3,
  "apps.connections.open": TIER_3,
  "assistant.threads.setSuggestedPrompts": TIER_4,
  "assistant.threads.setTitle": TIER_4,
  "chat.appendStream": TIER_4,
  "chat.delete": TIER_3,
  "chat.postEphemeral": TIER_4,
  // One message per second in a channel.
  "chat.postMessage": 60,
  "chat.startStream": TIER_2,
  "chat.stopStream": TIER_2,
  "chat.update": TIER_3,
  "conversations.history": TIER_3,
  "conversations.info": TIER_3,
  "conversations.members": TIER_4,
  "conversations.replies": TIER_3,
  "usergroups.list": TIER_2,
  "usergroups.users.list": TIER_2,
  "users.info": TIER_4,
  "views.open": TIER_4,
  "views.publish": TIER_4,
  "views.update": TIER_4,
};

type Bucket = { tokens: number; at: number };

/** Token buckets. `take` returns the seconds to wait; undefined if the call is allowed. */
export function aLimiter({ perMinute, burst, speed, now }: RateLimits) {
  const buckets = new Map<string, Bucket>();
  return {
    take(method: string, scope: string): number | undefined {
      const rate = perMinute[method];
      if (rate === undefined) return undefined;
      const perMs = (rate * speed) / 60_000;
      const key = `${method} ${scope}`;
      const bucket = buckets.get(key) ?? { tokens: burst, at: now() };
      buckets.set(key, bucket);
      bucket.tokens = Math.min(burst, bucket.tokens + (now() - bucket.at) * perMs);
      bucket.at = now();
      if (bucket.tokens < 1) return Math.ceil((1 - bucket.tokens) / perMs / 1000);
      bucket.tokens -= 1;
      return undefined;
    },
  };
}
