import type { LauncherRequest } from "../launcher/launcher-messages.ts";
import { claimForDaemon } from "../spool/spool.ts";
import { isStarting, type Outcome, type TrackedAgent } from "./tracked-agent.ts";

/**
 * The time between asking for a launch and its pid line. The wrapper and the daemon compete for
 * one claim per attempt: whoever has it decides, so no attempt runs twice and none is forgotten.
 */
export function createStarting(options: {
  /** How long a wrapper may take to its pid line before it is looked for. */
  readonly startMs: number;
  readonly send: (request: LauncherRequest) => void;
  readonly settle: (agent: TrackedAgent, outcome: Outcome) => void;
}) {
  const { startMs, send, settle } = options;

  function giveUp(agent: TrackedAgent): void {
    const error = agent.launchError;
    settle(agent, error === null ? { type: "not_launched" } : { type: "start_failed", error });
  }

  return {
    launched(agent: TrackedAgent): void {
      if (isStarting(agent)) agent.startBy = performance.now() + startMs;
    },

    /** If the daemon gets the claim, a late wrapper gives up; if a wrapper has it, its pid line follows. */
    takeClaim(agent: TrackedAgent): void {
      if (claimForDaemon(agent.files)) giveUp(agent);
      else agent.startBy ??= performance.now() + startMs;
      agent.isClaimDue = false;
    },

    /** A wrapper can be killed between its claim and its pid line: is there still one? */
    checkDeadline(agent: TrackedAgent): void {
      if (agent.startBy === null || performance.now() < agent.startBy || agent.isLookedFor) return;
      agent.isLookedFor = true;
      send({ type: "look", key: agent.files.key, claim: agent.files.claim });
    },

    /** null: the launcher could not look; it is asked again after the next deadline. */
    looked(agent: TrackedAgent, isAlive: boolean | null): void {
      agent.isLookedFor = false;
      agent.startBy = performance.now() + startMs;
      // It may have started, and even ended, just before it was looked for: read the status first.
      agent.isStatusDue = true;
      agent.isWrapperGone = isAlive === false;
    },

    /** No wrapper is left that could start this attempt. */
    abandon(agent: TrackedAgent): void {
      claimForDaemon(agent.files);
      giveUp(agent);
    },
  };
}
