import { useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ArrowDown, ArrowUp } from "lucide-react";
import { COMMON } from "../../i18n/common.ts";
import { useFormat } from "../../i18n/format.ts";
import { useTexts } from "../../i18n/texts.ts";
import { Button } from "../../ui/button.tsx";
import { cx } from "../../ui/cx.ts";
import { ExportMenu } from "../../ui/export-menu.tsx";
import { LoadMore } from "../../ui/load-more.tsx";
import { EmptyState, ErrorNote, Loading } from "../../ui/notes.tsx";
import { CountBadge, PageHead } from "../../ui/page-head.tsx";
import { FilterBar } from "./filter-bar.tsx";
import { useHistoryFilters } from "./filters.ts";
import { HistoryTable } from "./table.tsx";
import { TEXTS } from "./texts.ts";
import { historyRows } from "./to-csv.ts";
import { readHistory, useHistory } from "./use-history.ts";

const EXPORT_PAGE = 200;

export function Page() {
  const text = useTexts(TEXTS);
  const { nav } = useTexts(COMMON);
  const format = useFormat();
  const queries = useQueryClient();
  const filters = useHistoryFilters();
  const Newer = filters.order === "asc" ? ArrowDown : ArrowUp;
  const { read, entries, hasNewer } = useHistory(filters.query, filters.order);
  return (
    <>
      <PageHead
        title={nav.history}
        note={text.note}
        badge={
          read.isSuccess && (
            <CountBadge>{text.loaded(format.number(entries.length), read.hasNextPage)}</CountBadge>
          )
        }
      >
        <ExportMenu
          name="history"
          isDisabled={entries.length === 0}
          readPage={async (cursor, signal) => {
            const page = await readHistory(
              filters.query,
              filters.order,
              cursor,
              EXPORT_PAGE,
              signal,
            );
            return { items: page.entries, nextCursor: page.nextCursor };
          }}
          csv={(all) => historyRows(all, text.csv)}
        />
      </PageHead>
      <FilterBar filters={filters} entries={entries} />
      {hasNewer && (
        <div className="sticky top-16 z-25 mb-2 flex justify-center">
          <Button
            look="violet"
            size="small"
            icon={<Newer size={13} aria-hidden />}
            onPress={() => {
              if (filters.order === "asc") return void read.refetch();
              window.scrollTo({ top: 0 });
              // Start again with the first page instead of refetching all loaded ones.
              void queries.resetQueries({ queryKey: ["history", filters.query, filters.order] });
            }}
          >
            {text.newer}
          </Button>
        </div>
      )}
      {read.isError && <ErrorNote error={read.error} onRetry={() => void read.refetch()} />}
      {read.isPending && <Loading />}
      {read.isSuccess && entries.length === 0 && <Nothing isFiltered={filters.isFiltered} />}
      {entries.length > 0 && (
        <div className={cx(read.isPlaceholderData && "opacity-60")}>
          <HistoryTable
            entries={entries}
            view={filters.view}
            hasMore={read.hasNextPage}
            order={filters.order}
            onOrder={(order) => filters.change({ order: order === "desc" ? "" : order })}
            onGroup={(group) => filters.change({ group, view: "" })}
          />
          <LoadMore
            hasMore={read.hasNextPage}
            isLoading={read.isFetchingNextPage}
            onMore={() => void read.fetchNextPage()}
          />
        </div>
      )}
    </>
  );
}

function Nothing({ isFiltered }: { readonly isFiltered: boolean }) {
  const text = useTexts(TEXTS);
  if (isFiltered) return <EmptyState title={text.noMatch}>{text.noMatchNote}</EmptyState>;
  return (
    <EmptyState
      title={text.empty}
      action={
        <Link to="/welcome" className="text-violet underline">
          {text.tryIt}
        </Link>
      }
    >
      {text.emptyNote}
    </EmptyState>
  );
}
