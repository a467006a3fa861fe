/** The floor of parsing a stream: split it into lines and JSON.parse each. Reads one path per line of stdin. */
import { closeSync, openSync, readSync } from "node:fs";
import { createInterface } from "node:readline";
import { StringDecoder } from "node:string_decoder";

const chunk = Buffer.allocUnsafeSlow(256 * 1024);

for await (const path of createInterface({ input: process.stdin })) {
  process.stdout.write(`${parseAll(path)}\n`);
}

function parseAll(path: string): number {
  const fd = openSync(path, "r");
  const decoder = new StringDecoder("utf8");
  let rest = "";
  let parsed = 0;
  for (;;) {
    const bytes = readSync(fd, chunk, 0, chunk.length, null);
    if (bytes === 0) break;
    const lines = (rest + decoder.write(chunk.subarray(0, bytes))).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (JSON.parse(line)) parsed += 1;
  }
  closeSync(fd);
  return parsed;
}
