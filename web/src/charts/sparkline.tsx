import { cx } from "../ui/cx.ts";

export type SparkProps = {
  readonly values: readonly number[];
  readonly className?: string;
  readonly width?: number;
  readonly height?: number;
};

/** Bars of recent activity, drawn as one path. */
export function SparkBars({ values, className, width = 72, height = 16 }: SparkProps) {
  const most = Math.max(1, ...values);
  const step = width / Math.max(1, values.length);
  const path = values
    .map((value, index) => {
      const tall = value === 0 ? 0.75 : Math.max(2, (value / most) * height);
      return `M${((index + 0.5) * step).toFixed(1)} ${height}V${(height - tall).toFixed(1)}`;
    })
    .join("");
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      aria-hidden
      className={cx("shrink-0", className)}
    >
      <path d={path} stroke="currentColor" strokeWidth={step * 0.6} fill="none" />
    </svg>
  );
}

/** A line with a filled area, as wide as its container. */
export function SparkArea({ values, className, height = 36 }: SparkProps) {
  const most = Math.max(...values, 0) || 1;
  const last = Math.max(1, values.length - 1);
  const points = values.map(
    (value, index) => [(index / last) * 100, 94 - (value / most) * 88] as const,
  );
  const line = points.map(([x, y], index) => `${index === 0 ? "M" : "L"}${x} ${y}`).join("");
  return (
    <svg
      viewBox="0 0 100 100"
      preserveAspectRatio="none"
      aria-hidden
      style={{ height }}
      className={cx("w-full", className)}
    >
      <path d={`${line}L100 100L0 100Z`} fill="currentColor" opacity="0.14" />
      <path
        d={line}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.6"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
}
