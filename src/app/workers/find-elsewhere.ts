import type { Agent } from "../../domain/agents/agent.ts";
import { hasLabels } from "../../domain/workers/labels.ts";
import type { Core } from "../core.ts";
import type { Elsewhere } from "../ports/supervisor.ts";
import { askHosts, type HostReports } from "./find-directory.ts";
import { mayRunModel } from "./may-run-model.ts";
import { listRunningHosts, type RunningHost } from "./running-hosts.ts";

type Placed = Pick<Agent, "runner" | "model" | "labels" | "workingDirectory" | "workspaceId">;

/** Undefined: a host has not answered. */
type Maybe = boolean | undefined;

type Look = {
  readonly tried?: readonly string[];
  /** Also hosts that have just connected: for decisions that are final. */
  readonly isNow?: boolean;
};

/** What hosts can do besides the host of this core and those that were tried. */
export async function findElsewhere(
  core: Core,
  agent: Placed,
  look: Look = {},
): Promise<Elsewhere> {
  const { others, reports } = await askOtherHosts(core, agent, look);
  return {
    runner: others.some((host) => canUse(core, host, agent, reports) === true),
    agent: others.some((host) => canRun(core, host, agent, reports) === true),
  };
}

/**
 * Whether another host can run the agent, or has not answered in time whether it can. If none can, the
 * agent fails, so the hosts are read again before.
 */
export async function mayRunElsewhere(core: Core, agent: Placed): Promise<boolean> {
  const look = async (isNow: boolean): Promise<boolean> => {
    const { others, reports } = await askOtherHosts(core, agent, { isNow });
    return others.some((host) => canRun(core, host, agent, reports) !== false);
  };
  return (await look(false)) || (await look(true));
}

async function askOtherHosts(core: Core, agent: Placed, { tried = [], isNow = false }: Look) {
  const except = [core.serverId, ...tried];
  const others = (await listRunningHosts(core, { isNow })).filter(({ id }) => !except.includes(id));
  const reports: HostReports =
    others.length === 0
      ? new Map()
      : await askHosts(core, agent.workingDirectory, (known) =>
          others.some((host) => canRun(core, host, agent, known) === true),
        );
  return { others, reports };
}

function canRun(core: Core, host: RunningHost, agent: Placed, reports: HostReports): Maybe {
  return all([
    canUse(core, host, agent, reports),
    hasLabels(host.labels, agent.labels),
    agent.workspaceId === null
      ? reports.get(host.id ?? "")?.hasDirectory
      : host.makes !== undefined,
  ]);
}

function canUse(
  core: Core,
  { id, runners, models, unusable }: RunningHost,
  agent: Placed,
  reports: HostReports,
): Maybe {
  const { runner } = agent;
  const report = reports.get(id ?? "");
  return all([
    runners?.has(runner) ?? report?.runners?.includes(runner),
    !unusable.has(runner) && report?.unusable?.includes(runner) !== true,
    mayRunModel(core, agent, models.get(runner)),
  ]);
}

function all(conditions: readonly Maybe[]): Maybe {
  if (conditions.includes(false)) return false;
  return conditions.includes(undefined) ? undefined : true;
}
