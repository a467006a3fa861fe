import { isDeepStrictEqual } from "node:util";
import type { ConfigFile, EditedConfig, RoleEdit } from "../../app/ports/config-file.ts";
import { Refusal } from "../../domain/refusal.ts";
import { applyToSettings, withRoleList } from "./apply-to-settings.ts";
import { ConfigError, type ConfigProblem } from "./config-error.ts";
import { editRolesText } from "./edit-roles-text.ts";
import { hashOf } from "./hash-of.ts";
import { parseConfigText } from "./parse-config-text.ts";
import { parseConfig, withoutMark } from "./parse-config.ts";
import { codeOf, MAX_FILE_BYTES, readConfigFile } from "./read-config-file.ts";
import { writeWholeFile } from "./write-whole-file.ts";

const REASONS = new Map([
  ["EACCES", "permission denied"],
  ["EPERM", "permission denied"],
  ["EROFS", "the file system is read-only"],
  ["ENOSPC", "the disk is full"],
  ["EDQUOT", "the disk quota is used up"],
  ["ENOENT", "its directory does not exist"],
  ["ENOTDIR", "a part of the path is not a directory"],
  // A file mounted by itself into a container cannot be replaced.
  ["EBUSY", "it is a mount point; mount its directory instead"],
]);

export type ConfigFileOptions = {
  /** It need not exist: the first edit makes it. */
  readonly path: string;
};

export function createConfigFile({ path }: ConfigFileOptions): ConfigFile {
  async function preview(edit: RoleEdit, expectedHash: string): Promise<EditedConfig> {
    const found = await read(path);
    const before = found ?? "";
    if (hashOf(before) !== expectedHash) throw changed(path);
    requireValid(before, path, "The file has problems as it is");
    const after = edited(before, path, edit);
    if (after !== before) requireValid(after, path, "With this change the file would be wrong");
    return {
      path,
      before,
      after,
      hash: hashOf(after),
      created: found === undefined && after !== before,
    };
  }

  return {
    path,
    preview,
    async editRoles(edit, expectedHash) {
      const result = await preview(edit, expectedHash);
      if (result.after === result.before) return result;
      const isStill = async () => hashOf((await read(path)) ?? "") === expectedHash;
      const written = await writeWholeFile(path, result.after, isStill).catch((error: unknown) => {
        throw error instanceof Refusal ? error : notWritable(path, error);
      });
      if (!written) throw changed(path);
      return result;
    },
  };
}

async function read(path: string): Promise<string | undefined> {
  try {
    return await readConfigFile(path, false);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw invalid("The file cannot be used as it is", error.problems);
  }
}

function requireValid(text: string, path: string, what: string): void {
  const { problems } = parseConfig(text, path);
  if (problems.length > 0) throw invalid(what, problems);
  const bytes = Buffer.byteLength(text);
  if (bytes <= MAX_FILE_BYTES) return;
  const tooLarge = `${path}: would have ${bytes} bytes; a configuration file has at most ${MAX_FILE_BYTES} (1 MiB).`;
  throw invalid(what, [{ text: tooLarge, at: null }]);
}

/** Found by its place in the text, then proved: the result says what was meant and nothing else. */
function edited(before: string, path: string, edit: RoleEdit): string {
  const wanted = applyToSettings(plain(before, path), edit);
  const after = attempt(() => editRolesText(before, edit));
  if (after !== undefined && isDeepStrictEqual(withRoleList(plain(after, path)), wanted)) {
    return after;
  }
  throw new Refusal(
    "CONFIG_NOT_EDITABLE",
    `The role "${edit.id}" in ${path} is written in a way that cannot be changed without touching more than it (an alias or an anchor, perhaps).`,
    "Make this change in the file by hand.",
  );
}

function plain(text: string, path: string): unknown {
  return parseConfigText(withoutMark(text), path).data?.value;
}

/** The YAML library throws on a text it cannot print again; such a change is not made. */
function attempt(work: () => string): string | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

function invalid(what: string, problems: readonly ConfigProblem[]): Refusal {
  return new Refusal(
    "CONFIG_INVALID",
    `${what}. ${new ConfigError(problems).message}`,
    "Nothing was written. Correct what is named and save again.",
  );
}

function changed(path: string): Refusal {
  return new Refusal(
    "CONFIG_CHANGED",
    `${path} was changed by somebody else since it was read; nothing was written.`,
    "Load the roles again, look at the change, and save again.",
  );
}

function notWritable(path: string, error: unknown): Refusal {
  return new Refusal(
    "CONFIG_NOT_WRITABLE",
    `${path} could not be written: ${REASONS.get(codeOf(error) ?? "") ?? String(error)}. Nothing was changed.`,
    "Make the file and its directory writable for the user of the daemon, then save again.",
  );
}
