import { isDeepStrictEqual } from "node:util";
import type { ConfigFile, EditedConfig, UserEdit } from "../../app/ports/config-file.ts";
import { errorCode } from "../../base/error-code.ts";
import type { Texts } from "../../domain/locale.ts";
import { Refusal } from "../../domain/refusal.ts";
import { applyToSettings, withList } from "./apply-to-settings.ts";
import { ConfigError, type ConfigProblem } from "./config-error.ts";
import { keepTrust } from "./config-trust.ts";
import { editListText, type ListEdit, type ListPath } from "./edit-list-text.ts";
import { hashOf } from "./hash-of.ts";
import type { Env } from "./locate.ts";
import { parseConfigText } from "./parse-config-text.ts";
import { parseConfig, withoutMark } from "./parse-config.ts";
import { MAX_FILE_BYTES, readConfigFile } from "./read-config-file.ts";
import { createTrustStore, type TrustStore } from "./trust-store.ts";
import { writeWholeFile } from "./write-whole-file.ts";

const REASONS = new Map([
  ["EACCES", "permission denied"],
  ["EPERM", "permission denied"],
  ["EROFS", "the file system is read-only"],
  ["ENOSPC", "the disk is full"],
  ["EDQUOT", "the disk quota is used up"],
  ["ENOENT", "its directory does not exist"],
  ["ENOTDIR", "a part of the path is not a directory"],
  // A file that is mounted into a container by itself cannot be replaced.
  ["EBUSY", "it is a mount point; mount its directory instead"],
]);

export type ConfigFileOptions = {
  /** The file need not exist: the first edit creates it. */
  readonly path: string;
  /**
   * The file was found by searching: this user's trust (see `stateDir`) is updated after each edit.
   */
  readonly trustedIn?: Env;
};

const ROLES: ListPath = ["roles"];
const USERS: ListPath = ["auth", "users"];

export type EditableConfig = ConfigFile & {
  /** The hash of the current text. */
  readHash(): Promise<string>;
  /**
   * Tolerates policies that lack people, because adding people solves those problems; the remaining
   * ones are returned as `missing`.
   */
  editUsers(edit: UserEdit, expectedHash: string): Promise<EditedConfig & StillMissing>;
};
export type StillMissing = { readonly missing: readonly ConfigProblem[] };

export function createConfigFile({ path, trustedIn }: ConfigFileOptions): EditableConfig {
  const trust = trustedIn && createTrustStore(trustedIn);

  async function prepare(
    list: ListPath,
    edit: ListEdit,
    expectedHash: string,
  ): Promise<EditedConfig & StillMissing> {
    const found = await read(path);
    const before = found ?? "";
    if (hashOf(before) !== expectedHash) throw changed(path);
    const isTolerable = list === USERS ? needsPeople : noneTolerable;
    const known = requireValid(before, path, WRONG_BEFORE, isTolerable);
    const after = edited(before, path, list, edit);
    const missing =
      after === before
        ? known
        : requireValid(after, path, WRONG_AFTER, known.length > 0 ? isTolerable : noneTolerable);
    return {
      path,
      before,
      after,
      hash: hashOf(after),
      created: found === undefined && after !== before,
      missing,
    };
  }

  async function write<Result extends EditedConfig>(
    result: Result,
    expectedHash: string,
  ): Promise<Result> {
    if (result.after === result.before) return result;
    requireUsable(trust);
    const isStill = async () => hashOf((await read(path)) ?? "") === expectedHash;
    const written = await writeWholeFile(path, result.after, isStill).catch((error: unknown) => {
      throw error instanceof Refusal ? error : notWritable(path, error);
    });
    if (!written) throw changed(path);
    if (trust) followEdit(trust, result);
    return result;
  }

  async function preview(edit: ListEdit, expectedHash: string): Promise<EditedConfig> {
    const { missing: _none, ...result } = await prepare(ROLES, edit, expectedHash);
    return result;
  }

  return {
    path,
    preview,
    readHash: async () => hashOf((await read(path)) ?? ""),
    editRoles: async (edit, expectedHash) => write(await preview(edit, expectedHash), expectedHash),
    editUsers: async (edit, expectedHash) =>
      write(await prepare(USERS, edit, expectedHash), expectedHash),
  };
}

/** Called before the write: an edit whose trust could not be stored would not take effect. */
function requireUsable(trust: TrustStore | undefined): void {
  const problem = trust?.read().problem;
  if (!problem) return;
  throw new Refusal("CONFIG_NOT_WRITABLE", {
    en: [problem, "Nothing was changed. Repair it, then save again."],
    ja: [problem, "何も変更していません。直してから、もう一度保存してください。"],
  });
}

