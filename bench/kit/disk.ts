import { closeSync, fdatasyncSync, mkdtempSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { median } from "./stats.ts";

export type DiskFacts = { readonly createMs: number; readonly commitMs: number };

/** The cost of the disk itself, which the product pays for each agent and each commit. */
export function diskFacts(under: string): DiskFacts {
  const dir = mkdtempSync(join(under, "disk-"));
  const created: number[] = [];
  const committed: number[] = [];
  for (let i = 0; i < 200; i++) {
    const began = performance.now();
    closeSync(openSync(join(dir, String(i)), "a", 0o600));
    created.push(performance.now() - began);
  }
  const log = openSync(join(dir, "log"), "a", 0o600);
  for (let i = 0; i < 30; i++) {
    const began = performance.now();
    writeSync(log, Buffer.alloc(4_096));
    fdatasyncSync(log);
    committed.push(performance.now() - began);
  }
  closeSync(log);
  return { createMs: median(created), commitMs: median(committed) };
}
