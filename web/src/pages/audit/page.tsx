import { useQueryClient } from "@tanstack/react-query";
import { ArrowUp, FilterX, RefreshCw } from "lucide-react";
import { useCallback, useEffect, useEffectEvent, useState } from "react";
import type { WireAudit } from "../../../../src/contract/shapes/audit.ts";
import { COMMON } from "../../i18n/common.ts";
import { useFormat } from "../../i18n/format.ts";
import { useTexts } from "../../i18n/texts.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { cx } from "../../ui/cx.ts";
import { ExportMenu } from "../../ui/export-menu.tsx";
import { Field } from "../../ui/field.tsx";
import { LoadMore } from "../../ui/load-more.tsx";
import { EmptyState, ErrorNote, Loading } from "../../ui/notes.tsx";
import { CountBadge, PageHead } from "../../ui/page-head.tsx";
import { useFilters } from "../../ui/use-filters.ts";
import { WindowList } from "../../ui/virtual-list.tsx";
import { EntryRow, GRID } from "./entry-row.tsx";
import { TEXTS } from "./texts.ts";
import { type AuditQuery, listKey, readAudit, useAudit } from "./use-audit.ts";
import { useVerify, VerdictNote, VerifyButton } from "./verify.tsx";

const EXPORT_PAGE = 500;
const CALM_MS = 400;

export function Page() {
  const text = useTexts(TEXTS);
  const { nav } = useTexts(COMMON);
  const format = useFormat();
  const queries = useQueryClient();
  const verify = useVerify();
  const [{ actor = "", subject = "" }, change] = useFilters();
  const query = queryOf(actor, subject);
  const isFiltered = Object.keys(query).length > 0;
  const { read, entries, hasNewer } = useAudit(query);
  const again = () => void queries.resetQueries({ queryKey: listKey(query) });
  return (
    <>
      <PageHead
        title={nav.audit}
        note={text.note}
        badge={
          read.isSuccess && (
            <CountBadge>{text.loaded(format.number(entries.length), read.hasNextPage)}</CountBadge>
          )
        }
      >
        <VerifyButton {...verify} />
        <ExportMenu
          name="audit"
          isDisabled={entries.length === 0}
          readPage={async (cursor, signal) => {
            const page = await readAudit(query, cursor, EXPORT_PAGE, signal);
            return { items: page.entries, nextCursor: page.nextCursor };
          }}
        />
        <IconButton label={text.refresh} look="plain" onPress={again}>
          <RefreshCw size={14} aria-hidden />
        </IconButton>
      </PageHead>
      <VerdictNote verdict={verify.verdict} />
      <Filters actor={actor} subject={subject} change={change} />
      {hasNewer && !read.isFetching && (
        <div className="sticky top-16 z-25 mb-2 flex justify-center">
          <Button
            look="violet"
            size="small"
            icon={<ArrowUp size={13} aria-hidden />}
            onPress={() => {
              window.scrollTo({ top: 0 });
              again();
            }}
          >
            {text.newer}
          </Button>
        </div>
      )}
      {read.isPending && <Loading />}
      {read.isError && <ErrorNote error={read.error} onRetry={() => void read.refetch()} />}
      {read.isSuccess && entries.length === 0 && (
        <EmptyState title={isFiltered ? text.noMatch : text.empty}>
          {!isFiltered && text.emptyNote}
        </EmptyState>
      )}
      {entries.length > 0 && (
        <>
          <Table
            entries={entries}
            hasMore={read.hasNextPage}
            onActor={(who) => change({ actor: who })}
          />
          <LoadMore
            hasMore={read.hasNextPage}
            isLoading={read.isFetchingNextPage}
            onMore={() => void read.fetchNextPage()}
          />
        </>
      )}
    </>
  );
}

function queryOf(actor: string, subject: string): AuditQuery {
  return {
    ...(actor && { actor: actor.slice(0, 200) }),
    ...(subject && { subject: subject.slice(0, 200) }),
  };
}

type FilterProps = {
  readonly actor: string;
  readonly subject: string;
  readonly change: (filters: { readonly actor?: string; readonly subject?: string }) => void;
};

function Filters({ actor, subject, change }: FilterProps) {
  const text = useTexts(TEXTS);
  return (
    <section
      aria-label={text.filters}
      className="mb-3 grid items-end gap-3 rounded-xl border border-line bg-surface p-3 sm:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto]"
    >
      <CalmField
        label={text.actor}
        hint={text.actorHint}
        value={actor}
        onChange={(value) => change({ actor: value })}
      />
      <CalmField
        label={text.subject}
        hint={text.subjectHint}
        value={subject}
        onChange={(value) => change({ subject: value })}
      />
      <Button
        look="ghost"
        icon={<FilterX size={14} aria-hidden />}
        isDisabled={actor + subject === ""}
        onPress={() => change({ actor: "", subject: "" })}
      >
        {text.clear}
      </Button>
    </section>
  );
}

/** Debounced: the URL changes when typing pauses. */
function CalmField({
  label,
  hint,
  value,
  onChange,
}: {
  readonly label: string;
  readonly hint: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  const [typed, setTyped] = useState(value);
  const [sent, setSent] = useState(value);
  const send = useEffectEvent(() => {
    setSent(typed.trim());
    onChange(typed.trim());
  });
  // The URL was changed elsewhere: by a button or by going back.
  if (value !== sent && typed.trim() === sent) {
    setSent(value);
    setTyped(value);
  }
  useEffect(() => {
    if (typed.trim() === sent) return;
    const timer = setTimeout(send, CALM_MS);
    return () => clearTimeout(timer);
  }, [typed, sent]);
  return <Field label={label} placeholder={hint} value={typed} onChange={setTyped} mono />;
}

function Table({
  entries,
  hasMore,
  onActor,
}: {
  readonly entries: readonly WireAudit[];
  readonly hasMore: boolean;
  readonly onActor: (actor: string) => void;
}) {
  const text = useTexts(TEXTS);
  const [open, setOpen] = useState<ReadonlySet<number>>(() => new Set());
  const toggle = useCallback((seq: number) => {
    setOpen((before) => {
      const next = new Set(before);
      if (!next.delete(seq)) next.add(seq);
      return next;
    });
  }, []);
  const { columns } = text;
  return (
    <div
      role="table"
      aria-label={text.table}
      aria-rowcount={hasMore ? -1 : entries.length + 1}
      className="rounded-xl border border-line bg-surface"
    >
      <div role="rowgroup" className="sticky top-[calc(3.25rem+1px)] z-20 max-lg:sr-only">
        <div
          role="row"
          aria-rowindex={1}
          className={cx(
            GRID,
            "grid gap-x-3 rounded-t-xl border-b border-line bg-raised px-3 py-1.5 text-xs text-text-3",
          )}
        >
          <span role="columnheader">#</span>
          <span role="columnheader">{columns.at}</span>
          <span role="columnheader">{columns.what}</span>
          <span role="columnheader">{columns.subject}</span>
          <span role="columnheader" className="sr-only">
            {text.columns.data}
          </span>
        </div>
      </div>
      <div role="rowgroup">
        <WindowList
          count={entries.length}
          keyOf={(index) => entries[index]?.seq ?? index}
          estimate={() => 42}
          overscan={8}
          render={(index) => {
            const entry = entries[index];
            return (
              entry && (
                <EntryRow
                  entry={entry}
                  index={index}
                  isOpen={open.has(entry.seq)}
                  onToggle={toggle}
                  onActor={onActor}
                />
              )
            );
          }}
        />
      </div>
    </div>
  );
}
