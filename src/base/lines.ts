const NEWLINE = 10;
/** Enough to contain the id of a message, at its beginning or its end. */
const EDGE_BYTES = 512;

export type LineLimit = {
  readonly maxBytes: number;
  /** Only the beginning and the end of the line are kept. */
  onTooLong(head: string, tail: string): void;
};

const NO_LIMIT: LineLimit = { maxBytes: Infinity, onTooLong: () => {} };

/**
 * Splits a byte stream into lines, never inside a character, and skips blank lines. Takes linear
 * time; a line over the limit is not kept in memory. `end` flushes a last line without a newline.
 */
export function createLineSplitter(onLine: (line: string) => void, limit = NO_LIMIT) {
  const { maxBytes } = limit;
  let parts: Buffer[] = [];
  let size = 0;
  let head = "";
  let tail: Buffer = Buffer.alloc(0);

  function keep(part: Buffer): void {
    if (part.length === 0) return;
    const before = size;
    size += part.length;
    if (size <= maxBytes) {
      parts.push(part);
      return;
    }
    if (before <= maxBytes) {
      head = Buffer.concat([...parts, part]).toString("utf8", 0, EDGE_BYTES);
      parts = [];
    }
    tail = Buffer.concat([tail, part.subarray(-EDGE_BYTES)]).subarray(-EDGE_BYTES);
  }

  function finish(): void {
    const ended = { parts, size, head, tail };
    parts = [];
    size = 0;
    if (ended.size > maxBytes) {
      head = "";
      tail = Buffer.alloc(0);
      limit.onTooLong(ended.head, ended.tail.toString("utf8"));
      return;
    }
    const [only] = ended.parts;
    const bytes = ended.parts.length === 1 && only ? only : Buffer.concat(ended.parts);
    const line = bytes.toString("utf8");
    if (line.trim() !== "") onLine(line);
  }

  return {
    push: (chunk: Buffer): void => {
      let start = 0;
      for (;;) {
        const newline = chunk.indexOf(NEWLINE, start);
        if (newline < 0) break;
        keep(chunk.subarray(start, newline));
        finish();
        start = newline + 1;
      }
      keep(chunk.subarray(start));
    },
    end: finish,
  };
}
