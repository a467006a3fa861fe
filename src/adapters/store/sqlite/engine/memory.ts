/**
 * What was read of some rows, for as long as it is true. One daemon has the database and one
 * connection of it writes: what was committed stays so until the next transaction that touches it.
 */
export type Memory<Value> = {
  /** As it is remembered, or as the query finds it. */
  read(key: string, query: () => Promise<Value>): Promise<Value>;
  /** The open transaction changes it: nothing is remembered of it until the end. */
  touch(key: string): void;
  touchAll(): void;
  /** What the open transaction made of it: remembered once it is committed. */
  write(key: string, value: Value): void;
  /** Some of it was undone. */
  forgetWritten(): void;
  /** The transaction has ended. */
  settle(isCommitted: boolean): void;
};

export function createMemory<Value>(limit: number): Memory<Value> {
  const values = new Map<string, { readonly value: Value }>();
  const touched = new Set<string>();
  const written = new Map<string, Value>();
  let isAllTouched = false;
  let isUndone = false;
  // Moves with every change: what was being read meanwhile is not kept.
  let changes = 0;

  async function ask(key: string, query: () => Promise<Value>): Promise<Value> {
    const before = changes;
    const value = await query();
    if (before === changes && !isAllTouched && !touched.has(key)) keep(key, value);
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
    touch(key) {
      changes++;
      touched.add(key);
      values.delete(key);
      written.delete(key);
    },
    touchAll() {
      changes++;
      isAllTouched = true;
      values.clear();
      written.clear();
    },
    write(key, value) {
      if (touched.has(key) && !isAllTouched && !isUndone) written.set(key, value);
    },
    forgetWritten() {
      written.clear();
      isUndone = true;
    },
    settle(isCommitted) {
      isUndone = false;
      if (touched.size === 0 && !isAllTouched) return;
      changes++;
      if (isCommitted) for (const [key, value] of written) keep(key, value);
      touched.clear();
      written.clear();
      isAllTouched = false;
    },
  };
}
