import {
  createWriteStream,
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  rmSync,
  statfsSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type BackupInfo, DATA_FOLDER, DATABASE } from "../../adapters/backup/archive-format.ts";
import { removeLeftovers } from "../../adapters/backup/leftovers.ts";
import { readArchive } from "../../adapters/backup/read-archive.ts";
import { openSnapshot } from "../../adapters/backup/snapshot-database.ts";
import { HalfSwapped, takePlace } from "../../adapters/backup/take-place.ts";
import { CONFIG_FILE_NAME } from "../../adapters/config/locate.ts";
import { writeWhole } from "../../adapters/key-file.ts";
import { readAnchor } from "../../adapters/store/audit-anchor.ts";
import { keptPrefix, RESTORED_MARK, stagingPrefix } from "../../adapters/store/half-swapped.ts";
import { acquireLock } from "../../adapters/store/lock.ts";
import { MIGRATIONS } from "../../adapters/store/sqlite/migrations/migrations.ts";
import { systemTokens } from "../../adapters/world.ts";
import { type AuditVerified, verifyAudit } from "../../app/people/verify-audit.ts";
import { BackupRefused, type BackupRestored, type RestoreBackup } from "../../app/ports/backups.ts";
import type { BackupPlace } from "./make-backup.ts";
import { countRunningAgents } from "./running-agents.ts";

const SPARE_BYTES = 1_048_576;
const OUR_FILES = [DATABASE, "lock.db", CONFIG_FILE_NAME];

/**
 * Unpacks into a new directory beside the target and verifies all of it there. Only then it takes
 * the target's place, by two renames: until then the target is untouched.
 */
export async function restoreBackup(
  place: BackupPlace,
  options: RestoreBackup,
): Promise<BackupRestored> {
  const path = resolve(options.file);
  if (!existsSync(path)) throw new BackupRefused({ kind: "no-archive", path });
  const named = resolve(options.to ?? place.dataDir);
  const dataDir = existsSync(named) ? realpathSync(named) : named;
  mkdirSync(dirname(dataDir), { recursive: true, mode: 0o700 });
  const lock = claimTarget(dataDir, options.force);
  try {
    const staging = join(dirname(dataDir), `${stagingPrefix(dataDir)}${process.pid}`);
    removeLeftovers(dirname(dataDir), stagingPrefix(dataDir));
    mkdirSync(staging, { mode: 0o700 });
    try {
      const info = await unpack(staging, options);
      const audit = await inspect(staging, place, options);
      const { createdAt, version } = info;
      writeWhole(join(staging, RESTORED_MARK), `${JSON.stringify({ createdAt, version })}\n`);
      const kept = swap(staging, dataDir);
      const config = projectConfigIn(dataDir);
      const isInUse = options.to === undefined;
      return { dataDir, isInUse, createdAt, version, audit, kept, projectConfig: config };
    } catch (error) {
      if (!(error instanceof HalfSwapped)) rmSync(staging, { recursive: true, force: true });
      throw error;
    }
  } finally {
    lock?.release();
  }
}

/** Refuses a target that is in use or not ours; returns the lock that keeps daemons away from it. */
function claimTarget(dataDir: string, force: boolean) {
  const names = existsSync(dataDir) ? readdirSync(dataDir) : [];
  if (names.length === 0) return undefined;
  // A daemon that could not start leaves only its log.
  const isOurs = isBare(dataDir) || OUR_FILES.some((name) => names.includes(name));
  if (!isOurs) throw new BackupRefused({ kind: "not-ours", dataDir });
  const lock = acquireLock(dataDir);
  if (!lock) throw new BackupRefused({ kind: "daemon-runs", dataDir });
  try {
    if (names.includes(DATABASE)) refuseRunningAgents(dataDir);
    if (!isBare(dataDir) && !force) throw new BackupRefused({ kind: "not-empty", dataDir });
    return lock;
  } catch (error) {
    lock.release();
    throw error;
  }
}

