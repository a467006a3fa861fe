import type { RunnerCommand } from "../../../app/ports/runner.ts";
import type { Log } from "../../../app/ports/world.ts";
import type { AgentSteps } from "../observe/agent-steps.ts";
import { hasEnded } from "../observe/attempt.ts";
import {
  advance,
  advanceIfAccepted,
  wrapperOf,
  type TrackedAgent,
} from "../observe/tracked-agent.ts";
import type { FailedLooks } from "../processes/failed-looks.ts";
import { createLauncherClient } from "./launcher-client.ts";
import type { LauncherAnswer, LauncherRequest } from "./launcher-messages.ts";
import { createLeftoverProcesses } from "./leftover-processes.ts";

type LinkOptions = {
  readonly command: readonly string[];
  readonly hello: Extract<LauncherRequest, { type: "hello" }>;
  readonly graceMs: number;
  readonly log: Log;
  readonly onFailedLook: FailedLooks;
  readonly live: ReadonlyMap<string, TrackedAgent>;
  readonly kick: (agent: TrackedAgent) => void;
  readonly steps: () => AgentSteps;
};

/** Translates between agents and the launcher, and carries on with a new launcher when one dies. */
export function createLauncherLink(options: LinkOptions) {
  const { command, hello, graceMs, log, onFailedLook, live, kick, steps } = options;
  const acceptances = createAcceptances();
  const client = createLauncherClient({ command, log, greet, onAnswer, onDeath });
  const leftovers = createLeftoverProcesses({ send, log });

  function send(request: LauncherRequest): void {
    client.send(request);
  }

  /** What a new launcher must know. */
  function greet(): LauncherRequest[] {
    const agents = [...live.values()].flatMap((agent) => requestsFor(agent, graceMs));
    return [hello, ...leftovers.underWay(), ...agents];
  }

  function onAnswer(answer: LauncherAnswer): void {
    if (answer.type === "ready") return;
    if (answer.type === "look_failed") return onFailedLook(answer.error);
    if (answer.type === "stopped") leftovers.swept(answer);
    if (answer.type === "launched" || answer.type === "failed") acceptances.accept(answer.key);
    const agent = live.get(answer.key);
    if (!agent) return;
    switch (answer.type) {
      case "launched":
        // The pid line follows, and the change of the status file wakes the pump.
        return steps().starting.launched(agent);
      case "failed":
        steps().settle(agent, { type: "start_failed", error: answer.error });
        break;
      case "exited":
        advanceIfAccepted(agent, { type: "wrapper_exited" });
        agent.probe.isLivenessDue = true;
        break;
      case "looked":
        steps().starting.looked(agent, answer.isAlive);
        break;
      case "stopped":
        advanceIfAccepted(agent, { type: "swept", survivors: answer.survivors });
        agent.probe.isLivenessDue = true;
    }
    // Read the status file before anything is concluded: the process may have written meanwhile.
    agent.probe.isStatusDue = true;
    kick(agent);
  }

  function onDeath(launcher: number, error: string | null): void {
    for (const agent of live.values()) {
      if (!advanceIfAccepted(agent, { type: "launcher_died", launcher, error })) continue;
      agent.probe.isStatusDue = true;
      kick(agent);
    }
    acceptances.acceptAll(launcher);
  }

  return {
    send,
    sweepAfter: leftovers.add,
    async launch(
      agent: TrackedAgent,
      { argv, env }: RunnerCommand,
      workingDirectory: string,
    ): Promise<void> {
      const { mark, files } = agent;
      const { key } = files;
      const request = { type: "launch", key, mark, files, argv, env, workingDirectory } as const;
      const launcher = client.send(request);
      advance(agent, { type: "launch_sent", launcher });
      await acceptances.wait(key, launcher);
    },
    async close(isForGood: boolean): Promise<void> {
      await client.close(isForGood);
      leftovers.close();
      acceptances.acceptAll();
    },
  };
}

/** The tree to remember, and the stop that is under way. */
function requestsFor(agent: TrackedAgent, graceMs: number): LauncherRequest[] {
  const { state } = agent;
  if (state.name !== "running" && state.name !== "stopping") return [];
  const wrapper = wrapperOf(agent, state.process);
  const requests: LauncherRequest[] = hasEnded(state) ? [] : [{ type: "watch", ...wrapper }];
  if (state.name === "stopping") {
    requests.push({ type: "stop", ...wrapper, signal: state.signal, graceMs });
  }
  return requests;
}

/** Launches that wait for an answer. Not part of the agents: one may end before its answer comes. */
function createAcceptances() {
  const waiting = new Map<string, { readonly launcher: number; readonly resolve: () => void }>();

  function accept(key: string): void {
    waiting.get(key)?.resolve();
    waiting.delete(key);
  }

  return {
    accept,
    /** Those of a launcher that has died, or all. */
    acceptAll(launcher?: number): void {
      for (const [key, asked] of waiting) {
        if (launcher === undefined || asked.launcher === launcher) accept(key);
      }
    },
    wait(key: string, launcher: number): Promise<void> {
      return new Promise((resolve) => waiting.set(key, { launcher, resolve }));
    },
  };
}
