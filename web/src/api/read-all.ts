export type Paged<Item> = { readonly items: readonly Item[]; readonly nextCursor: string | null };

/** Reads all pages in sequence; `onProgress` gets the number of items so far. */
export async function readAll<Item>(
  readPage: (cursor: string | null, signal: AbortSignal) => Promise<Paged<Item>>,
  onProgress: (count: number) => void,
  signal: AbortSignal,
): Promise<readonly Item[]> {
  const all: Item[] = [];
  let cursor: string | null = null;
  do {
    const page: Paged<Item> = await readPage(cursor, signal);
    all.push(...page.items);
    onProgress(all.length);
    cursor = page.nextCursor;
  } while (cursor !== null && !signal.aborted);
  signal.throwIfAborted();
  return all;
}
