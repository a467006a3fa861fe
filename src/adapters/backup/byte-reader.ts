export type ByteReader = {
  /** The next bytes, at most `most` of them; undefined at the end. */
  some(most: number): Promise<Buffer | undefined>;
  /** Reads to the end. */
  drain(): Promise<void>;
};

/** Reads a stream in pieces of the caller's choice, without copying. */
export function createByteReader(source: AsyncIterable<Buffer>): ByteReader {
  const chunks = source[Symbol.asyncIterator]();
  let rest = Buffer.alloc(0);
  async function fill(): Promise<boolean> {
    while (rest.length === 0) {
      const next = await chunks.next();
      if (next.done) return false;
      rest = Buffer.from(next.value);
    }
    return true;
  }
  return {
    async some(most) {
      if (!(await fill())) return undefined;
      const taken = rest.subarray(0, most);
      rest = rest.subarray(taken.length);
      return taken;
    },
    async drain() {
      while (await fill()) rest = Buffer.alloc(0);
    },
  };
}
