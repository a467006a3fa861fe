import type { ReactNode } from "react";
import { cx } from "../ui/cx.ts";
import { TONE_TEXT, type Tone } from "../ui/status-badge.tsx";

const SIZE = 100;
const MIDDLE = SIZE / 2;
/** Thinner arcs could not be told apart. */
const MAX_ARCS = 48;

export type SlotRingProps = {
  /** One per occupied slot. */
  readonly taken: readonly Tone[];
  readonly slots: number;
  readonly size?: number;
  /** Accessible description. */
  readonly label: string;
  readonly children?: ReactNode;
};

/** One arc per slot, coloured by the status of its agent. */
export function SlotRing({ taken, slots, size = 108, label, children }: SlotRingProps) {
  const arcs =
    Math.max(slots, taken.length) > MAX_ARCS ? asShares(taken, slots) : asSlots(taken, slots);
  return (
    <div
      role="img"
      aria-label={label}
      className="relative grid shrink-0 place-items-center"
      style={{ width: size, height: size }}
    >
      <svg viewBox={`0 0 ${SIZE} ${SIZE}`} className="absolute inset-0" aria-hidden>
        <circle
          cx={MIDDLE}
          cy={MIDDLE}
          r={48}
          fill="none"
          stroke="currentColor"
          strokeDasharray="0.6 3"
          className="text-field"
        />
        <polygon
          points={STAR}
          fill="none"
          stroke="currentColor"
          strokeWidth="0.5"
          className="text-line"
        />
        {arcs.map(({ from, to, tone }) => (
          <path
            key={from}
            d={arc(from, to, 42)}
            fill="none"
            stroke="currentColor"
            strokeWidth="6"
            className={tone ? TONE_TEXT[tone] : "text-line"}
          />
        ))}
      </svg>
      <div className="relative text-center">{children}</div>
    </div>
  );
}

const STAR = Array.from({ length: 9 }, (_, index) => at(((index * 4) % 9) / 9, 36))
  .map(([x, y]) => `${x.toFixed(2)},${y.toFixed(2)}`)
  .join(" ");

type Arc = { readonly from: number; readonly to: number; readonly tone: Tone | null };

function asSlots(taken: readonly Tone[], slots: number): readonly Arc[] {
  // There can be more agents than slots after the limit was lowered.
  const count = Math.max(1, slots, taken.length);
  const gap = count === 1 ? 0 : Math.min(0.012, 0.25 / count);
  return Array.from({ length: count }, (_, index) => ({
    from: index / count + gap / 2,
    to: (index + 1) / count - gap / 2,
    tone: taken[index] ?? null,
  }));
}

function asShares(taken: readonly Tone[], slots: number): readonly Arc[] {
  const total = Math.max(slots, taken.length);
  const arcs: Arc[] = [];
  let from = 0;
  for (const tone of new Set(taken)) {
    const share = taken.filter((each) => each === tone).length / total;
    arcs.push({ from, to: from + share, tone });
    from += share;
  }
  if (from < 1) arcs.push({ from, to: 1, tone: null });
  return arcs;
}

/** A point on the circle; 0 is at the top, 1 all the way round. */
function at(turn: number, radius: number): readonly [number, number] {
  const angle = turn * Math.PI * 2 - Math.PI / 2;
  return [MIDDLE + radius * Math.cos(angle), MIDDLE + radius * Math.sin(angle)];
}

function arc(from: number, to: number, radius: number): string {
  const [x1, y1] = at(from, radius);
  // SVG draws no arc whose start equals its end, so a full circle needs its own path.
  const [x2, y2] = at(Math.min(to, from + 0.9999), radius);
  const isLarge = to - from > 0.5 ? 1 : 0;
  return `M${x1.toFixed(3)} ${y1.toFixed(3)}A${radius} ${radius} 0 ${isLarge} 1 ${x2.toFixed(3)} ${y2.toFixed(3)}`;
}

export type ProgressRingProps = {
  readonly done: number;
  readonly total: number;
  readonly size?: number;
  readonly tone?: Tone | undefined;
  readonly label: string;
  readonly children?: ReactNode;
};

export function ProgressRing({ done, total, size = 36, tone, label, children }: ProgressRingProps) {
  const share = total === 0 ? 0 : Math.min(1, done / total);
  return (
    <span
      role="img"
      aria-label={label}
      className="relative grid shrink-0 place-items-center text-text-2"
      style={{ width: size, height: size }}
    >
      <svg viewBox={`0 0 ${SIZE} ${SIZE}`} className="absolute inset-0" fill="none" aria-hidden>
        <circle
          cx={MIDDLE}
          cy={MIDDLE}
          r={43}
          strokeWidth="9"
          stroke="currentColor"
          className="text-line"
        />
        {share > 0 && (
          <path
            d={arc(0, share, 43)}
            strokeWidth="9"
            stroke="currentColor"
            strokeLinecap="round"
            className={cx(tone ? TONE_TEXT[tone] : "text-violet")}
          />
        )}
      </svg>
      <span className="relative">{children}</span>
    </span>
  );
}
