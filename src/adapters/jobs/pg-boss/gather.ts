/** Passes items on together, at the latest after `withinMs`: one statement for many of them. */
export function createGatherer<T>(withinMs: number, pass: (items: readonly T[]) => Promise<void>) {
  let items: T[] = [];
  let timer: NodeJS.Timeout | undefined;

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const gathered = items;
    items = [];
    if (gathered.length > 0) await pass(gathered);
  }
  return {
    add(more: readonly T[]): void {
      items.push(...more);
      if (items.length > 0) timer ??= setTimeout(() => void flush(), withinMs).unref();
    },
    flush,
  };
}
