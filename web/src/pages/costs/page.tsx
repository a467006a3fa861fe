import { useState } from "react";
import { get } from "../../api/http.ts";
import { COMMON } from "../../i18n/common.ts";
import { useTexts } from "../../i18n/texts.ts";
import { cx } from "../../ui/cx.ts";
import { DateField } from "../../ui/date-field.tsx";
import { ExportMenu } from "../../ui/export-menu.tsx";
import { EmptyState, ErrorNote, Loading } from "../../ui/notes.tsx";
import { PageHead, SectionHead } from "../../ui/page-head.tsx";
import { Segments } from "../../ui/segments.tsx";
import { Select } from "../../ui/select.tsx";
import { BYS, type By, sumOf } from "./aggregate.ts";
import { ChartCard } from "./chart-card.tsx";
import { CostTable } from "./cost-table.tsx";
import { Figures } from "./figures.tsx";
import { MissingNote } from "./missing-note.tsx";
import { TEXTS } from "./texts.ts";
import { usageRows } from "./to-csv.ts";
import { PERIODS, type Usage, useCostFilters, useUsage } from "./use-usage.ts";

export function Page() {
  const text = useTexts(TEXTS);
  const { nav } = useTexts(COMMON);
  const filters = useCostFilters();
  const { from, until, change } = filters;
  const read = useUsage(from, until);
  return (
    <>
      <PageHead title={nav.costs} note={text.note}>
        <ExportMenu
          name="usage"
          isDisabled={!read.data?.rows.length}
          readPage={async (_cursor, signal) => {
            const usage = await get("/api/usage", { query: { from, until }, signal });
            return { items: usage.rows, nextCursor: null };
          }}
          csv={(rows) => usageRows(rows, text.csv)}
        />
      </PageHead>
      <div className="mb-4 flex flex-wrap items-end gap-3">
        <div className="w-40">
          <Select
            label={text.period}
            value={filters.period}
            options={PERIODS.map((id) => ({ id, label: text.periods[id] }))}
            onChange={(id) =>
              change(
                id === "custom" ? { period: id, from, until } : { period: id, from: "", until: "" },
              )
            }
          />
        </div>
        {filters.period === "custom" && (
          <>
            <DateField
              label={text.from}
              value={from}
              max={until}
              onChange={(day) => change({ from: day })}
            />
            <DateField
              label={text.until}
              value={until}
              min={from}
              onChange={(day) => change({ until: day })}
            />
          </>
        )}
      </div>
      {read.isPending && <Loading />}
      {read.isError && <ErrorNote error={read.error} onRetry={() => void read.refetch()} />}
      {read.data && read.data.rows.length === 0 && (
        <EmptyState title={text.empty}>{text.emptyNote}</EmptyState>
      )}
      {read.data && read.data.rows.length > 0 && (
        <div className={cx("flex flex-col gap-5", read.isPlaceholderData && "opacity-60")}>
          <Report usage={read.data} filters={filters} />
        </div>
      )}
    </>
  );
}

function Report({
  usage,
  filters,
}: {
  readonly usage: Usage;
  readonly filters: ReturnType<typeof useCostFilters>;
}) {
  const text = useTexts(TEXTS);
  const [table, setTable] = useState<By | "day">("day");
  const sum = sumOf(usage.rows);
  const currencies = sum.amounts.map((amount) => amount.currency);
  const [chosen, setChosen] = useState<string>();
  const currency = currencies.find((each) => each === chosen) ?? currencies[0] ?? "USD";
  // Without any price there is no cost to draw.
  const metric = filters.metric ?? (currencies.length === 0 ? "tokens" : "cost");
  return (
    <>
      <Figures sum={sum} />
      <MissingNote usage={usage} />
      <ChartCard
        usage={usage}
        currency={currency}
        currencies={currencies}
        onCurrency={setChosen}
        metric={metric}
        by={filters.by}
        onMetric={(id) => filters.change({ metric: id })}
        onBy={(id) => filters.change({ by: id })}
      />
      <section>
        <SectionHead title={text.tables}>
          <Segments
            label={text.tables}
            value={table}
            options={(["day", ...BYS] as const).map((id) => ({ id, label: text.table[id] }))}
            onChange={setTable}
          />
        </SectionHead>
        <CostTable usage={usage} by={table} currency={currency} />
        {sum.isPartly && currencies.length > 0 && (
          <p className="mt-2 text-xs text-text-3">{text.plusNote}</p>
        )}
      </section>
    </>
  );
}