function followEdit(trust: TrustStore, { path, before, after }: EditedConfig): void {
  const old = parseConfig(before, path).config;
  const now = parseConfig(after, path).config;
  if (old && now) keepTrust(trust, path, old, now);
}

const UNUSABLE: Texts = {
  en: "The file cannot be used as it is",
  ja: "このファイルは今のままでは使えません",
};
const WRONG_BEFORE: Texts = {
  en: "The file already has problems",
  ja: "このファイルにはすでに問題があります",
};
const WRONG_AFTER: Texts = {
  en: "With this change the file would be wrong",
  ja: "この変更をすると、ファイルが正しくなくなります",
};

const needsPeople = ({ about }: ConfigProblem): boolean => about === "people";
const noneTolerable = (): boolean => false;

async function read(path: string): Promise<string | undefined> {
  try {
    return await readConfigFile(path, false);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw invalid(UNUSABLE, error.problems);
  }
}

/** Returns the tolerable problems. */
function requireValid(
  text: string,
  path: string,
  what: Texts,
  isTolerable: (problem: ConfigProblem) => boolean,
): readonly ConfigProblem[] {
  const { problems } = parseConfig(text, path);
  if (!problems.every(isTolerable)) throw invalid(what, problems);
  const bytes = Buffer.byteLength(text);
  if (bytes <= MAX_FILE_BYTES) return problems;
  const tooLarge = {
    en: `${path}: would have ${bytes} bytes; a configuration file has at most ${MAX_FILE_BYTES} (1 MiB).`,
    ja: `${path}: ${bytes} バイトになります。設定ファイルは ${MAX_FILE_BYTES} バイト（1 MiB）までです。`,
  };
  throw invalid(what, [{ text: tooLarge, at: null }]);
}

/**
 * Edits the text in place, then checks that the result differs in exactly the intended settings.
 */
function edited(before: string, path: string, list: ListPath, edit: ListEdit): string {
  const wanted = applyToSettings(plain(before, path), list, edit);
  const after = attempt(() => editListText(before, list, edit));
  if (after !== undefined && isDeepStrictEqual(withList(plain(after, path), list), wanted)) {
    return after;
  }
  const what = list === USERS ? "person" : "role";
  throw new Refusal("CONFIG_NOT_EDITABLE", {
    en: [
      `The ${what} "${edit.id}" in ${path} is written in a way that cannot be changed without touching more than it (an alias or an anchor, perhaps).`,
      "Make this change in the file by hand.",
    ],
    ja: [
      `${path} の${list === USERS ? "利用者" : "職種"}「${edit.id}」は、ほかの部分に触れずには変更できない書き方です（エイリアスやアンカーなど）。`,
      "ファイルを直接編集してください。",
    ],
  });
}

function plain(text: string, path: string): unknown {
  return parseConfigText(withoutMark(text), path).data?.value;
}

/** The YAML library throws on a text it cannot print; such an edit is refused. */
function attempt(work: () => string): string | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

function invalid(what: Texts, problems: readonly ConfigProblem[]): Refusal {
  return new Refusal("CONFIG_INVALID", {
    en: [
      `${what.en}. ${new ConfigError(problems).texts.en}`,
      "Nothing was written. Correct what is named and save again.",
    ],
    ja: [
      `${what.ja}。${new ConfigError(problems).texts.ja}`,
      "何も書き込んでいません。示された点を直して、もう一度保存してください。",
    ],
  });
}

function changed(path: string): Refusal {
  return new Refusal("CONFIG_CHANGED", {
    en: [
      `${path} has changed since it was read; nothing was written.`,
      "Load it again, look at the change, and save again.",
    ],
    ja: [
      `${path} は、読み込んだあとに変わりました。何も書き込んでいません。`,
      "読み込み直して変更を確かめてから、もう一度保存してください。",
    ],
  });
}

function notWritable(path: string, error: unknown): Refusal {
  return new Refusal("CONFIG_NOT_WRITABLE", {
    en: [
      `${path} could not be written: ${REASONS.get(errorCode(error) ?? "") ?? String(error)}. Nothing was changed.`,
      "Make the file and its directory writable for the user of the daemon, then save again.",
    ],
    ja: [
      `${path} に書き込めませんでした（${REASONS.get(errorCode(error) ?? "") ?? String(error)}）。何も変更していません。`,
      "デーモンの利用者がファイルとそのディレクトリに書き込めるようにしてから、もう一度保存してください。",
    ],
  });
}
