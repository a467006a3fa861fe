const NEWLINE = 10;
/** Enough to contain the id of a message, at its beginning or its end. */
const EDGE_BYTES = 512;

export type LineHandler = {
  onLine(line: string): void;
  /** Only the beginning and the end of the line are kept. */
  onTooLong(head: string, tail: string): void;
};

/** Splits a stream into lines in linear time; a line over the limit is not kept in memory. */
export function createLineSplitter(maxBytes: number, handler: LineHandler) {
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
    const [only] = parts;
    if (size > maxBytes) handler.onTooLong(head, tail.toString("utf8"));
    else if (size > 0) {
      const bytes = parts.length === 1 && only ? only : Buffer.concat(parts);
      handler.onLine(bytes.toString("utf8"));
    }
    parts = [];
    size = 0;
    head = "";
    tail = Buffer.alloc(0);
  }

  return {
    push(chunk: Buffer): void {
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
