import type { Agent } from "./agent.ts";

/** What an agent that goes back into the queue forgets of its last launch. */
export const BEFORE_LAUNCH = {
  tokenHash: null,
  pid: null,
  pidStart: null,
  bootId: null,
  startedAt: null,
  helloAt: null,
  degraded: null,
  workerId: null,
} as const satisfies Partial<Agent>;
