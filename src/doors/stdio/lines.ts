/** Splits a byte stream into lines, never inside a character; linear time, also for huge lines. */
export function createLineCutter(onLine: (line: string) => void): (chunk: Buffer) => void {
  let parts: Buffer[] = [];
  return (chunk) => {
    let start = 0;
    for (;;) {
      const newline = chunk.indexOf(10, start);
      if (newline < 0) break;
      parts.push(chunk.subarray(start, newline));
      const line = (parts.length === 1 ? parts[0] : Buffer.concat(parts))?.toString("utf8") ?? "";
      parts = [];
      if (line.trim() !== "") onLine(line);
      start = newline + 1;
    }
    if (start < chunk.length) parts.push(chunk.subarray(start));
  };
}
