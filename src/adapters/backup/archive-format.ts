import { z } from "zod";

/**
 * A backup is a gzipped tar archive. Its first entry says what it is, its last entry has the checksum
 * of every other one: an archive without that entry is truncated.
 */
export const INFO_ENTRY = "backup.json";
export const CHECKSUMS_ENTRY = "checksums.json";
/** The files of the data directory are below this folder. */
export const DATA_FOLDER = "data/";
export const PROJECT_FOLDER = "project/";

export const DATABASE = "kuromajutsu.db";

export const infoShape = z.object({
  format: z.literal(1),
  /** The version of the product that made the backup. */
  version: z.string().max(100),
  createdAt: z.iso.datetime(),
  /** The migrations of the database. */
  migrations: z.array(z.string()),
  /** The sizes of all files together. */
  bytes: z.int().nonnegative(),
});
export type BackupInfo = z.infer<typeof infoShape>;

export const checksumsShape = z.record(z.string(), z.string().regex(/^[0-9a-f]{64}$/));

/** The bookkeeping entries are read into memory. */
export const MAX_JSON_BYTES = 256 * 1_048_576;

/**
 * The path below the data directory or the project; undefined for one that a backup never has, such
 * as an absolute path or one with `..`.
 */
export function safeEntry(path: string): string | undefined {
  if (!path.startsWith(DATA_FOLDER) && !path.startsWith(PROJECT_FOLDER)) return undefined;
  if (/[\p{Cc}\\]/u.test(path)) return undefined;
  const isSafe = path.split("/").every((part) => part !== "" && part !== "." && part !== "..");
  return isSafe ? path : undefined;
}
