import { TriangleAlert } from "lucide-react";
import type { WireServer } from "../../../../src/contract/shapes/server.ts";
import type { WireWorker } from "../../../../src/contract/shapes/worker.ts";
import { useIsAdmin } from "../../api/use-me.ts";
import { COMMON } from "../../i18n/common.ts";
import { useTexts } from "../../i18n/texts.ts";
import { visibleName } from "../../text/visible.ts";
import { cx } from "../../ui/cx.ts";
import { StatusBadge } from "../../ui/status-badge.tsx";
import { Ago } from "../../ui/times.tsx";
import { Chips } from "./chips.tsx";
import { HOST_ROW } from "./host-row.ts";
import { Load } from "./load.tsx";
import { RevokeWorker } from "./revoke-worker.tsx";
import { TEXTS } from "./texts.ts";
import { Version } from "./version.tsx";
import { workerState } from "./worker-state.ts";

export type WorkerRowProps = {
  readonly worker: WireWorker;
  readonly servers: readonly WireServer[];
  /** When the browser has read the worker: the time of `seen_ms` counts from here. */
  readonly readAt: number;
  readonly onRevoked: () => void;
};

export function WorkerRow({ worker, servers, readAt, onRevoked }: WorkerRowProps) {
  const text = useTexts(TEXTS);
  const common = useTexts(COMMON);
  const isAdmin = useIsAdmin();
  const state = workerState(worker);
  const { name, host, version, agents, slots } = worker;
  const runners = worker.runners.map((id) => withVersion(id, worker.runnerVersions[id]));
  const problems = Object.entries(worker.runnerProblems);
  const note = text.stateNotes[state];
  const isThere = worker.state === "connected";
  return (
    <li className={cx(HOST_ROW, isAdmin && "relative max-lg:pr-12")}>
      <div className="min-w-0">
        <h2 className="flex flex-wrap items-center gap-x-2 gap-y-1 font-mono font-semibold break-all">
          {name}
          <span className="font-sans">
            <StatusBadge status={state} label={text.states[state]} />
          </span>
        </h2>
        {host !== null && (
          <p className="flex flex-wrap gap-x-3 font-mono text-xs break-all text-text-3">
            <span>{visibleName(host)}</span>
            {version !== null && (
              <Version version={version} expected={servers.find(({ isThis }) => isThis)?.version} />
            )}
          </p>
        )}
        {note && <p className="mt-0.5 text-xs text-pretty text-text-2">{note}</p>}
      </div>
      <div>{(isThere || agents > 0) && <Load name={name} agents={agents} slots={slots} />}</div>
      <div className="flex min-w-0 flex-col gap-1">
        {state === "never" ? (
          <Allowed labels={worker.allowedLabels} />
        ) : (
          <>
            <Chips label={text.labels} values={worker.labels} />
            <p className="text-xs text-text-3">
              {runners.length === 0 ? text.noRunners : text.runners(common.list(runners))}
            </p>
            {problems.map(([runner, kind]) => (
              <p key={runner} className="flex items-start gap-1.5 text-xs text-pretty text-timeout">
                <TriangleAlert size={13} aria-hidden className="mt-0.5 shrink-0" />
                {text.runnerProblems[kind](runner)}
              </p>
            ))}
          </>
        )}
      </div>
      <div className="min-w-0 text-xs text-text-2">
        {worker.seen_ms !== null && (
          <p>
            {text.seen} <Ago at={new Date(readAt - worker.seen_ms).toISOString()} />
          </p>
        )}
        {worker.serverId !== null && (
          <p className="break-all text-text-3">
            {text.via(serverName(servers, worker.serverId) ?? text.serverUnknown)}
          </p>
        )}
      </div>
      {isAdmin && (
        <div className="max-lg:absolute max-lg:top-2 max-lg:right-2 lg:justify-self-end">
          <RevokeWorker worker={worker} onRevoked={onRevoked} />
        </div>
      )}
    </li>
  );
}

function Allowed({ labels }: { readonly labels: readonly string[] | null }) {
  const text = useTexts(TEXTS);
  if (labels === null || labels.length === 0) return null;
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <span aria-hidden className="text-xs text-text-3">
        {text.allowed}
      </span>
      <Chips label={text.allowed} values={labels} isDashed />
    </div>
  );
}

/** The worker says its versions a while after it has connected. */
function withVersion(runner: string, version: string | undefined): string {
  return version === undefined ? runner : `${runner} ${visibleName(version)}`;
}

/** Its host, or its address where one host has several servers. */
function serverName(servers: readonly WireServer[], id: string): string | undefined {
  const server = servers.find((each) => each.id === id);
  if (!server) return undefined;
  const isAlone = servers.filter(({ host }) => host === server.host).length === 1;
  if (isAlone || server.url === null) return visibleName(server.host);
  return new URL(server.url).host;
}
