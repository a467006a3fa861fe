import type { ReactNode } from "react";
import type { WireSystem } from "../../../../src/contract/shapes/health.ts";
import { useDaemon } from "../../api/system.ts";
import { useTexts } from "../../i18n/texts.ts";
import { Card } from "../../ui/card.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { ErrorNote } from "../../ui/notes.tsx";
import { Ago } from "../../ui/times.tsx";
import { TEXTS } from "./texts.ts";

export function DaemonCard({ system }: { readonly system: WireSystem }) {
  const text = useTexts(TEXTS);
  const daemon = useDaemon();
  const status = daemon.data;
  const address = status?.url ?? location.origin;
  return (
    <Card className="p-4">
      {daemon.isError && <ErrorNote error={daemon.error} />}
      <dl className="grid grid-cols-1 gap-x-8 gap-y-2 sm:grid-cols-[max-content_minmax(0,1fr)]">
        <Fact name={text.version}>{system.version}</Fact>
        <Fact name={text.platform}>{system.platform}</Fact>
        <Fact name={text.node}>{system.node}</Fact>
        <Fact name={text.address} copy>
          {address}
        </Fact>
        <Fact name={text.mcpAddress} copy>
          {`${address}/mcp`}
        </Fact>
        <Term name={text.slots}>{system.maxConcurrent}</Term>
        {status && (
          <>
            <Fact name={text.config} copy={status.configPath !== null}>
              {status.configPath ?? text.configNone}
            </Fact>
            <Fact name={text.data} copy>
              {status.dataDir}
            </Fact>
            <Fact name={text.pid}>{String(status.pid)}</Fact>
            <Term name={text.started}>
              <Ago at={status.startedAt} />
            </Term>
            <Term name={text.agents}>
              {text.agentCounts(status.agents.live, status.agents.waiting)}
            </Term>
            <Term name={text.clients}>{status.clients}</Term>
          </>
        )}
        <Term name={text.locale}>{text.locales[system.locale]}</Term>
      </dl>
    </Card>
  );
}

function Term({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="contents">
      <dt className="text-text-3 max-sm:-mb-1.5 max-sm:text-xs">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  );
}

function Fact({
  name,
  copy = false,
  children,
}: {
  readonly name: string;
  readonly copy?: boolean;
  readonly children: string;
}) {
  return (
    <Term name={name}>
      <span className="inline-flex max-w-full items-center gap-1">
        <span className="font-mono text-xs break-all">{children}</span>
        {copy && <CopyButton text={children} label={name} className="!min-h-5 !px-1" />}
      </span>
    </Term>
  );
}
