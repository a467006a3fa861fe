import type { LauncherRequest } from "../launcher/launcher-messages.ts";
import { claimForDaemon } from "../spool/spool.ts";
import type { AttemptEvent, AttemptState } from "./attempt.ts";
import { advance, advanceIfAccepted, type TrackedAgent } from "./tracked-agent.ts";

/**
 * The time between asking for a launch and its pid line. The wrapper and the daemon compete for
 * one claim per attempt; the winner decides, so no attempt runs twice and none is forgotten.
 */
export function createStarting(options: {
  /** How long a wrapper may take to its pid line before the launcher is asked to look for it. */
  readonly startMs: number;
  readonly send: (request: LauncherRequest) => void;
  readonly settle: (agent: TrackedAgent, event: AttemptEvent<"claimed">) => void;
}) {
  const { startMs, send, settle } = options;
  const deadline = () => performance.now() + startMs;

  return {
    launched(agent: TrackedAgent): void {
      advanceIfAccepted(agent, { type: "launched", startBy: deadline() });
    },

    /** A wrapper can be killed between its claim and its pid line: is there still one? */
    checkDeadline(agent: TrackedAgent, state: AttemptState<"launching">): void {
      const { startBy, isLookPending } = state;
      if (startBy === null || performance.now() < startBy || isLookPending) return;
      advance(agent, { type: "look_sent" });
      send({ type: "look", key: agent.files.key, claim: agent.files.claim });
    },

    /** null: the launcher could not look; it is asked again after the next deadline. */
    looked(agent: TrackedAgent, isAlive: boolean | null): void {
      advanceIfAccepted(agent, { type: "looked", isAlive, startBy: deadline() });
    },

    /**
     * There is no pid line, the status file was just read. If the daemon gets the claim, a late
     * wrapper gives up; if a wrapper has it, its pid line follows, unless the wrapper is gone.
     */
    decide(agent: TrackedAgent, { withoutPidLine }: AttemptState<"launching">): void {
      if (withoutPidLine === "wait") return;
      const isClaimed = claimForDaemon(agent.files);
      if (isClaimed || withoutPidLine === "abandon") settle(agent, { type: "claimed" });
      else advance(agent, { type: "claim_refused", startBy: deadline() });
    },
  };
}
