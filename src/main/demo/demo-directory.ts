import {
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { acquireLock } from "../../adapters/store/lock.ts";
import { readBootId } from "../../adapters/supervisor/processes/boot-id.ts";
import { createProcesses } from "../../adapters/supervisor/processes/process-table.ts";

const PREFIX = "kuromajutsu-demo-";
const NAME = /^kuromajutsu-demo-[A-Za-z0-9]{6}$/;
const MARKER = "demo.json";
/** A demo writes its marker at once, so an older directory without one belongs to a demo that died. */
const MARKER_WITHIN_MS = 60_000;
/** A socket path below a longer directory could not be bound. */
const LONGEST_BASE = 40;
const REMOVAL = { recursive: true, force: true, maxRetries: 20, retryDelay: 50 } as const;

const markerShape = z.object({ pid: z.number(), start: z.string(), bootId: z.string() });

export type DemoDirectory = {
  readonly path: string;
  readonly dataDir: string;
  readonly home: string;
  readonly project: string;
};

export function demoBase(): string {
  const base = realpathSync(tmpdir());
  return base.length > LONGEST_BASE ? realpathSync("/tmp") : base;
}

/** A new directory that only this user can enter. */
export function createDemoDirectory(): DemoDirectory {
  const path = mkdtempSync(join(demoBase(), PREFIX));
  const start = createProcesses().get(process.pid)?.start ?? "";
  const marker = { pid: process.pid, start, bootId: readBootId() };
  writeFileSync(join(path, MARKER), JSON.stringify(marker), { mode: 0o600, flag: "wx" });
  return pathsIn(path);
}

function pathsIn(path: string): DemoDirectory {
  return {
    path,
    dataDir: join(path, "data"),
    home: join(path, "home"),
    project: join(path, "project"),
  };
}

/** Ends what is left of the demo and removes its directory. Links in it are removed, not followed. */
export function removeDemoDirectory(path: string): void {
  endProcessesOf(path);
  rmSync(path, REMOVAL);
}

/** Removes the directories of demos that were killed. */
export function removeDeadDemos(): void {
  for (const name of readdirSync(demoBase()).filter((each) => NAME.test(each))) {
    const path = join(demoBase(), name);
    try {
      if (isDead(path)) removeDemoDirectory(path);
    } catch {
      // Another demo is removing it, or it is not ours.
    }
  }
}

function isDead(path: string): boolean {
  const found = lstatSync(path);
  if (!found.isDirectory() || found.uid !== process.getuid?.()) return false;
  if ((found.mode & 0o777) !== 0o700) return false;
  const marker = readMarker(path);
  if (marker === undefined) {
    // Only an empty directory is removed without a marker: rmdir refuses any other.
    if (Date.now() - found.mtimeMs > MARKER_WITHIN_MS) rmdirSync(path);
    return false;
  }
  const isSameBoot = marker.bootId === readBootId();
  if (isSameBoot && createProcesses().get(marker.pid)?.start === marker.start) return false;
  // The process may be in another container that shares this directory: its lock is visible here.
  const lock = acquireLock(pathsIn(path).dataDir);
  lock?.release();
  return lock !== undefined;
}

function readMarker(path: string): z.infer<typeof markerShape> | undefined {
  const file = join(path, MARKER);
  if (!lstatSync(file, { throwIfNoEntry: false })?.isFile()) return undefined;
  return markerShape.parse(JSON.parse(readFileSync(file, "utf8")));
}

/**
 * Agents outlive a killed daemon by design. Those of a demo have a home in its directory. Where
 * environments cannot be read they end by themselves, because no daemon answers them.
 */
function endProcessesOf(path: string): void {
  if (process.platform !== "linux") return;
  const home = Buffer.from(`\0HOME=${pathsIn(path).home}\0`);
  for (const { pid } of createProcesses().table().values()) {
    try {
      const environment = readFileSync(`/proc/${pid}/environ`);
      const isOurs = Buffer.concat([Buffer.of(0), environment]).includes(home);
      if (isOurs && pid !== process.pid) process.kill(pid, "SIGKILL");
    } catch {
      // It has ended, or belongs to another user.
    }
  }
}
