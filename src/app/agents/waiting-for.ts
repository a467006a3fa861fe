import type { Agent } from "../../domain/agents/agent.ts";
import type { Core } from "../core.ts";
import { pauseSentence } from "../roles/runner-texts.ts";
import { hasKeys } from "./dispatch-agents.ts";
import { obeysPauses } from "./paused-runners.ts";

/** What a queued agent waits for besides a free slot. */
export function waitingFor(core: Core, agent: Agent): { waitingFor?: string } {
  if (agent.status !== "queued") return {};
  if (!hasKeys(core, agent)) return { waitingFor: "needs key" };
  const sentence = obeysPauses(agent) ? pauseSentence(core, agent.runner) : undefined;
  return sentence === undefined ? {} : { waitingFor: sentence };
}
