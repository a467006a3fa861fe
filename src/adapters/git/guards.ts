import { fieldsOfZ } from "./fields.ts";
import type { GitEnd } from "./run-git.ts";

export type Setting = readonly [key: string, value: string];

/** Whatever the configuration of a repository says, git starts no other program of its choice. */
export const GUARDS: readonly Setting[] = [
  ["core.hooksPath", "/dev/null"],
  ["core.fsmonitor", "false"],
  ["core.pager", "cat"],
  ["core.editor", "false"],
  ["core.askPass", ""],
  ["core.sshCommand", "false"],
  ["core.gitProxy", ""],
  ["core.alternateRefsCommand", "true"],
  ["core.quotePath", "false"],
  ["credential.helper", ""],
  ["diff.external", ""],
  ["diff.ignoreSubmodules", "dirty"],
  ["commit.gpgSign", "false"],
  ["tag.gpgSign", "false"],
  ["merge.verifySignatures", "false"],
  ["merge.autoStash", "false"],
  ["log.showSignature", "false"],
  ["submodule.recurse", "false"],
  ["fetch.recurseSubmodules", "false"],
  ["protocol.allow", "never"],
  // The garbage collection of a repository stays with its owner.
  ["gc.auto", "0"],
  ["maintenance.auto", "false"],
  ["color.ui", "false"],
];

/** Settings that describe the file system or line endings, and start nothing. */
const HARMLESS =
  "^core\\.(filemode|symlinks|ignorecase|precomposeunicode|autocrlf|eol|checkstat|trustctime|longpaths|sharedrepository)$";

export const READ_HARMLESS = ["config", "--includes", "-z", "--get-regexp", HARMLESS];
/** A global list of ignored files is common on macOS (`.DS_Store`). */
export const READ_EXCLUDES = [
  "config",
  "--includes",
  "-z",
  "--type=path",
  "--get",
  "core.excludesfile",
];

/** The last value of a key wins, as in git. Exit code 1: no such key. */
export function settingsOf({ code, stdout }: GitEnd): Setting[] {
  if (code !== 0) return [];
  return fieldsOfZ(stdout).map((field): Setting => {
    const at = field.indexOf("\n");
    // A key without "=" is a boolean that is true.
    return at < 0 ? [field, "true"] : [field.slice(0, at), field.slice(at + 1)];
  });
}

export const READ_DRIVERS = [
  "config",
  "--includes",
  "-z",
  "--name-only",
  "--get-regexp",
  "^(filter|hook)\\..",
];

/** Filters have names of their own, so each must be switched off by its name. */
export function withoutDrivers({ code, stdout }: GitEnd): Setting[] {
  if (code !== 0) return [];
  const drivers = new Set(
    fieldsOfZ(stdout).map((key) =>
      Buffer.from(key.slice(0, key.lastIndexOf(".")), "latin1").toString(),
    ),
  );
  return [...drivers].flatMap((driver): Setting[] =>
    driver.startsWith("hook.")
      ? [
          [`${driver}.command`, ""],
          [`${driver}.enabled`, "false"],
        ]
      : [
          [`${driver}.clean`, ""],
          [`${driver}.smudge`, ""],
          [`${driver}.process`, ""],
          [`${driver}.required`, "false"],
        ],
  );
}
