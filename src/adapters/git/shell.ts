import { join } from "node:path";
import type { Variables } from "../../base/allowed-environment.ts";
import { GUARDS, READ_EXCLUDES, READ_HARMLESS, settingsOf, type Setting } from "./guards.ts";
import type { PrivateDirectories } from "./private-directory.ts";
import type { GitEnd, RunGit } from "./run-git.ts";

export type ShellOptions = {
  readonly workTree?: string;
  readonly index?: string;
  readonly input?: string | Buffer;
  readonly env?: Variables;
  readonly config?: readonly Setting[];
  readonly timeoutMs?: number;
  readonly maxBytes?: number;
  /** It changes only what is ours, so the next daemon may kill it if this one dies. */
  readonly mayBeKilled?: boolean;
};

/** The three ways in which we run git. */
export type GitShell = {
  /** In the git directory of the repository or of a worktree: only for refs, entries and settings. */
  inRepository(
    gitDirectory: string,
    args: readonly string[],
    options?: ShellOptions,
  ): Promise<GitEnd>;
  /** In our private git directory; new objects stay outside the repository. */
  outside(
    commonDirectory: string,
    args: readonly string[],
    options?: ShellOptions,
  ): Promise<GitEnd>;
  /** In our private git directory; new objects go into the repository. */
  storing(
    commonDirectory: string,
    args: readonly string[],
    options?: ShellOptions,
  ): Promise<GitEnd>;
  /** Finds the repository of a directory as the user's own git does: with `safe.directory`. */
  discover(directory: string, args: readonly string[], env?: Variables): Promise<GitEnd>;
  /** How the user wants line endings and modes; for commands with a work tree. */
  fileSettings(commonDirectory: string): Promise<readonly Setting[]>;
};

/** The user's own configuration; only for commands that read and start nothing. */
const AS_THE_USER: Variables = { GIT_CONFIG_NOSYSTEM: undefined, GIT_CONFIG_GLOBAL: undefined };

export function createShell(run: RunGit, directories: PrivateDirectories): GitShell {
  async function inPrivate(
    commonDirectory: string,
    args: readonly string[],
    { workTree, index, env, config = [], ...rest }: ShellOptions,
    more: Variables,
  ): Promise<GitEnd> {
    const directory = await directories.of(commonDirectory);
    // Without a work tree no .gitattributes is read, so that its drivers have no meaning.
    const isBare: Setting[] = workTree === undefined ? [["core.bare", "true"]] : [];
    return run({
      args,
      cwd: workTree ?? directory,
      env: {
        GIT_DIR: directory,
        GIT_WORK_TREE: workTree,
        GIT_INDEX_FILE: index,
        GIT_SHALLOW_FILE: join(commonDirectory, "shallow"),
        ...more,
        ...env,
      },
      config: [...config, ...GUARDS, ...isBare],
      mayBeKilled: true,
      ...rest,
    });
  }

  return {
    inRepository: (gitDirectory, args, { workTree, index, env, config = [], ...rest } = {}) =>
      run({
        args,
        cwd: workTree ?? gitDirectory,
        env: {
          GIT_DIR: gitDirectory,
          GIT_WORK_TREE: workTree,
          GIT_INDEX_FILE: index,
          ...IDENTITY,
          ...env,
        },
        config: [...config, ...GUARDS],
        ...rest,
      }),
    outside: (commonDirectory, args, options = {}) => inPrivate(commonDirectory, args, options, {}),
    // Without the objects of previews: git would not write what they already have.
    storing: (commonDirectory, args, options = {}) =>
      inPrivate(commonDirectory, args, options, {
        GIT_OBJECT_DIRECTORY: join(commonDirectory, "objects"),
      }),
    discover: (directory, args, env = {}) =>
      run({ args, cwd: directory, env: { ...AS_THE_USER, ...env }, config: GUARDS }),
    async fileSettings(commonDirectory) {
      const env = { ...AS_THE_USER, GIT_DIR: commonDirectory };
      const [harmless, excludes] = await Promise.all([
        run({ args: READ_HARMLESS, cwd: commonDirectory, env }),
        run({ args: READ_EXCLUDES, cwd: commonDirectory, env }),
      ]);
      const path = excludes.stdout.toString("utf8").split("\0")[0];
      const ignored: Setting[] = excludes.code === 0 && path ? [["core.excludesFile", path]] : [];
      return [...settingsOf(harmless), ...ignored];
    },
  };
}

/** Reflogs need a name. */
const IDENTITY: Variables = identity("COMMITTER", {
  name: "Kuromajutsu",
  email: "kuromajutsu@kuromajutsu.invalid",
});

export type Person = { readonly name: string; readonly email: string };

function identity(role: "AUTHOR" | "COMMITTER", { name, email }: Person): Variables {
  return { [`GIT_${role}_NAME`]: name, [`GIT_${role}_EMAIL`]: email };
}

export const KUROMAJUTSU: Person = {
  name: "Kuromajutsu",
  email: "kuromajutsu@kuromajutsu.invalid",
};

/** The committer is always Kuromajutsu. */
export function signedBy(author: Person, at: number): Variables {
  const date = `@${Math.floor(at / 1_000)} +0000`;
  return {
    ...identity("AUTHOR", author),
    ...IDENTITY,
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_DATE: date,
  };
}
