import { TriangleAlert } from "lucide-react";
import type { WireServer } from "../../../../src/contract/shapes/server.ts";
import { useServers } from "../../api/system.ts";
import { useFormat } from "../../i18n/format.ts";
import { useTexts } from "../../i18n/texts.ts";
import { visibleName } from "../../text/visible.ts";
import { Card } from "../../ui/card.tsx";
import { CountBadge, SectionHead } from "../../ui/page-head.tsx";
import { Ago } from "../../ui/times.tsx";
import { Chips } from "./chips.tsx";
import { HOST_ROW } from "./host-row.ts";
import { Load } from "./load.tsx";
import { TEXTS } from "./texts.ts";

export type ServersSectionProps = {
  /** Also if one server has the database for itself. */
  readonly evenIfAlone?: boolean;
};

export function ServersSection({ evenIfAlone = false }: ServersSectionProps) {
  const text = useTexts(TEXTS);
  const format = useFormat();
  const { data, dataUpdatedAt } = useServers();
  if (!data || data.servers.length < (evenIfAlone ? 1 : 2)) return null;
  return (
    <section>
      <SectionHead
        title={text.servers}
        note={text.serversNote}
        badge={<CountBadge>{text.count(format.number(data.servers.length))}</CountBadge>}
      />
      {!data.sameConfiguration && <Warning>{text.configurationsDiffer}</Warning>}
      {data.servers.some(({ clockAhead_ms }) => clockAhead_ms !== 0) && (
        <Warning>{text.clocksWrong}</Warning>
      )}
      <Card>
        <ul aria-label={text.servers} className="divide-y divide-line">
          {data.servers.map((server) => (
            <ServerRow
              key={server.id}
              server={server}
              readAt={dataUpdatedAt}
              showsConfiguration={!data.sameConfiguration}
            />
          ))}
        </ul>
      </Card>
    </section>
  );
}

type ServerRowProps = {
  readonly server: WireServer;
  readonly readAt: number;
  readonly showsConfiguration: boolean;
};

function ServerRow({ server, readAt, showsConfiguration }: ServerRowProps) {
  const text = useTexts(TEXTS);
  const { host, pid, version, url, agents, slots, labels, isThis, isLeader } = server;
  return (
    <li className={HOST_ROW}>
      <div className="min-w-0">
        <h3 className="flex flex-wrap items-center gap-x-2 gap-y-1 font-mono font-semibold break-all">
          {visibleName(host)}
          {isThis && <Mark>{text.thisServer}</Mark>}
          {isLeader && <Mark>{text.leader}</Mark>}
          <WrongClock aheadMs={server.clockAhead_ms} />
        </h3>
        <p className="flex flex-wrap gap-x-3 font-mono text-xs break-all text-text-3">
          <span>{url ?? text.noAddress}</span>
          <span>{`${version} (pid ${pid})`}</span>
          {showsConfiguration && (
            <span className="text-timeout">{`${text.configuration} ${server.configHash}`}</span>
          )}
        </p>
      </div>
      <Load name={host} agents={agents} slots={slots} />
      <div className="min-w-0">
        <Chips label={text.labels} values={labels} />
      </div>
      <div className="text-xs text-text-2">
        <p>
          {text.seen} <Ago at={new Date(readAt - server.seen_ms).toISOString()} />
        </p>
        <p className="text-text-3">
          {text.started} <Ago at={server.startedAt} />
        </p>
      </div>
    </li>
  );
}

function WrongClock({ aheadMs }: { readonly aheadMs: number }) {
  const text = useTexts(TEXTS);
  const format = useFormat();
  if (aheadMs === 0) return null;
  const words = text.clockWrong[aheadMs > 0 ? "fast" : "slow"];
  return (
    <span className="inline-flex items-center gap-1 rounded-full border border-timeout/50 bg-timeout/10 px-2 font-sans text-xs leading-5 font-normal text-timeout">
      <TriangleAlert size={13} aria-hidden className="shrink-0" />
      {words(format.duration(Math.abs(aheadMs)))}
    </span>
  );
}

function Warning({ children }: { readonly children: string }) {
  return (
    <p className="mb-2 flex items-start gap-2 text-timeout" role="status">
      <TriangleAlert size={16} aria-hidden className="mt-0.5 shrink-0" />
      {children}
    </p>
  );
}

function Mark({ children }: { readonly children: string }) {
  return (
    <span className="rounded-full border border-line bg-raised px-2 font-sans text-xs leading-5 font-normal text-text-2">
      {children}
    </span>
  );
}
