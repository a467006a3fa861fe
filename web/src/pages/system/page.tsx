import { Check, CircleX, RefreshCw } from "lucide-react";
import type { WireSystem } from "../../../../src/contract/shapes/health.ts";
import { post } from "../../api/http.ts";
import { useSystem } from "../../api/system.ts";
import { useMayOperate } from "../../api/use-me.ts";
import { Gateway } from "../../features/gateway/servers.tsx";
import { useTroubles } from "../../features/gateway/use-troubles.ts";
import { DeadJobsSection } from "../../features/jobs/dead-jobs-section.tsx";
import { TrustCard } from "../../features/people/trust/trust-card.tsx";
import { ServersSection } from "../../features/workers/servers-section.tsx";
import { COMMON } from "../../i18n/common.ts";
import { useFormat } from "../../i18n/format.ts";
import { useTexts } from "../../i18n/texts.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { ErrorNote, Loading } from "../../ui/notes.tsx";
import { CountBadge, PageHead, SectionHead } from "../../ui/page-head.tsx";
import { useAction } from "../../ui/use-action.ts";
import { DaemonCard } from "./facts.tsx";
import { RunnerCard } from "./models.tsx";
import { TEXTS } from "./texts.ts";

export function Page() {
  const text = useTexts(TEXTS);
  const { nav } = useTexts(COMMON);
  const system = useSystem();
  const { count } = useTroubles();
  return (
    <>
      <PageHead title={nav.system} note={text.note} />
      <TrustCard />
      {system.isPending && <Loading />}
      {system.isError && <ErrorNote error={system.error} onRetry={() => void system.refetch()} />}
      {system.data && (
        <div className="flex flex-col gap-7">
          <DeadJobsSection />
          {count > 0 && <GatewaySection />}
          <ServersSection />
          <Models system={system.data} />
          <div className="grid items-start gap-x-4 gap-y-7 lg:grid-cols-2">
            <section>
              <SectionHead title={text.daemon} />
              <DaemonCard system={system.data} />
            </section>
            <section>
              <SectionHead title={text.runners} />
              <Runners system={system.data} />
            </section>
          </div>
          {count === 0 && <GatewaySection />}
        </div>
      )}
    </>
  );
}

/** First on the page if a server or a tool needs attention. */
function GatewaySection() {
  const text = useTexts(TEXTS);
  return (
    <section>
      <SectionHead title={text.gateway} note={text.gatewayNote} />
      <Gateway />
    </section>
  );
}

function Models({ system }: { readonly system: WireSystem }) {
  const text = useTexts(TEXTS);
  const format = useFormat();
  const mayOperate = useMayOperate();
  // The health check also refreshes the models of every CLI.
  const refresh = useAction(() => post("/api/health-check"));
  const total = new Set(system.models.flatMap(({ models }) => models)).size;
  return (
    <section>
      <SectionHead
        title={text.models}
        note={text.modelsNote}
        badge={<CountBadge>{text.count(format.number(total))}</CountBadge>}
      >
        {mayOperate && (
          <Button
            icon={<RefreshCw size={14} aria-hidden />}
            onPress={() => void refresh.run()}
            isPending={refresh.isRunning}
          >
            {refresh.isRunning ? text.refreshing : text.refresh}
          </Button>
        )}
      </SectionHead>
      <div className="grid items-start gap-3 md:grid-cols-2 xl:grid-cols-3">
        {system.models.map((of) => (
          <RunnerCard key={of.runner} of={of} system={system} />
        ))}
      </div>
    </section>
  );
}

function Runners({ system }: { readonly system: WireSystem }) {
  const text = useTexts(TEXTS);
  return (
    <Card className="divide-y divide-line">
      {system.runners.map(({ id, command }) => (
        <div key={id} className="flex flex-wrap items-center gap-x-3 px-4 py-2.5">
          <span className="w-24 font-mono font-semibold">{id}</span>
          {command === null ? (
            <span className="inline-flex items-center gap-1.5 text-text-3">
              <CircleX size={14} aria-hidden />
              {text.notFound}
            </span>
          ) : (
            <>
              <span className="inline-flex items-center gap-1.5 text-success">
                <Check size={14} aria-hidden />
                {text.found}
              </span>
              <span className="min-w-0 font-mono text-xs break-all text-text-2">{command}</span>
            </>
          )}
        </div>
      ))}
    </Card>
  );
}
