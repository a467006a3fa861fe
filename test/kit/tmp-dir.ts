import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A directory of this test alone, gone when it ends. */
export function aTempDir(): string {
  const path = mkdtempSync(join(tmpdir(), "kuromajutsu-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}
