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

/** Translates between agents and the launcher, and carries on with a new launcher when one dies. */
export function createLauncherLink(options: {
  readonly command: readonly string[];
  readonly hello: Extract<LauncherRequest, { type: "hello" }>;
  readonly graceMs: number;
  readonly log: Log;
  readonly onFailedLook: FailedLooks;
  readonly live: ReadonlyMap<string, TrackedAgent>;
  readonly kick: (agent: TrackedAgent) => void;
  readonly steps: () => AgentSteps;
}) {
  const { command, hello, graceMs, log, onFailedLook, live, kick, steps } = options;
  /** Not part of the agents: an agent may end before its launch is answered. */
  const acceptances = new Map<string, { readonly launcher: number; readonly accept: () => void }>();
  const client = createLauncherClient({ command, log, greet, onAnswer, onDeath });
  const leftovers = createLeftoverProcesses({ send, log });

  function send(request: LauncherRequest): void {
    client.send(request);
  }

  /** What a new launcher must know: the trees to remember, the stops and sweeps under way. */
  function greet(): LauncherRequest[] {
    const requests: LauncherRequest[] = [hello, ...leftovers.underWay()];
    for (const agent of live.values()) {
      const { state } = agent;
      if (state.name !== "running" && state.name !== "stopping") continue;
      const wrapper = wrapperOf(agent, state.process);
      if (!hasEnded(state)) requests.push({ type: "watch", ...wrapper });
      if (state.name === "stopping") {
        requests.push({ type: "stop", ...wrapper, signal: state.signal, graceMs });
      }
    }
    return requests;
  }

  function onAnswer(answer: LauncherAnswer): void {
    if (answer.type === "ready") return;
    if (answer.type === "look_failed") return onFailedLook(answer.error);
    if (answer.type === "stopped") leftovers.swept(answer);
    if (answer.type === "launched" || answer.type === "failed") accepted(answer.key);
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
    for (const [key, asked] of acceptances) if (asked.launcher === launcher) accepted(key);
  }

  function accepted(key: string): void {
    acceptances.get(key)?.accept();
    acceptances.delete(key);
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
      await new Promise<void>((accept) => acceptances.set(key, { launcher, accept }));
    },
    async close(): Promise<void> {
      await client.close();
      leftovers.close();
      for (const key of acceptances.keys()) accepted(key);
    },
  };
}
