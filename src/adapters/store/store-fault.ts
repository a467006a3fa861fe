import { Refusal } from "../../domain/refusal.ts";

const SQLITE_READONLY = 8;
const SQLITE_CORRUPT = 11;
const SQLITE_FULL = 13;
const SQLITE_CANTOPEN = 14;
const SQLITE_NOTADB = 26;
/** The shared index of the log could not grow: in practice, no space. */
const SQLITE_IOERR_SHMSIZE = 4874;

const FULL = new Set<unknown>([SQLITE_FULL, SQLITE_IOERR_SHMSIZE, "ENOSPC", "EDQUOT"]);
const READ_ONLY = new Set<unknown>([
  SQLITE_READONLY,
  SQLITE_CANTOPEN,
  "EACCES",
  "EPERM",
  "EROFS",
  "ENOTDIR",
  "EEXIST",
  "ENOENT",
]);
const DAMAGED = new Set<unknown>([SQLITE_CORRUPT, SQLITE_NOTADB]);

/** For errors of the database only; other errors inside a transaction are not changed. */
export function toStoreFault(error: unknown, place: string): unknown {
  if (!(error instanceof Error && "errcode" in error && typeof error.errcode === "number")) {
    return error;
  }
  // An extended code has the plain one in its low byte.
  return explain(error, [error.errcode, error.errcode & 0xff], place);
}

/** Also for errors of the file system while the directory is prepared. */
export function toFileFault(error: unknown, place: string): unknown {
  return error instanceof Error && "code" in error && !("errcode" in error)
    ? explain(error, [error.code], place)
    : toStoreFault(error, place);
}

/** Adds advice for a person; returns any other error unchanged. */
function explain(error: Error, codes: readonly unknown[], place: string): Error {
  const is = (known: ReadonlySet<unknown>) => codes.some((code) => known.has(code));
  if (is(FULL)) {
    return new Refusal("STORE_FULL", {
      en: [
        `No space is left for ${place}; nothing was written.`,
        `Free some space on the disk of ${place}, then try again. Reading still works.`,
      ],
      ja: [
        `${place} のための空き容量がありません。何も書き込んでいません。`,
        `${place} のあるディスクに空きを作ってから、もう一度試してください。読み取りはできます。`,
      ],
    });
  }
  if (is(READ_ONLY)) {
    return new Refusal("STORE_READ_ONLY", {
      en: [
        `${place} cannot be written (${error.message}).`,
        `Let this user write there (owner, mode, mount), or set KUROMAJUTSU_DATA_DIR to another directory than the one of ${place}.`,
      ],
      ja: [
        `${place} に書き込めません（${error.message}）。`,
        `この利用者が書き込めるようにする（所有者、モード、マウント）か、KUROMAJUTSU_DATA_DIR に ${place} とは別のディレクトリを指定してください。`,
      ],
    });
  }
  if (is(DAMAGED)) {
    return new Error(
      `${place} is damaged or is no database of ours (${error.message}). ` +
        `Move it away together with the files beside it that end in -wal and -shm, and restore a copy; without one, start again empty.`,
      { cause: error },
    );
  }
  return error;
}
