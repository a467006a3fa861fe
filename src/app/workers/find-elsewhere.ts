import type { Agent } from "../../domain/agents/agent.ts";
import { hasLabels } from "../../domain/workers/labels.ts";
import type { Core } from "../core.ts";
import type { Elsewhere } from "../ports/supervisor.ts";
import { askHosts, type HostReports } from "./find-directory.ts";
import { mayRunModel } from "./may-run-model.ts";
import { listRunningHosts, type RunningHost } from "./running-hosts.ts";

type Placed = Pick<Agent, "runner" | "model" | "labels" | "workingDirectory" | "workspaceId">;

const NOWHERE: Elsewhere = { runner: false, agent: false };

/** What hosts can do besides the host of this core and those that were tried. */
export async function findElsewhere(
  core: Core,
  agent: Placed,
  tried: readonly string[] = [],
): Promise<Elsewhere> {
  const except = [core.serverId, ...tried];
  const others = (await listRunningHosts(core)).filter(({ id }) => !except.includes(id));
  if (others.length === 0) return NOWHERE;
  const canRun = (host: RunningHost, reports: HostReports): boolean =>
    canUse(core, host, agent, reports) &&
    hasLabels(host.labels, agent.labels) &&
    (agent.workspaceId === null
      ? reports.get(host.id ?? "")?.hasDirectory === true
      : host.makes !== undefined);
  const reports = await askHosts(core, agent.workingDirectory, (known) =>
    others.some((host) => canRun(host, known)),
  );
  return {
    runner: others.some((host) => canUse(core, host, agent, reports)),
    agent: others.some((host) => canRun(host, reports)),
  };
}

function canUse(
  core: Core,
  { id, runners, models, unusable }: RunningHost,
  agent: Placed,
  reports: HostReports,
): boolean {
  const { runner } = agent;
  const report = reports.get(id ?? "");
  const has = runners?.has(runner) ?? report?.runners?.includes(runner) === true;
  const isUsable = !unusable.has(runner) && report?.unusable?.includes(runner) !== true;
  return has && isUsable && mayRunModel(core, agent, models.get(runner));
}
