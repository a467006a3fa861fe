import { existsSync, realpathSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { DATABASE } from "../../adapters/backup/archive-format.ts";
import type { LoadedConfig } from "../../adapters/config/load-config.ts";
import { socketPathFor } from "../../adapters/config/locate.ts";
import { readIfThere, writeWhole } from "../../adapters/key-file.ts";
import { createLog } from "../../adapters/log.ts";
import { readAnchor } from "../../adapters/store/audit-anchor.ts";
import { MOVED_MARK } from "../../adapters/store/half-swapped.ts";
import { acquireLock, type Lock } from "../../adapters/store/lock.ts";
import { copyRows } from "../../adapters/store/postgres/move/copy-rows.ts";
import type { Db } from "../../adapters/store/sql/engine/tables.ts";
import { countAudit, listAudit, listAuditAfter } from "../../adapters/store/sql/people/audit.ts";
import { systemTokens } from "../../adapters/world.ts";
import { type AuditVerified, verifyAudit } from "../../app/people/verify-audit.ts";
import type { MoveData, MovedData } from "../../app/ports/store-migration.ts";
import { fieldsOf, parseJson } from "../../base/narrow.ts";
import { SpokenError } from "../../domain/spoken-error.ts";
import { countRunningAgents } from "../backup/running-agents.ts";
import { settleAfterRestore } from "../daemon/after-restore.ts";
import { compose } from "../daemon/compose.ts";
import { VERSION } from "../version.ts";
import { moveFiles } from "./move-files.ts";
import { MOVE_PROBLEMS } from "./move-problems.ts";
import { moveTemplates } from "./move-templates.ts";
import { openSource, type Source } from "./open-source.ts";

export type MovePlace = { readonly loaded: LoadedConfig; readonly url: string };

/**
 * The order matters for an interruption at any moment: the files are complete before all rows are
 * committed at once, and the agents are settled after it. Until the commit the database is empty; a
 * repeated call goes on after it.
 */
export async function moveData(place: MovePlace, options: MoveData): Promise<MovedData> {
  const from = requireSource(options.from);
  const { dataDir } = place.loaded;
  const locks = lockBoth(from, dataDir);
  try {
    const source = await openSource(from, dataDir);
    try {
      return await moveFrom(source, from, place, options);
    } finally {
      source.close();
    }
  } finally {
    for (const lock of locks) lock.release();
  }
}

async function moveFrom(
  source: Source,
  from: string,
  { loaded, url }: MovePlace,
  { force, onProgress }: MoveData,
): Promise<MovedData> {
  const { dataDir } = loaded;
  const running = countRunningAgents(source.path);
  if (running > 0) throw new SpokenError(MOVE_PROBLEMS.agentsRun(from, running));
  const before = await verifySource(source, from);
  if (!before.ok && !force) throw new SpokenError(MOVE_PROBLEMS.audit(before));
  const mark = join(dataDir, MOVED_MARK);
  const isRepeated = isMarkOf(from, mark);
  let files = 0;
  let templates = 0;
  const { rows, replaced } = await copyRows({
    url,
    source: source.database,
    isRepeated,
    onProgress,
    async check(db) {
      const after = await verifyAudit({ store: auditIn(db), tokens: systemTokens });
      if (!(await isSame(source, db, { before, after }))) {
        throw new SpokenError(MOVE_PROBLEMS.auditAfter(after));
      }
      templates = await moveTemplates(db, loaded, from);
      if (from !== realpathSync(dataDir)) files = moveFiles(from, dataDir);
      // Before the commit: a server that starts right after it must not start the agents again.
      writeWhole(mark, `${JSON.stringify(markOf(from))}\n`);
    },
  }).catch((error: unknown) => {
    if (!isRepeated) rmSync(mark, { force: true });
    throw error;
  });
  await settle(loaded);
  return { from, dataDir, rows, files, templates, auditEntries: before.entries, replaced };
}

function auditIn(db: Db) {
  return {
    listAuditAfter: (seq: number, limit: number) => listAuditAfter(db, seq, limit),
    countAudit: () => countAudit(db),
  };
}

function requireSource(named: string): string {
  const from = resolve(named);
  if (!existsSync(join(from, DATABASE))) throw new SpokenError(MOVE_PROBLEMS.noDatabase(from));
  return realpathSync(from);
}

/** No daemon may write to the source, and none may start on the new data directory meanwhile. */
function lockBoth(from: string, dataDir: string): readonly Lock[] {
  const target = acquireLock(dataDir);
  if (!target) throw new SpokenError(MOVE_PROBLEMS.daemonRuns(dataDir));
  if (from === realpathSync(dataDir)) return [target];
  const source = acquireLock(from);
  if (source) return [source, target];
  target.release();
  throw new SpokenError(MOVE_PROBLEMS.daemonRuns(from));
}

function verifySource({ audit }: Source, from: string): Promise<AuditVerified> {
  const keyFile = process.env["KUROMAJUTSU_AUDIT_KEY_FILE"] || undefined;
  const auditAnchor = { read: () => readAnchor({ dataDir: from, keyFile, store: audit }) };
  return verifyAudit({ store: audit, tokens: systemTokens, auditAnchor });
}

/** The same entries, and whole unless it was broken before. */
async function isSame(
  { audit }: Source,
  db: Db,
  { before, after }: { readonly before: AuditVerified; readonly after: AuditVerified },
): Promise<boolean> {
  const [one] = (await audit.listAudit({ limit: 1 })).entries;
  const [other] = (await listAudit(db, { limit: 1 })).entries;
  const isWhole = after.ok || !before.ok;
  return (
    isWhole && one?.hash === other?.hash && (await audit.countAudit()) === (await countAudit(db))
  );
}

const markOf = (from: string) => ({ createdAt: new Date().toISOString(), version: VERSION, from });

/** An earlier call was interrupted when its rows were complete. */
function isMarkOf(from: string, mark: string): boolean {
  return fieldsOf(parseJson(readIfThere(mark) ?? ""))["from"] === from;
}

/**
 * As after a restore: agents that ran or waited are not started again, because the source still has
 * them. Composed like a daemon, but without doors and without starting anything.
 */
async function settle(loaded: LoadedConfig): Promise<void> {
  const { dataDir } = loaded;
  const composed = await compose({
    loaded,
    log: createLog("error", (line) => void process.stderr.write(line)),
    socketPath: socketPathFor(dataDir, process.env),
    mcpUrl: () => null,
    needsTrust: false,
    reloadConfig: async () => loaded,
    storeLost: () => {},
    toolsChanged: () => {},
  });
  try {
    await settleAfterRestore(composed.core, dataDir, MOVED_MARK);
  } finally {
    await composed.close();
  }
}
