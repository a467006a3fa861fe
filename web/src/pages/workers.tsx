import { useServers } from "../api/system.ts";
import { ServersSection } from "../features/workers/servers-section.tsx";
import { TEXTS } from "../features/workers/texts.ts";
import { WorkersList } from "../features/workers/workers-list.tsx";
import { COMMON } from "../i18n/common.ts";
import { useTexts } from "../i18n/texts.ts";
import { EmptyState, ErrorNote, Loading } from "../ui/notes.tsx";
import { PageHead } from "../ui/page-head.tsx";

export function Page() {
  const text = useTexts(TEXTS);
  const { nav } = useTexts(COMMON);
  const read = useServers();
  const servers = read.data?.servers ?? [];
  if (servers.length > 0) {
    return (
      <div className="flex flex-col gap-7">
        <WorkersList servers={servers} />
        <ServersSection evenIfAlone />
      </div>
    );
  }
  return (
    <>
      <PageHead title={nav.workers} note={text.note} />
      {read.isPending && <Loading />}
      {read.isError && <ErrorNote error={read.error} onRetry={() => void read.refetch()} />}
      {read.data && (
        <EmptyState title={text.needsPostgres}>
          {text.needsPostgresBody} <code className="font-mono text-xs">{text.guide}</code>
        </EmptyState>
      )}
    </>
  );
}
