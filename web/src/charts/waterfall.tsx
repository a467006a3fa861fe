import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useRef } from "react";
import { useFormat } from "../i18n/format.ts";
import { cx } from "../ui/cx.ts";
import { TONE_TEXT, type Tone } from "../ui/status-badge.tsx";

export type WaterfallRow = {
  readonly id: string;
  readonly label: ReactNode;
  readonly tone: Tone;
  /** In ms since 1970; null if it has not started. */
  readonly start: number | null;
  /** null while it is running. */
  readonly end: number | null;
  /** Shown at the right instead of the duration. */
  readonly note?: ReactNode;
};

export type WaterfallProps = {
  readonly rows: readonly WaterfallRow[];
  readonly now: number;
  /** Accessible description of the bars. */
  readonly label: string;
};

const ROW_PX = 34;
const VIRTUAL_ABOVE = 60;
const LEAST_PERCENT = 0.6;
const TICKS = 4;

/** When each agent ran, as bars on rows; running ones grow with `now`. */
export function Waterfall({ rows, now, label }: WaterfallProps) {
  const span = spanOf(rows, now);
  return (
    <div className="min-w-0">
      <Axis span={span} />
      {rows.length > VIRTUAL_ABOVE ? (
        <VirtualRows rows={rows} span={span} now={now} label={label} />
      ) : (
        <ol aria-label={label}>
          {rows.map((row) => (
            <li key={row.id}>
              <Row row={row} span={span} now={now} />
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}

type Span = { readonly from: number; readonly ms: number };

function spanOf(rows: readonly WaterfallRow[], now: number): Span {
  let from = Number.POSITIVE_INFINITY;
  let to = Number.NEGATIVE_INFINITY;
  for (const { start, end } of rows) {
    if (start === null) continue;
    from = Math.min(from, start);
    to = Math.max(to, end ?? now);
  }
  return Number.isFinite(from)
    ? { from, ms: Math.max(1_000, to - from) }
    : { from: now, ms: 1_000 };
}

const GRID =
  "grid grid-cols-[minmax(0,1fr)_auto] gap-x-3 md:grid-cols-[minmax(0,15rem)_1fr_5.5rem]";

function Axis({ span }: { readonly span: Span }) {
  const format = useFormat();
  return (
    <div aria-hidden className={cx(GRID, "pb-1 text-[11px] text-text-3")}>
      <span className="hidden md:block" />
      <span className="col-span-2 flex justify-between font-mono md:col-span-1">
        {Array.from({ length: TICKS + 1 }, (_, tick) => (
          <span key={tick}>{format.duration((span.ms * tick) / TICKS)}</span>
        ))}
      </span>
    </div>
  );
}

type RowProps = { readonly row: WaterfallRow; readonly span: Span; readonly now: number };

function Row({ row, span, now }: RowProps) {
  const format = useFormat();
  const { start, end, tone } = row;
  const ms = start === null ? null : Math.max(0, (end ?? now) - start);
  const took = ms === null ? "—" : end === null ? format.duration(ms) : format.took(ms);
  return (
    <div className={cx(GRID, "min-h-[34px] items-center py-1")}>
      <div className="min-w-0 truncate">{row.label}</div>
      <div className="order-3 col-span-2 h-2 overflow-hidden rounded-full bg-raised md:order-none md:col-span-1">
        {start !== null && <Bar row={{ ...row, start }} span={span} now={now} />}
      </div>
      <div
        className={cx(
          "text-right font-mono text-xs whitespace-nowrap",
          tone === "pending" ? "text-pending" : "text-text-2",
        )}
      >
        {row.note ?? took}
      </div>
    </div>
  );
}

function Bar({
  row: { start, end, tone },
  span,
  now,
}: {
  readonly row: WaterfallRow & { readonly start: number };
  readonly span: Span;
  readonly now: number;
}) {
  const left = ((start - span.from) / span.ms) * 100;
  const width = Math.max(LEAST_PERCENT, (((end ?? now) - start) / span.ms) * 100);
  return (
    <div
      aria-hidden
      className={cx("relative h-full rounded-full", TONE_TEXT[tone])}
      style={{
        marginLeft: `${Math.min(left, 100 - LEAST_PERCENT)}%`,
        width: `${Math.min(width, 100 - left)}%`,
      }}
    >
      <span
        className={cx(
          "absolute inset-0 rounded-full",
          tone === "pending" || tone === "blocked" ? "hatch" : "bg-current",
          end === null && tone === "running" && "animate-blink",
        )}
      />
    </div>
  );
}

function VirtualRows({ rows, span, now, label }: WaterfallProps & { readonly span: Span }) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: 10,
  });
  return (
    // A scroll box must be reachable by keyboard.
    <div
      ref={scroller}
      tabIndex={0}
      role="region"
      aria-label={label}
      className="max-h-[28rem] overflow-y-auto pr-2"
    >
      <div className="relative" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map((item) => {
          const row = rows[item.index];
          return (
            row && (
              <div
                key={item.key}
                ref={virtual.measureElement}
                data-index={item.index}
                className="absolute inset-x-0 top-0"
                style={{ transform: `translateY(${item.start}px)` }}
              >
                <Row row={row} span={span} now={now} />
              </div>
            )
          );
        })}
      </div>
    </div>
  );
}
