import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statfsSync,
  statSync,
} from "node:fs";
import { realpathSync } from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";
import {
  type BackupInfo,
  DATA_FOLDER,
  DATABASE,
  PROJECT_FOLDER,
} from "../../adapters/backup/archive-format.ts";
import { removeLeftovers } from "../../adapters/backup/leftovers.ts";
import { listDataFiles } from "../../adapters/backup/list-data-files.ts";
import { openSnapshot, snapshotDatabase } from "../../adapters/backup/snapshot-database.ts";
import { type ArchivedFile, writeArchive } from "../../adapters/backup/write-archive.ts";
import { CONFIG_FILE_NAME } from "../../adapters/config/locate.ts";
import { readAnchor } from "../../adapters/store/audit-anchor.ts";
import { systemTokens } from "../../adapters/world.ts";
import { verifyAudit } from "../../app/people/verify-audit.ts";
import { type BackupMade, BackupRefused, type MakeBackup } from "../../app/ports/backups.ts";
import { VERSION } from "../version.ts";

const WORK_PREFIX = ".kuromajutsu-backup-";
const SPARE_BYTES = 1_048_576;

export type BackupPlace = {
  readonly dataDir: string;
  /** The configuration file of the project, if there is one. */
  readonly configPath: string | undefined;
  /** KUROMAJUTSU_AUDIT_KEY_FILE. */
  readonly auditKeyFile: string | undefined;
};

/**
 * The order matters. The head of the audit first: the database then has at least what it seals. The
 * transcripts last: they then have at least what the database has read of them.
 */
export async function makeBackup(place: BackupPlace, options: MakeBackup): Promise<BackupMade> {
  const { dataDir } = place;
  const database = join(dataDir, DATABASE);
  const path = resolve(options.file);
  checkTarget(path, dataDir, options.force);
  if (!existsSync(database)) throw new BackupRefused({ kind: "no-database", dataDir });
  const folder = dirname(path);
  removeLeftovers(folder, WORK_PREFIX);
  checkSpace(folder, dataDir);
  const work = join(folder, `${WORK_PREFIX}${process.pid}`);
  mkdirSync(work, { mode: 0o700 });
  try {
    copyHead(dataDir, work);
    const snapshot = join(work, DATABASE);
    await snapshotDatabase(database, snapshot);
    const { audit, migrations } = await inspect(place, work);
    const { files: inDirectory, leftOut } = listDataFiles(dataDir);
    const files = [
      ...fromWork(work),
      ...inDirectory.map((file) => ({
        path: `${DATA_FOLDER}${file.path}`,
        size: file.size,
        content: { file: join(dataDir, file.path) },
      })),
      ...(options.withConfig ? projectConfig(place.configPath) : []),
    ];
    const bytes = files.reduce((sum, { size }) => sum + size, 0);
    const info: BackupInfo = {
      format: 1,
      version: VERSION,
      createdAt: new Date().toISOString(),
      migrations: [...migrations],
      bytes,
    };
    let done = 0;
    await writeArchive({
      path,
      temporary: join(work, "archive"),
      info,
      files,
      mayReplace: options.force,
      onBytes: (count) => options.onProgress((done += count), bytes),
    });
    return { path, bytes: statSync(path).size, files: files.length, audit, leftOut };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function checkTarget(path: string, dataDir: string, force: boolean): void {
  const folder = dirname(path);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new BackupRefused({ kind: "no-folder", path: folder });
  }
  if (`${realpathSync(folder)}${sep}`.startsWith(`${dataDir}${sep}`)) {
    throw new BackupRefused({ kind: "inside", path, dataDir });
  }
  const found = statSync(path, { throwIfNoEntry: false });
  if (found && (!force || !found.isFile())) throw new BackupRefused({ kind: "exists", path });
}

/**
 * Enough for the copy of the database and an archive that does not compress at all: the disk may be
 * the one that the daemon writes to, and must not become full.
 */
function checkSpace(folder: string, dataDir: string): void {
  const database = sizeOf(join(dataDir, DATABASE)) + sizeOf(join(dataDir, `${DATABASE}-wal`));
  const others = listDataFiles(dataDir).files.reduce((sum, { size }) => sum + size, 0);
  const needed = 2 * database + others + SPARE_BYTES;
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize;
  if (free < needed) throw new BackupRefused({ kind: "no-space", path: folder, needed, free });
}

function copyHead(dataDir: string, work: string): void {
  const head = join(dataDir, "audit.head");
  if (existsSync(head)) copyFileSync(head, join(work, "audit.head"));
}

async function inspect({ dataDir, auditKeyFile }: BackupPlace, work: string) {
  const snapshot = await openSnapshot(join(work, DATABASE));
  try {
    if (!snapshot.isSound) {
      throw new Error(
        `${join(dataDir, DATABASE)} is damaged (\`pragma quick_check\` of SQLite fails), so no backup was made. Keep your earlier backups.`,
      );
    }
    const keyFile = auditKeyFile || join(dataDir, "audit.key");
    const store = snapshot.audit;
    const auditAnchor = { read: () => readAnchor({ dataDir: work, keyFile, store }) };
    const audit = await verifyAudit({ store, tokens: systemTokens, auditAnchor });
    return { audit, migrations: snapshot.migrations };
  } finally {
    snapshot.close();
  }
}

function fromWork(work: string): readonly ArchivedFile[] {
  return readdirSync(work).map((name) => {
    const file = join(work, name);
    return { path: `${DATA_FOLDER}${name}`, size: statSync(file).size, content: { file } };
  });
}

function projectConfig(path: string | undefined): readonly ArchivedFile[] {
  if (path === undefined || !existsSync(path)) return [];
  const entry = `${PROJECT_FOLDER}${basename(path) || CONFIG_FILE_NAME}`;
  return [{ path: entry, size: statSync(path).size, content: { file: path } }];
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
