import { useEffect, useEffectEvent, useRef } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { useFormat } from "../../i18n/format.ts";
import { onCanvas, useTheme } from "../../ui/theme.ts";
import { useWidth } from "../../ui/use-width.ts";
import type { Metric, Stack } from "./aggregate.ts";
import { colourOf } from "./colours.ts";

const HEIGHT = 240;
const FONT = "11px 'JetBrains Mono Variable', ui-monospace, monospace";
/** Ticks at whole days only. */
const STEPS = [1, 2, 5, 7, 14, 30, 60, 90];

export type DayChartProps = {
  readonly stack: Stack;
  readonly metric: Metric;
  readonly currency: string;
  readonly onHover: (day: number | null) => void;
};

/** Stacked bars, one per day. Hidden from screen readers, because a table has the same figures. */
export function DayChart({ stack, metric, currency, onHover }: DayChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const format = useFormat();
  const hovered = useEffectEvent(onHover);
  const label = useEffectEvent((value: number) =>
    metric === "cost" ? format.money(value, currency) : format.compact(value),
  );
  const theme = useTheme();
  useEffect(() => {
    if (!box.current || width === 0) return;
    const { days } = stack;
    const tops = cumulated(stack);
    const axis = {
      stroke: onCanvas("var(--color-text-3)"),
      font: FONT,
      grid: { stroke: onCanvas("var(--color-line)") },
      ticks: { show: false },
    };
    const bars = uPlot.paths.bars?.({ size: [0.72, 46], radius: 0.12 });
    const chart = new uPlot(
      {
        width,
        height: HEIGHT,
        legend: { show: false },
        cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
        scales: {
          x: { time: false, range: [-0.6, days.length - 0.4] },
          y: { range: (_chart, _low, high) => [0, high > 0 ? high * 1.08 : 1] },
        },
        axes: [
          {
            ...axis,
            grid: { show: false },
            size: 32,
            incrs: STEPS,
            values: (_chart, splits) =>
              splits.map((at) => (Number.isInteger(at) ? (days[at]?.slice(5) ?? "") : "")),
          },
          {
            ...axis,
            size: 64,
            values: (_chart, splits) => splits.map((value) => label(value)),
          },
        ],
        series: [
          {},
          // Tallest first: smaller bars are drawn on top.
          ...tops.map((_, index) => ({
            fill: onCanvas(colourOf(tops.length - 1 - index)),
            width: 0,
            points: { show: false },
            ...(bars && { paths: bars }),
          })),
        ],
        hooks: { setCursor: [({ cursor }) => hovered(cursor.idx ?? null)] },
      },
      [days.map((_, index) => index), ...tops.toReversed()],
      box.current,
    );
    return () => chart.destroy();
  }, [stack, width, theme]);
  return <div ref={box} className="w-full" style={{ height: HEIGHT }} aria-hidden />;
}

/** Cumulative values: the top of each part of each bar. */
function cumulated({ days, series }: Stack): number[][] {
  const sofar = days.map(() => 0);
  return series.map(({ values }) =>
    values.map((value, index) => (sofar[index] = (sofar[index] ?? 0) + value)),
  );
}
