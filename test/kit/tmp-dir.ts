import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { whenDone } from "./when-done.ts";

/** A temporary directory that is removed when the test ends. */
export function aTempDir(): string {
  // Short, because the path of a socket has at most 107 bytes.
  const path = mkdtempSync(join(tmpdir(), "km-"));
  // Processes that were just killed may still be writing.
  const removal = { recursive: true, force: true, maxRetries: 20, retryDelay: 100 };
  whenDone(() => rmSync(path, removal));
  return path;
}
