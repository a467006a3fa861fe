/** Maps a time to its position in percent. */
export type Timeline = (at: number) => number;

export type Stretch = { readonly start: number; readonly end: number };

const LEAST_MS = 1_000;
/** A gap longer than this share of the whole is shortened. */
const FOLD_ABOVE = 0.5;
const FOLDED_TO = 0.6;

/**
 * Positions on a timeline. One long wait, such as a decision on the next morning, would make all
 * other bars invisible, so the longest gap is shortened; the durations beside it stay exact.
 */
export function timelineOf(stretches: readonly Stretch[]): Timeline {
  const marks = [...new Set(stretches.flatMap(({ start, end }) => [start, end]))].sort(
    (a, b) => a - b,
  );
  const [first = 0] = marks;
  const last = marks.at(-1) ?? first;
  const whole = last - first;
  const fold = longestGap(marks);
  const rest = whole - fold.length;
  const isFolded = fold.length > whole * FOLD_ABOVE && marks.length > 2;
  const cut = isFolded ? fold.length - Math.max(rest * FOLDED_TO, LEAST_MS / 2) : 0;
  const shown = Math.max(LEAST_MS, whole - Math.max(0, cut));
  return (at) => {
    const inside = Math.min(Math.max(at - fold.start, 0), fold.length);
    const saved = cut > 0 ? (inside / fold.length) * cut : 0;
    return Math.min(100, Math.max(0, ((at - first - saved) / shown) * 100));
  };
}

function longestGap(marks: readonly number[]): { readonly start: number; readonly length: number } {
  let start = marks[0] ?? 0;
  let length = 0;
  for (const [index, mark] of marks.entries()) {
    const before = marks[index - 1];
    if (before === undefined || mark - before <= length) continue;
    start = before;
    length = mark - before;
  }
  return { start, length };
}
