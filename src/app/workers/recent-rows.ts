type Source<Row> = { list(): Promise<readonly Row[]> };

export type RecentRows<Row> = {
  /** The rows, which may have been read up to a second ago. */
  read(source: Source<Row>): Promise<readonly Row[]>;
  /** The rows as they are now, or as a query under way finds them. */
  readAgain(source: Source<Row>): Promise<readonly Row[]>;
  /** Those that were read last. */
  last(source: Source<Row>): readonly Row[];
};

/** Requests and rounds of the dispatcher ask for each of many agents. */
const CACHED_MS = 1_000;

/** A cache for each source. Concurrent callers share one query. */
export function createRecentRows<Row>(): RecentRows<Row> {
  type Known = { readonly at: number; readonly rows: Promise<readonly Row[]>; isOver: boolean };
  const cache = new WeakMap<Source<Row>, Known>();
  const lastRead = new WeakMap<Source<Row>, readonly Row[]>();

  async function begin(source: Source<Row>): Promise<readonly Row[]> {
    const known: Known = { at: performance.now(), rows: source.list(), isOver: false };
    cache.set(source, known);
    try {
      const rows = await known.rows;
      lastRead.set(source, rows);
      return rows;
    } catch (error) {
      cache.delete(source);
      throw error;
    } finally {
      known.isOver = true;
    }
  }

  return {
    async read(source) {
      const known = cache.get(source);
      const isFresh = known && performance.now() - known.at < CACHED_MS;
      return isFresh ? known.rows : begin(source);
    },
    async readAgain(source) {
      const known = cache.get(source);
      return known && !known.isOver ? known.rows : begin(source);
    },
    last: (source) => lastRead.get(source) ?? [],
  };
}
