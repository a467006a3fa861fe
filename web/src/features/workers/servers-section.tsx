import { TriangleAlert } from "lucide-react";
import type { WireServer } from "../../../../src/contract/shapes/server.ts";
import { useServers } from "../../api/system.ts";
import { useFormat } from "../../i18n/format.ts";
import { useTexts } from "../../i18n/texts.ts";
import { Card } from "../../ui/card.tsx";
import { CountBadge, SectionHead } from "../../ui/page-head.tsx";
import { Ago } from "../../ui/times.tsx";
import { TEXTS } from "./texts.ts";

/** Only if several servers share the database. */
export function ServersSection() {
  const text = useTexts(TEXTS);
  const format = useFormat();
  const { data } = useServers();
  if (!data || data.servers.length <= 1) return null;
  return (
    <section>
      <SectionHead
        title={text.servers}
        note={text.serversNote}
        badge={<CountBadge>{text.serverCount(format.number(data.servers.length))}</CountBadge>}
      />
      {!data.sameConfiguration && (
        <p className="mb-2 flex items-start gap-2 text-warning" role="status">
          <TriangleAlert size={16} aria-hidden className="mt-0.5 shrink-0" />
          {text.configurationsDiffer}
        </p>
      )}
      <Card className="divide-y divide-line">
        {data.servers.map((server) => (
          <ServerRow key={server.id} server={server} />
        ))}
      </Card>
    </section>
  );
}

function ServerRow({ server }: { readonly server: WireServer }) {
  const text = useTexts(TEXTS);
  const format = useFormat();
  const { host, pid, version, url, agents, isThis, isLeader, startedAt, seen_ms, configHash } =
    server;
  const marks = [isThis && text.thisServer, isLeader && text.leader].filter(Boolean).join(" · ");
  return (
    <div className="flex flex-wrap items-baseline gap-x-4 gap-y-1 px-4 py-2.5">
      <span className="min-w-0 font-mono font-semibold break-all">{host}</span>
      <span className="text-xs text-text-2">{marks}</span>
      <span className="ml-auto">{text.serverAgents(format.number(agents))}</span>
      <span className="flex w-full flex-wrap gap-x-4 font-mono text-xs break-all text-text-3">
        <span>{url ?? text.noAddress}</span>
        <span>{`${version} (pid ${pid})`}</span>
        <span>{`${text.configuration} ${configHash}`}</span>
        <span>
          {text.started} <Ago at={startedAt} />
        </span>
        <span>{text.seen(format.number(Math.round(seen_ms / 1_000)))}</span>
      </span>
    </div>
  );
}
