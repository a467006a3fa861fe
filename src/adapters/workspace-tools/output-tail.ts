import { stripVTControlCharacters } from "node:util";

export const MAX_TAIL_BYTES = 65_536;
const LINE_EVERY_MS = 250;
const MAX_LINE_CHARS = 500;

/** Keeps the end of an output of any length. */
export function createOutputTail(maxBytes = MAX_TAIL_BYTES) {
  let chunks: Buffer[] = [];
  let bytes = 0;
  return {
    add(chunk: Buffer): void {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes < 2 * maxBytes) return;
      const end = Buffer.concat(chunks).subarray(-maxBytes);
      chunks = [end];
      bytes = end.length;
    },
    text(): string {
      const end = Buffer.concat(chunks).subarray(-maxBytes);
      // A cut in the middle of a character: its continuation bytes begin with the bits 10.
      let from = 0;
      while (from < 3 && from < end.length && ((end[from] ?? 0) & 0xc0) === 0x80) from += 1;
      return plainText(end.subarray(from).toString("utf8"));
    },
  };
}

/** Tells the newest line of an output at most four times a second, and the last one. */
export function createLineTeller(tell: (line: string) => void) {
  let open = "";
  let newest: string | undefined;
  let toldAt = -Infinity;
  let timer: NodeJS.Timeout | undefined;

  function tellNow(): void {
    clearTimeout(timer);
    timer = undefined;
    if (newest === undefined) return;
    toldAt = performance.now();
    const line = newest;
    newest = undefined;
    tell(line);
  }

  function end(line: string): void {
    const plain = plainText(line).trim();
    if (plain !== "") newest = plain.slice(0, MAX_LINE_CHARS);
  }

  return {
    add(chunk: Buffer): void {
      const lines = (open + chunk.toString("utf8")).split(/[\r\n]+/);
      // A line without an end must not grow without a limit.
      open = (lines.pop() ?? "").slice(0, 4 * MAX_LINE_CHARS);
      for (const line of lines.slice(-10)) end(line);
      if (newest === undefined) return;
      const wait = toldAt + LINE_EVERY_MS - performance.now();
      if (wait <= 0) tellNow();
      else timer ??= setTimeout(tellNow, wait);
    },
    close(): void {
      end(open);
      tellNow();
    },
  };
}

/** Without colours and control characters; of a line that was overwritten the last state stays. */
function plainText(text: string): string {
  return stripVTControlCharacters(text)
    .replaceAll("\r\n", "\n")
    .replace(/[^\n]*\r(?=[^\n])/g, "")
    .replace(/[^\P{Cc}\n\t]/gu, "");
}
