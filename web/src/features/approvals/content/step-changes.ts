import type { WireStep } from "../../../api/task-detail.ts";

export type StepChange =
  | { readonly kind: "same" | "added"; readonly after: WireStep }
  | { readonly kind: "removed"; readonly before: WireStep }
  | { readonly kind: "changed"; readonly before: WireStep; readonly after: WireStep };

/** Above this number of comparisons, steps are paired by position. */
const MAX_PAIRS = 250_000;

/** Steps have no identity across versions, so they are matched by tool, in order. */
export function compareSteps(
  before: readonly WireStep[],
  after: readonly WireStep[],
): readonly StepChange[] {
  const pairs =
    before.length * after.length > MAX_PAIRS ? byPlace(before, after) : byTool(before, after);
  const changes: StepChange[] = [];
  let old = 0;
  let now = 0;
  for (const [oldAt, nowAt] of [...pairs, [before.length, after.length] as const]) {
    for (; old < oldAt; old++) push(changes, before[old], undefined);
    for (; now < nowAt; now++) push(changes, undefined, after[now]);
    push(changes, before[old++], after[now++]);
  }
  return changes;
}

function push(changes: StepChange[], before: WireStep | undefined, after: WireStep | undefined) {
  if (before && after) {
    const isSame =
      before.title === after.title &&
      before.tool === after.tool &&
      before.server === after.server &&
      before.requiresHumanCheck === after.requiresHumanCheck;
    changes.push(isSame ? { kind: "same", after } : { kind: "changed", before, after });
  } else if (before) changes.push({ kind: "removed", before });
  else if (after) changes.push({ kind: "added", after });
}

type Pair = readonly [number, number];

function byPlace(before: readonly WireStep[], after: readonly WireStep[]): readonly Pair[] {
  return Array.from(
    { length: Math.min(before.length, after.length) },
    (_, index) => [index, index] as const,
  );
}

/** Longest common subsequence of tools. */
function byTool(before: readonly WireStep[], after: readonly WireStep[]): readonly Pair[] {
  const isSame = (a: number, b: number) =>
    before[a]?.tool === after[b]?.tool && before[a]?.server === after[b]?.server;
  const width = after.length + 1;
  const longest = new Uint32Array((before.length + 1) * width);
  const at = (a: number, b: number) => longest[a * width + b] ?? 0;
  for (let a = before.length - 1; a >= 0; a--) {
    for (let b = after.length - 1; b >= 0; b--) {
      longest[a * width + b] = isSame(a, b)
        ? at(a + 1, b + 1) + 1
        : Math.max(at(a + 1, b), at(a, b + 1));
    }
  }
  const pairs: Pair[] = [];
  let a = 0;
  let b = 0;
  while (a < before.length && b < after.length) {
    if (isSame(a, b)) pairs.push([a++, b++]);
    else if (at(a + 1, b) >= at(a, b + 1)) a++;
    else b++;
  }
  return pairs;
}
