import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { listDataFiles } from "../../adapters/backup/list-data-files.ts";
import { CONFIG_FILE_NAME } from "../../adapters/config/locate.ts";
import { SpokenError } from "../../domain/spoken-error.ts";

const AUDIT_FILES = ["audit.key", "audit.head"];

/**
 * Transcripts, and the keys of the audit and of Slack. Safe to repeat: a file is complete, or not
 * there. Returns how many files the new data directory has of the old one.
 */
export function moveFiles(from: string, dataDir: string): number {
  const names = [
    ...listDataFiles(from).files.map(({ path }) => path),
    // Not part of a list for backups, which read it at another moment.
    ...AUDIT_FILES.slice(1).filter((name) => existsSync(join(from, name))),
  ].filter((name) => name !== CONFIG_FILE_NAME);
  refuseOtherAudit(from, dataDir);
  for (const name of names) copyWhole(join(from, name), join(dataDir, name));
  return names.length;
}

/** The files of an audit of its own would declare the moved one broken. */
function refuseOtherAudit(from: string, dataDir: string): void {
  const other = AUDIT_FILES.map((name) => join(dataDir, name)).find(
    (path, at) => existsSync(path) && !isSame(join(from, AUDIT_FILES[at] ?? ""), path),
  );
  if (other === undefined) return;
  throw new SpokenError({
    en: `${other} belongs to other data, so nothing was moved. Set KUROMAJUTSU_DATA_DIR to an empty directory, or to ${from}, and run this again.`,
    ja: `${other} は別のデータのものです。何も移していません。KUROMAJUTSU_DATA_DIR に空のディレクトリか ${from} を指定して、もう一度実行してください。`,
  });
}

function copyWhole(source: string, target: string): void {
  const size = statSync(target, { throwIfNoEntry: false })?.size;
  if (size === statSync(source).size) return;
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
  const unfinished = `${target}.tmp`;
  copyFileSync(source, unfinished);
  renameSync(unfinished, target);
}

function isSame(one: string, other: string): boolean {
  return existsSync(one) && readFileSync(one).equals(readFileSync(other));
}
