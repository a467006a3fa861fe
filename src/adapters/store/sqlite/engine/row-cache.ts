/**
 * Caches rows. Valid because one daemon owns the database and has one writing connection: a committed
 * row stays as it is until a transaction invalidates it.
 */
export type RowCache<Value> = {
  read(key: string, query: () => Promise<Value>): Promise<Value>;
  /** The open transaction changes the row: it is not cached until the end. */
  invalidate(key: string): void;
  invalidateAll(): void;
  /** The row as the open transaction left it: cached after the commit. */
  write(key: string, value: Value): void;
  /** A part of the open transaction was rolled back. */
  dropWritten(): void;
  /** The transaction has ended. */
  settle(isCommitted: boolean): void;
};

export function createRowCache<Value>(limit: number): RowCache<Value> {
  const values = new Map<string, { readonly value: Value }>();
  const invalidated = new Set<string>();
  const written = new Map<string, Value>();
  let isAllInvalidated = false;
  let isUndone = false;
  // Counts changes: a read that overlaps with one is not cached.
  let changes = 0;

  async function ask(key: string, query: () => Promise<Value>): Promise<Value> {
    const before = changes;
    const value = await query();
    if (before === changes && !isAllInvalidated && !invalidated.has(key)) keep(key, value);
    return value;
  }
  function keep(key: string, value: Value): void {
    values.set(key, { value });
    if (values.size <= limit) return;
    const [oldest] = values.keys();
    if (oldest !== undefined) values.delete(oldest);
  }
  return {
    read(key, query) {
      const known = values.get(key);
      return known ? Promise.resolve(known.value) : ask(key, query);
    },
    invalidate(key) {
      changes++;
      invalidated.add(key);
      values.delete(key);
      written.delete(key);
    },
    invalidateAll() {
      changes++;
      isAllInvalidated = true;
      values.clear();
      written.clear();
    },
    write(key, value) {
      if (invalidated.has(key) && !isAllInvalidated && !isUndone) written.set(key, value);
    },
    dropWritten() {
      written.clear();
      isUndone = true;
    },
    settle(isCommitted) {
      isUndone = false;
      if (invalidated.size === 0 && !isAllInvalidated) return;
      changes++;
      if (isCommitted) for (const [key, value] of written) keep(key, value);
      invalidated.clear();
      written.clear();
      isAllInvalidated = false;
    },
  };
}
