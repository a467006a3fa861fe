export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

/** How long the work took, in ms. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

export const sleep = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

export async function until(done: () => boolean, what: string, withinMs = 30_000): Promise<void> {
  for (const giveUpAt = performance.now() + withinMs; !done();) {
    if (performance.now() > giveUpAt) throw new Error(`Timed out waiting for ${what}.`);
    await sleep(5);
  }
}
