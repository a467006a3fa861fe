import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { aTempDir } from "../../../../test/kit/tmp-dir.ts";
import { readProc } from "./read-proc.ts";

test("readProc reads a file of any size whole", () => {
  const path = join(aTempDir(), "file");
  for (const bytes of [0, 1, 16 * 1024 - 1, 16 * 1024, 16 * 1024 + 1, 300_000]) {
    writeFileSync(path, Buffer.alloc(bytes, "0123456789"));
    expect(readProc(path).equals(readFileSync(path))).toBe(true);
  }
});

test("readProc allocates no buffer per call", () => {
  readProc("/proc/self/stat");
  const before = process.memoryUsage().arrayBuffers;

  for (let n = 0; n < 1_000; n++) readProc("/proc/self/stat");

  // With readFileSync this would be 64 MB of garbage.
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1024 * 1024);
});