function refuseRunningAgents(dataDir: string): void {
  const count = countRunningAgents(join(realpathSync(dataDir), DATABASE));
  if (count > 0) throw new BackupRefused({ kind: "agents-run", dataDir, count });
}

/** Has only what every daemon creates again. */
function isBare(dataDir: string): boolean {
  return readdirSync(dataDir).every((name) =>
    /^(lock\.db|daemon\.log|last-port|stopped)/.test(name),
  );
}

async function unpack(staging: string, { file, onProgress }: RestoreBackup): Promise<BackupInfo> {
  const path = resolve(file);
  let [done, total] = [0, 0];
  return readArchive(path, {
    async info(info) {
      const isNewer = info.migrations.some((name) => !Object.hasOwn(MIGRATIONS, name));
      if (isNewer) throw new BackupRefused({ kind: "newer", path, madeBy: info.version });
      checkSpace(staging, info);
      total = info.bytes;
    },
    async file(entry, content) {
      const relative = entry.path.startsWith(DATA_FOLDER)
        ? entry.path.slice(DATA_FOLDER.length)
        : entry.path;
      const target = join(staging, relative);
      mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
      await pipeline(
        Readable.from(counted(content, (bytes) => onProgress((done += bytes), total))),
        createWriteStream(target, { flags: "wx", mode: 0o600, flush: true }),
      );
    },
  });
}

async function* counted(content: AsyncIterable<Buffer>, onBytes: (bytes: number) => void) {
  for await (const chunk of content) {
    onBytes(chunk.length);
    yield chunk;
  }
}

function checkSpace(folder: string, { bytes }: BackupInfo): void {
  const { bavail, bsize } = statfsSync(folder);
  const [needed, free] = [bytes + SPARE_BYTES, bavail * bsize];
  if (free < needed) throw new BackupRefused({ kind: "no-space", path: folder, needed, free });
}

async function inspect(
  staging: string,
  { auditKeyFile }: BackupPlace,
  { file, force }: RestoreBackup,
): Promise<AuditVerified> {
  const database = join(staging, DATABASE);
  const damaged = () =>
    new BackupRefused({
      kind: "damaged",
      path: resolve(file),
      fault: { kind: "changed", path: `${DATA_FOLDER}${DATABASE}` },
    });
  if (!existsSync(database)) throw damaged();
  const snapshot = await openSnapshot(database);
  try {
    if (!snapshot.isSound) throw damaged();
    const store = snapshot.audit;
    const keyFile = auditKeyFile || undefined;
    const auditAnchor = { read: () => readAnchor({ dataDir: staging, keyFile, store }) };
    const audit = await verifyAudit({ store, tokens: systemTokens, auditAnchor });
    if (!audit.ok && !force) throw new BackupRefused({ kind: "audit", audit });
    return audit;
  } finally {
    snapshot.close();
  }
}

/** Returns where the directory before is now. */
function swap(staging: string, dataDir: string): string | undefined {
  const isThere = existsSync(dataDir);
  const aside = isThere ? freeNameFor(dataDir) : undefined;
  const hasContent = isThere && !isBare(dataDir);
  takePlace({ staging, dataDir, aside });
  if (hasContent || aside === undefined) return aside;
  rmSync(aside, { recursive: true, force: true });
  return undefined;
}

/** Two restores within one second need two names. */
function freeNameFor(dataDir: string): string {
  const stamp = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, "");
  const name = join(dirname(dataDir), `${keptPrefix(dataDir)}${stamp}`);
  for (let count = 2; existsSync(name) && count < 100; count++) {
    const numbered = `${name}-${count}`;
    if (!existsSync(numbered)) return numbered;
  }
  return name;
}

function projectConfigIn(dataDir: string): string | undefined {
  const folder = join(dataDir, "project");
  const [name] = existsSync(folder) ? readdirSync(folder) : [];
  return name === undefined ? undefined : join(folder, basename(name));
}
