import type { RunnerId } from "../agents/runner.ts";

/** Why one host cannot run the agents of a CLI now. Other hosts may have it and be signed in. */
export type HostProblem = {
  readonly runner: RunnerId;
  readonly kind: "signed-out" | "not-installed";
  /** The CLI's own words. */
  readonly reason: string;
  readonly since: number;
  /** The host gets agents of this CLI again then: a person may have signed in meanwhile. */
  readonly until: number;
};

const AGAIN_AFTER_MS = 300_000;

export function hostProblemAt(
  now: number,
  seen: Pick<HostProblem, "runner" | "kind" | "reason">,
): HostProblem {
  return { ...seen, since: now, until: now + AGAIN_AFTER_MS };
}

export function isOpen({ until }: HostProblem, now: number): boolean {
  return until > now;
}
