import { lazy, Suspense, useMemo, useState } from "react";
import { useRoleName } from "../../features/roles/role-icon.tsx";
import { useFormat } from "../../i18n/format.ts";
import { useTexts } from "../../i18n/texts.ts";
import { Card } from "../../ui/card.tsx";
import { Loading } from "../../ui/notes.tsx";
import { SectionHead } from "../../ui/page-head.tsx";
import { Segments } from "../../ui/segments.tsx";
import {
  type By,
  BYS,
  daysBetween,
  type Metric,
  METRICS,
  type Stack,
  stackOf,
} from "./aggregate.ts";
import { colourOf } from "./colours.ts";
import { TEXTS } from "./texts.ts";
import { useMoney } from "./use-money.ts";
import type { Usage } from "./use-usage.ts";

const DayChart = lazy(async () => ({ default: (await import("./day-chart.tsx")).DayChart }));

export type ChartCardProps = {
  readonly usage: Usage;
  /** Costs in another currency are not drawn. */
  readonly currency: string;
  readonly currencies: readonly string[];
  readonly onCurrency: (currency: string) => void;
  readonly metric: Metric;
  readonly by: By;
  readonly onMetric: (metric: Metric) => void;
  readonly onBy: (by: By) => void;
};

export function ChartCard(props: ChartCardProps) {
  const { usage, currency, currencies, onCurrency, metric, by, onMetric, onBy } = props;
  const text = useTexts(TEXTS);
  const [hovered, setHovered] = useState<number | null>(null);
  const stack = useMemo(
    () => stackOf(usage.rows, daysBetween(usage.from, usage.until), by, { metric, currency }),
    [usage, by, metric, currency],
  );
  return (
    <section>
      <SectionHead title={text.perDay}>
        <div className="flex flex-wrap gap-x-4 gap-y-2">
          <Segments
            label={text.metric}
            value={metric}
            options={METRICS.map((id) => ({ id, label: text.metrics[id] }))}
            onChange={onMetric}
          />
          {metric === "cost" && currencies.length > 1 && (
            <Segments
              label={text.currency}
              value={currency}
              options={currencies.map((id) => ({ id, label: id }))}
              onChange={onCurrency}
            />
          )}
          <Segments
            label={text.by}
            value={by}
            options={BYS.map((id) => ({ id, label: text.bys[id] }))}
            onChange={onBy}
          />
        </div>
      </SectionHead>
      <Card className="p-4">
        {stack.series.every(({ values }) => sum(values) === 0) ? (
          <p className="py-6 text-center text-text-2">{text.nothingToDraw}</p>
        ) : (
          <>
            <div role="img" aria-label={text.chart(text.metrics[metric], usage.from, usage.until)}>
              <Suspense fallback={<Loading />}>
                <DayChart stack={stack} metric={metric} currency={currency} onHover={setHovered} />
              </Suspense>
            </div>
            <Legend stack={stack} by={by} metric={metric} currency={currency} day={hovered} />
          </>
        )}
      </Card>
    </section>
  );
}

/** Legend with the values of the hovered day, or of all days. */
function Legend({
  stack,
  by,
  metric,
  currency,
  day,
}: {
  readonly stack: Stack;
  readonly by: By;
  readonly metric: Metric;
  readonly currency: string;
  readonly day: number | null;
}) {
  const format = useFormat();
  const money = useMoney();
  const show = (value: number) =>
    metric === "cost" ? money([{ cost: value, currency }]) : format.compact(value);
  return (
    <div className="mt-2 flex flex-wrap items-center gap-x-5 gap-y-1 text-xs">
      <span className="w-52 font-mono text-text-3">
        {day === null ? `${stack.days[0] ?? ""} – ${stack.days.at(-1) ?? ""}` : stack.days[day]}
      </span>
      {stack.series.map(({ name, values }, index) => (
        <span key={name ?? "others"} className="inline-flex items-center gap-1.5">
          <span
            aria-hidden
            className="size-2.5 rounded-sm"
            style={{ background: colourOf(index) }}
          />
          <Name name={name} by={by} />
          <span className="font-mono text-text-2">
            {show(day === null ? sum(values) : (values[day] ?? 0))}
          </span>
        </span>
      ))}
    </div>
  );
}

function Name({ name, by }: { readonly name: string | null; readonly by: By }) {
  const text = useTexts(TEXTS);
  const role = useRoleName(name ?? "");
  if (name === null) return text.others;
  return by === "role" ? role : <span className="font-mono">{name}</span>;
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}
