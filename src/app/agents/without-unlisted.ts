import type { Agent } from "../../domain/agents/agent.ts";
import type { Core } from "../core.ts";
import { mayRunElsewhere } from "../workers/find-elsewhere.ts";
import { mayRunModel } from "../workers/may-run-model.ts";
import { isUnbound, withoutThose } from "./without-unusable.ts";

/**
 * Without the agents whose model the CLI of this host does not list. A worker leaves them to other
 * hosts. A server does so if another host may run them; otherwise they fail here and say why.
 */
export async function withoutUnlisted(
  core: Core,
  agents: readonly Agent[],
): Promise<readonly Agent[]> {
  const { host, health } = core;
  return withoutThose(agents, async (agent) => {
    const list = host ? host.models(agent.runner) : health.models(agent.runner)?.models;
    return (
      !mayRunModel(core, agent, list) &&
      (await isUnbound(core, agent)) &&
      (host !== undefined || (await mayRunElsewhere(core, agent)))
    );
  });
}
