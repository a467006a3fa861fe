/** Runs the work for every item, at most `limit` concurrently; starts in the order of the items. */
export async function eachAtMost<Item>(
  limit: number,
  items: Iterable<Item>,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const rest = items[Symbol.iterator]();
  async function worker(): Promise<void> {
    for (let next = rest.next(); !next.done; next = rest.next()) await work(next.value);
  }
  await Promise.all(Array.from({ length: Math.max(1, limit) }, worker));
}
