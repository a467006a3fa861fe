import { randomBytes } from "node:crypto";
import {
  closeSync,
  fsyncSync,
  lstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { z } from "zod";
import { Refusal } from "../../domain/refusal.ts";
import { ensurePrivateDir, type Env, stateDir } from "./locate.ts";

const FILE_NAME = "trust.json";
/** Writers hold the lock for milliseconds. */
const LOCK_WITHIN_MS = 5_000;

const entryShape = z.strictObject({
  /** uid of the file's owner when it was trusted. */
  owner: z.number(),
  /** Marks of the trusted powers, see `markOf`. */
  marks: z.array(z.string()).readonly(),
  /** ISO 8601. */
  at: z.string(),
});
const storeShape = z.strictObject({
  version: z.literal(1),
  files: z.record(z.string(), entryShape),
});

export type TrustEntry = z.infer<typeof entryShape>;
type Files = Readonly<Record<string, TrustEntry>>;

export type TrustStore = {
  readonly path: string;
  /** The trusted files. `problem`: the store is unusable, so nothing is trusted. */
  read(): { readonly files: Files; readonly problem: string | null };
  /**
   * Replaces the entry of one configuration file; undefined removes it. A lock keeps other
   * processes from writing between the read and the write. Refuses with CONFIG_NOT_WRITABLE.
   */
  change(path: string, next: (entry: TrustEntry | undefined) => TrustEntry | undefined): void;
};

/** The configuration files that this user trusts, in the user's own state directory. */
export function createTrustStore(env: Env): TrustStore {
  const path = join(stateDir(env), FILE_NAME);

  function read() {
    try {
      return { files: readFiles(path), problem: null };
    } catch (error) {
      return { files: {}, problem: unusable(path, error) };
    }
  }

  function change(file: string, next: (entry: TrustEntry | undefined) => TrustEntry | undefined) {
    try {
      ensurePrivateDir(dirname(path));
      locked(`${path}.lock`, () => {
        const { [file]: before, ...others } = readFiles(path);
        const after = next(before);
        writeFiles(path, after === undefined ? others : { ...others, [file]: after });
      });
    } catch (error) {
      throw new Refusal("CONFIG_NOT_WRITABLE", {
        en: [
          unusable(path, error),
          "Repair it, or start with `--config FILE`: a file that is named needs no trust.",
        ],
        ja: [
          `信頼済みの設定ファイルの一覧（${path}）を使えません。${unusable(path, error)}`,
          "直すか、`--config FILE` で起動してください。名前を指定したファイルに信頼は要りません。",
        ],
      });
    }
  }

  return { path, read, change };
}

function readFiles(path: string): Files {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return {};
  if (!found.isFile()) throw new Error("it is not a regular file");
  if (found.uid !== process.getuid?.()) throw new Error(`it belongs to uid ${found.uid}`);
  if ((found.mode & 0o077) !== 0) throw new Error("other users may open it; run chmod 600 on it");
  return storeShape.parse(JSON.parse(readFileSync(path, "utf8"))).files;
}

function writeFiles(path: string, files: Files): void {
  const temporary = `${path}.${randomBytes(6).toString("hex")}.new`;
  try {
    const file = openSync(temporary, "wx", 0o600);
    try {
      writeFileSync(file, `${JSON.stringify({ version: 1, files }, null, 2)}\n`);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** The operating system releases the lock when the process ends, however it ends. */
function locked(path: string, work: () => void): void {
  const database = new DatabaseSync(path, { timeout: LOCK_WITHIN_MS });
  try {
    database.exec("begin exclusive");
    work();
  } finally {
    database.close();
  }
}

function unusable(path: string, error: unknown): string {
  const why =
    error instanceof z.ZodError || error instanceof SyntaxError
      ? "it is damaged; delete it and trust your files again"
      : error instanceof Error
        ? error.message
        : String(error);
  return `The list of trusted configuration files (${path}) cannot be used, so no file is trusted: ${why}.`;
}
