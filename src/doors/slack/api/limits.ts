/** How often a workspace may call a method. */
export type Limit = {
  readonly perMinute: number;
  /** Calls at once after a quiet time. */
  readonly burst: number;
  /** Calls of the burst that only urgent ones may use. */
  readonly reserved: number;
};

/** Slack's tiers are 20, 50 and 100 calls a minute; we stay a tenth below. */
const TIER_2: Limit = { perMinute: 18, burst: 5, reserved: 2 };
const TIER_3: Limit = { perMinute: 45, burst: 10, reserved: 5 };
const TIER_4: Limit = { perMinute: 90, burst: 20, reserved: 10 };

const LIMITS: Readonly<Record<string, Limit>> = {
  // Progress goes out at an even pace, so that nearly the whole burst is free for what is urgent.
  "chat.update": { perMinute: 45, burst: 10, reserved: 8 },
  // Slack names no number for a workspace: "several hundred".
  "chat.postMessage": { perMinute: 200, burst: 20, reserved: 5 },
  "chat.postEphemeral": TIER_4,
  "chat.startStream": TIER_2,
  "chat.stopStream": TIER_2,
  "chat.appendStream": TIER_4,
  "conversations.members": TIER_4,
  "files.uploadV2": TIER_2,
  "usergroups.list": TIER_2,
  "usergroups.users.list": TIER_2,
  "users.info": TIER_4,
  "views.open": TIER_4,
  "views.publish": TIER_4,
  "views.push": TIER_4,
  "views.update": TIER_4,
  "assistant.threads.setSuggestedPrompts": TIER_4,
  "assistant.threads.setTitle": TIER_4,
};

/** One message a second in each channel. */
export const POSTS_PER_CHANNEL: Limit = { perMinute: 60, burst: 1, reserved: 0 };

export function limitOf(method: string): Limit {
  return LIMITS[method] ?? TIER_3;
}
