import type { RunnerId } from "../../domain/agents/runner.ts";
import { unusableRunners } from "../../domain/workers/worker.ts";
import type { Core } from "../core.ts";
import { knownWorkers, workersNow } from "./connected-workers.ts";
import { knownServers, modelsForRow, serversNow } from "./known-servers.ts";

export type RunningHost = {
  /** null: there is only this host. */
  readonly id: string | null;
  readonly labels: readonly string[];
  /** Which worktrees it can make: `fetched` are those whose commit it can fetch. */
  readonly makes: "all" | "fetched" | undefined;
  /** The agent CLIs of a worker; undefined: a server, which says it when it is asked. */
  readonly runners: ReadonlySet<RunnerId> | undefined;
  /** What its CLIs list; absent: not known. */
  readonly models: ReadonlyMap<RunnerId, readonly string[]>;
  /** Those of them that are signed out there; a server says it when it is asked. */
  readonly unusable: ReadonlySet<RunnerId>;
};

/** The hosts that run agents. What is known of the others may be a second old, unless `isNow`. */
export async function listRunningHosts(
  core: Core,
  { isNow = false } = {},
): Promise<readonly RunningHost[]> {
  const { offer, host } = core;
  const id = core.calls.serverId;
  const [servers, workers] = await Promise.all(
    isNow ? [serversNow(core), workersNow(core)] : [knownServers(core), knownWorkers(core)],
  );
  // The core of a worker has the offer of the worker, which is in its row, too.
  const here = host
    ? []
    : [
        {
          id,
          slots: offer?.slots() ?? null,
          labels: offer?.labels() ?? [],
          models: modelsForRow(core),
        },
      ];
  const others = servers.filter((each) => host !== undefined || each.id !== id);
  const connected = workers.flatMap((each) =>
    each.state === "connected" && each.details && !each.details.isDraining
      ? [{ id: each.id, ...each.details }]
      : [],
  );
  return [
    ...[...here, ...others].map((each) => ({
      ...each,
      makes: "all" as const,
      runners: undefined,
      models: new Map(
        [...core.runners.keys()].flatMap((runner) => {
          const list = each.models?.[runner];
          return list ? [[runner, list] as const] : [];
        }),
      ),
      unusable: new Set<RunnerId>(),
    })),
    ...connected.map((each) => ({
      ...each,
      makes: each.worktreeRoot === undefined ? undefined : ("fetched" as const),
      runners: new Set(each.runners.map(({ id: runner }) => runner)),
      models: new Map(
        each.runners.flatMap(({ id: runner, models }) =>
          models ? [[runner, models] as const] : [],
        ),
      ),
      unusable: unusableRunners(each, core.clock.now()),
    })),
  ].flatMap(({ slots, labels = [], ...each }) => (slots === 0 ? [] : [{ ...each, labels }]));
}
