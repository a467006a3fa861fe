import type { Agent } from "../../domain/agents/agent.ts";
import type { RunnerId } from "../../domain/agents/runner.ts";
import type { AgentId } from "../../domain/ids.ts";
import type { Core } from "../core.ts";
import { askHosts, type HostReports } from "../workers/find-directory.ts";
import { mayRunModel } from "../workers/may-run-model.ts";
import type { RunningHost } from "../workers/running-hosts.ts";
import { WAIT_TEXTS } from "./waiting-texts.ts";

/** The hosts that have the labels of an agent. */
type Placeable = { readonly agent: Agent; readonly hosts: readonly RunningHost[] };

/** Each costs a question to every host. */
const MAX_DIRECTORIES = 20;

/**
 * Why no host takes these agents: none of them has the CLI, the model, or the directory. A host that
 * has not answered may have both, so nothing is said then.
 */
export async function whatHostsLack(
  core: Core,
  running: readonly RunningHost[],
  placeable: readonly Placeable[],
): Promise<ReadonlyMap<AgentId, string>> {
  const lacking = new Map<AgentId, string>();
  // With one host, an agent that lacks something fails and says so.
  if (core.calls.serverId === null) return lacking;
  const onWorkers = new Set(running.flatMap(({ runners }) => [...(runners ?? [])]));
  const byDirectory = Map.groupBy(placeable, ({ agent }) => agent.workingDirectory);
  // At once: a host that does not answer delays each of them.
  await Promise.all(
    [...byDirectory].slice(0, MAX_DIRECTORIES).map(async ([path, agents]) => {
      const isEnough = (reports: HostReports) =>
        agents.every(({ agent, hosts }) =>
          hosts.some(
            (host) =>
              hasRunner(host, agent, reports, onWorkers) === true &&
              mayRunModel(core, agent, host.models.get(agent.runner)) &&
              hasDirectory(host, agent, reports) === true,
          ),
        );
      const reports = await askHosts(core, path, isEnough);
      for (const { agent, hosts } of agents) {
        const sentence = lackOf(core, agent, hosts, reports, onWorkers);
        if (sentence !== undefined) lacking.set(agent.id, sentence);
      }
    }),
  );
  return lacking;
}

function lackOf(
  core: Core,
  agent: Agent,
  hosts: readonly RunningHost[],
  reports: HostReports,
  onWorkers: ReadonlySet<RunnerId>,
): string | undefined {
  const { runner, model, labels, workingDirectory } = agent;
  const texts = WAIT_TEXTS[core.settings.locale];
  const installed = hosts.filter((host) => hasRunner(host, agent, reports, onWorkers) !== false);
  if (installed.length === 0) return texts.noRunner(runner, labels);
  const able = installed.filter(({ models }) => mayRunModel(core, agent, models.get(runner)));
  if (able.length === 0) return texts.noModel(runner, model, labels);
  if (able.some((host) => hasDirectory(host, agent, reports) !== false)) return undefined;
  return texts.noDirectory(
    workingDirectory,
    labels,
    able.length < hosts.length ? runner : undefined,
  );
}

/** Undefined: it has not answered. */
function hasRunner(
  { id, runners }: RunningHost,
  { runner }: Agent,
  reports: HostReports,
  onWorkers: ReadonlySet<RunnerId>,
): boolean | undefined {
  if (runners) return runners.has(runner);
  // A server leaves the agent to the workers that have the CLI. Without one, it starts it, and the
  // agent fails with a sentence that says so.
  if (!onWorkers.has(runner)) return true;
  return reports.get(id ?? "")?.runners?.includes(runner);
}

/** Undefined: it has not answered. A host makes worktrees itself. */
function hasDirectory(
  { id }: RunningHost,
  { workspaceId }: Agent,
  reports: HostReports,
): boolean | undefined {
  return workspaceId === null ? reports.get(id ?? "")?.hasDirectory : true;
}
