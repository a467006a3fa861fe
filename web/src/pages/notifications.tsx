import { useQuery } from "@tanstack/react-query";
import type { WireNotification } from "../../../src/contract/shapes/notifications.ts";
import { get } from "../api/http.ts";
import { MyAlerts } from "../features/alerts/my-alerts.tsx";
import { AttentionSwitches } from "../features/notifications/attention/attention-switches.tsx";
import { ForYou, useForYou } from "../features/notifications/for-you.tsx";
import { NoticeRow } from "../features/notifications/notice-row.tsx";
import { TEXTS } from "../features/notifications/texts.ts";
import { COMMON } from "../i18n/common.ts";
import { useFormat } from "../i18n/format.ts";
import { useTexts } from "../i18n/texts.ts";
import { Card } from "../ui/card.tsx";
import { EmptyState, ErrorNote, Loading } from "../ui/notes.tsx";
import { CountBadge, PageHead, SectionHead } from "../ui/page-head.tsx";
import { Segments } from "../ui/segments.tsx";
import { useFilters } from "../ui/use-filters.ts";
import { WindowList } from "../ui/virtual-list.tsx";

const FILTERS = ["all", "open", "done"] as const;
const PAGE_LIMIT = 500;

export function Page() {
  const text = useTexts(TEXTS);
  const { nav } = useTexts(COMMON);
  const items = useForYou();
  return (
    <>
      <PageHead title={nav.notifications} note={text.note} />
      <div className="grid items-start gap-x-5 gap-y-7 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="flex min-w-0 flex-col gap-7">
          <section>
            <SectionHead
              title={text.forYou}
              badge={items.length > 0 && <CountBadge>{items.length}</CountBadge>}
            />
            <ForYou items={items} />
          </section>
          <MyAlerts />
          <Notices />
        </div>
        <section className="lg:sticky lg:top-20">
          <SectionHead title={text.settings} note={text.settingsNote} />
          <Card className="p-4">
            <AttentionSwitches />
          </Card>
        </section>
      </div>
    </>
  );
}

function Notices() {
  const text = useTexts(TEXTS);
  const format = useFormat();
  const [filters, change] = useFilters();
  const wanted = FILTERS.find((known) => known === filters["notices"]) ?? "all";
  const read = useQuery({
    queryKey: ["notification", "all"],
    queryFn: ({ signal }) => get("/api/notifications", { query: { limit: PAGE_LIMIT }, signal }),
  });
  const all = read.data?.notifications ?? [];
  const shown = all.filter((notice) => wanted === "all" || isOpen(notice) === (wanted === "open"));
  return (
    <section>
      <SectionHead
        title={text.forAgents}
        note={text.forAgentsNote}
        badge={all.length > 0 && <CountBadge>{format.number(all.length)}</CountBadge>}
      >
        {all.length > 0 && (
          <Segments
            label={text.filter}
            value={wanted}
            options={FILTERS.map((id) => ({ id, label: text.filters[id] }))}
            onChange={(id) => change({ notices: id === "all" ? "" : id })}
          />
        )}
      </SectionHead>
      {read.isPending && <Loading />}
      {read.isError && <ErrorNote error={read.error} onRetry={() => void read.refetch()} />}
      {read.isSuccess && all.length === 0 && (
        <EmptyState title={text.empty}>{text.emptyNote}</EmptyState>
      )}
      {all.length > 0 && shown.length === 0 && <EmptyState title={text.noMatch} />}
      {shown.length > 0 && (
        <div role="list" className="overflow-hidden rounded-xl border border-line bg-surface">
          <WindowList
            count={shown.length}
            keyOf={(index) => shown[index]?.notificationId ?? index}
            estimate={() => 110}
            render={(index) => {
              const notice = shown[index];
              return notice && <NoticeRow notice={notice} />;
            }}
          />
        </div>
      )}
      {all.length >= PAGE_LIMIT && <p className="mt-2 text-xs text-text-3">{text.latest}</p>}
    </section>
  );
}

function isOpen({ status }: WireNotification): boolean {
  return status === "pending" || status === "announced";
}
