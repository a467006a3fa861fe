import type { Agent } from "../../domain/agents/agent.ts";
import type { AgentId } from "../../domain/ids.ts";
import { hasLabels, missingLabels } from "../../domain/workers/labels.ts";
import type { FetchProblem } from "../../domain/workspaces/workspace.ts";
import type { Core } from "../core.ts";
import { pauseSentence } from "../roles/runner-texts.ts";
import { knownServers } from "../workers/known-servers.ts";
import { listRunningHosts, type RunningHost } from "../workers/running-hosts.ts";
import { labelRoomOf } from "./label-limits.ts";
import { obeysPauses } from "./paused-runners.ts";
import { hasKeys } from "./runnable-here.ts";
import { WAIT_TEXTS } from "./waiting-texts.ts";
import { whatHostsLack } from "./what-hosts-lack.ts";

export type WaitingFor = (agent: Agent) => { waitingFor?: string };

/**
 * What queued agents wait for besides a free slot. Looks at hosts and limits only if it could matter
 * for one of these agents.
 */
export async function explainWaiting(core: Core, agents: readonly Agent[]): Promise<WaitingFor> {
  const queued = agents.filter(({ status }) => status === "queued");
  const placed = await explainPlaces(core, queued);
  const forKey = await explainKeys(core, queued);
  return (agent) => {
    if (agent.status !== "queued") return {};
    if (!hasKeys(core, agent)) return { waitingFor: forKey };
    const pause = obeysPauses(agent) ? pauseSentence(core, agent.runner) : undefined;
    const sentence = pause ?? placed.get(agent.id);
    return sentence === undefined ? {} : { waitingFor: sentence };
  };
}

/** The client may have sent the key to another server. It is in the memory of that one only. */
async function explainKeys(core: Core, queued: readonly Agent[]): Promise<string> {
  const lacksKey = queued.some((agent) => !hasKeys(core, agent));
  const servers = lacksKey ? await knownServers(core) : [];
  const others = servers.filter(({ id }) => id !== core.calls.serverId);
  return others.length === 0 ? "needs key" : WAIT_TEXTS[core.settings.locale].keyElsewhere;
}

async function explainPlaces(
  core: Core,
  queued: readonly Agent[],
): Promise<ReadonlyMap<AgentId, string>> {
  const sentences = new Map<AgentId, string>();
  const hasWanted = queued.some(({ labels }) => labels.length > 0);
  const mayLackHosts = hasWanted || core.calls.serverId !== null || core.offer?.slots() === 0;
  if (queued.length === 0 || !mayLackHosts) return sentences;
  // People look here directly after they have connected a host.
  const hosts = await listRunningHosts(core, { isNow: true });
  const problems = await fetchProblemsOf(core, queued);
  const texts = WAIT_TEXTS[core.settings.locale];
  const placeable: { readonly agent: Agent; readonly hosts: readonly RunningHost[] }[] = [];
  for (const agent of queued) {
    const problem = problems.get(agent.workspaceId ?? "");
    const able = hosts.filter(
      (host) => agent.workspaceId === null || host.makes === "all" || (!problem && host.makes),
    );
    const labelled = able.filter((host) => hasLabels(host.labels, agent.labels));
    if (labelled.length > 0) placeable.push({ agent, hosts: labelled });
    else sentences.set(agent.id, whyNone(core, agent, able, problem));
  }
  const lacking = await whatHostsLack(core, hosts, placeable);
  const room = hasWanted ? await labelRoomOf(core, core.store) : undefined;
  for (const { agent } of placeable) {
    const full = room?.fullLabelOf(agent);
    const limit = core.settings.labelLimits[full ?? ""] ?? 0;
    const sentence =
      lacking.get(agent.id) ?? (full === undefined ? undefined : texts.full(full, limit));
    if (sentence !== undefined) sentences.set(agent.id, sentence);
  }
  return sentences;
}

/** No host of these has the labels of the agent, or there is no host at all. */
function whyNone(
  { settings }: Core,
  { labels, workspaceId }: Agent,
  able: readonly RunningHost[],
  problem: FetchProblem | undefined,
): string {
  const texts = WAIT_TEXTS[settings.locale];
  const missing = missingLabels([...new Set(able.flatMap((host) => host.labels))], labels);
  if (problem) return texts.notFetched(problem);
  if (able.length === 0) return workspaceId === null ? texts.noHost : texts.noServer;
  return texts.noLabel(missing.length > 0 ? missing : labels);
}

/** Why workers could not make the worktrees of these agents. */
async function fetchProblemsOf(
  core: Core,
  queued: readonly Agent[],
): Promise<ReadonlyMap<string, FetchProblem>> {
  const ids = queued.flatMap(({ workspaceId }) => workspaceId ?? []);
  const rows = ids.length === 0 ? [] : await core.store.getWorkspaces(ids);
  return new Map(
    rows.flatMap(({ id, fetchProblem }) => (fetchProblem ? [[id, fetchProblem] as const] : [])),
  );
}
