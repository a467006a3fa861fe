import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { onTestFinished } from "vitest";

/** A real small file system; only root can create one. */
export function mountSmall(dir: string, megabytes = 3): boolean {
  mkdirSync(dir, { mode: 0o700, recursive: true });
  const options = `size=${megabytes}m,mode=0700`;
  const { status } = spawnSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", dir]);
  if (status === 0) onTestFinished(() => void spawnSync("umount", ["-l", dir]));
  return status === 0;
}

/** Fills every free block. */
export function fill(path: string): void {
  for (const bytes of [1024 * 1024, 4096]) {
    try {
      for (;;) writeFileSync(path, Buffer.alloc(bytes), { flag: "a" });
    } catch {
      // Full, at least for chunks of this size.
    }
  }
}
