import { useRef } from "react";
import type { WireServer } from "../../../../src/contract/shapes/server.ts";
import { useSystem } from "../../api/system.ts";
import { useIsAdmin } from "../../api/use-me.ts";
import { COMMON } from "../../i18n/common.ts";
import { useFormat } from "../../i18n/format.ts";
import { useTexts } from "../../i18n/texts.ts";
import { Card } from "../../ui/card.tsx";
import { EmptyState, ErrorNote, Loading } from "../../ui/notes.tsx";
import { CountBadge, PageHead } from "../../ui/page-head.tsx";
import { AddWorker } from "./add-worker.tsx";
import { TEXTS } from "./texts.ts";
import { useWorkers } from "./use-workers.ts";
import { WorkerRow } from "./worker-row.tsx";
import { freeSlots, takingSlots, workerState } from "./worker-state.ts";

/** The workers, with the head of their page. */
export function WorkersList({ servers }: { readonly servers: readonly WireServer[] }) {
  const text = useTexts(TEXTS);
  const { nav } = useTexts(COMMON);
  const format = useFormat();
  const isAdmin = useIsAdmin();
  const section = useRef<HTMLElement>(null);
  const read = useWorkers();
  const workers = read.data?.workers ?? [];
  const taking = workers.filter((worker) => workerState(worker) === "connected").length;
  return (
    <section ref={section} tabIndex={-1} aria-label={nav.workers} className="outline-none">
      <PageHead
        title={nav.workers}
        note={text.note}
        badge={
          workers.length > 0 && <CountBadge>{text.count(format.number(workers.length))}</CountBadge>
        }
      >
        {isAdmin && <AddWorker />}
      </PageHead>
      {read.isPending && <Loading />}
      {read.isError && <ErrorNote error={read.error} onRetry={() => void read.refetch()} />}
      {read.data && workers.length === 0 && (
        <EmptyState title={text.none}>{isAdmin ? text.noneAdmin : text.noneOthers}</EmptyState>
      )}
      {workers.length > 0 && (
        <>
          <p className="mb-2 text-text-2 tabular-nums">
            {text.summary(format.number(taking), format.number(freeSlots(workers)))}
          </p>
          <IdleSlots slots={takingSlots(workers)} />
          <Card>
            <ul aria-label={nav.workers} className="divide-y divide-line">
              {workers.map((worker) => (
                <WorkerRow
                  key={worker.workerId}
                  worker={worker}
                  servers={servers}
                  readAt={read.dataUpdatedAt}
                  onRevoked={() => section.current?.focus()}
                />
              ))}
            </ul>
          </Card>
        </>
      )}
    </section>
  );
}

/** People add workers and wonder why no more agents run than before. */
function IdleSlots({ slots }: { readonly slots: number }) {
  const text = useTexts(TEXTS);
  const format = useFormat();
  const { data } = useSystem();
  if (!data || slots <= data.maxConcurrent) return null;
  return (
    <p className="mb-2 text-sm text-text-2">
      {text.idleSlots(format.number(slots), format.number(data.maxConcurrent))}
    </p>
  );
}
