import { StringDecoder } from "node:string_decoder";

/** Splits chunks into lines without a limit: only for streams that are bounded elsewhere. */
export function createLineSplitter(onLine: (line: string) => void) {
  const decoder = new StringDecoder("utf8");
  let parts: string[] = [];

  function flush(last: string): void {
    const line = [...parts, last].join("");
    parts = [];
    if (line.trim() !== "") onLine(line);
  }

  return {
    write(chunk: Buffer): void {
      const [first = "", ...rest] = decoder.write(chunk).split("\n");
      let open = first;
      for (const next of rest) {
        flush(open);
        open = next;
      }
      if (open !== "") parts.push(open);
    },
    end(): void {
      flush(decoder.end());
    },
  };
}
