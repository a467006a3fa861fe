import { createHash, randomBytes } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isCode } from "../../base/error-code.ts";
import { lineOf } from "./fields.ts";
import { repositoryGone } from "./refusals.ts";
import type { RunGit } from "./run-git.ts";

const STALE_MS = 60 * 60 * 1_000;
/** git renews the time of an object that it would write again, so old objects are in no new preview. */
const OLD_PREVIEW_MS = 24 * STALE_MS;

/**
 * A git directory of our own for each repository, whose objects it borrows. Its configuration is
 * ours, it has no hooks and no attributes: a command that runs in it cannot be made to start a
 * program by the configuration of the repository, which agents can write. It also holds the objects
 * of previews and temporary index files.
 */
export type PrivateDirectories = {
  of(commonDirectory: string): Promise<string>;
  /** Makes a git directory of ours borrow the objects of the repository. */
  borrow(commonDirectory: string, directory: string): Promise<void>;
  /** A file name for a temporary index, in a folder that `dispose` removes. */
  temporary(commonDirectory: string): Promise<Temporary>;
};

export type Temporary = { readonly folder: string; dispose(): Promise<void> };

export function createPrivateDirectories(root: string, run: RunGit): PrivateDirectories {
  const made = new Map<string, Promise<string>>();
  const pruned = new Map<string, number>();
  /** Temporary folders of this process that are in use, however old they are. */
  const inUse = new Set<string>();

  async function prune(path: string): Promise<void> {
    if (Date.now() - (pruned.get(path) ?? 0) < STALE_MS) return;
    pruned.set(path, Date.now());
    await removeOlder(join(path, "tmp"), STALE_MS, inUse);
    for (const name of await readdir(join(path, "objects"))) {
      if (/^[0-9a-f]{2}$/.test(name))
        await removeOlder(join(path, "objects", name), OLD_PREVIEW_MS);
    }
  }

  async function make(commonDirectory: string): Promise<string> {
    const name = createHash("sha256").update(commonDirectory).digest("hex").slice(0, 32);
    const path = join(root, name);
    for (const part of ["objects/info", "refs", "info", "tmp"]) {
      await mkdir(join(path, part), { recursive: true, mode: 0o700 });
    }
    await borrow(commonDirectory, path);
    await linkExcludes(join(commonDirectory, "info/exclude"), join(path, "info/exclude"));
    return path;
  }

  async function borrow(commonDirectory: string, path: string): Promise<void> {
    const format = await objectFormat(commonDirectory, run);
    await writeWhole(join(path, "HEAD"), "ref: refs/heads/none\n");
    await writeWhole(
      join(path, "config"),
      `[core]\n\trepositoryformatversion = 1\n\tbare = false\n[extensions]\n\tobjectformat = ${format}\n`,
    );
    await writeWhole(
      join(path, "objects/info/alternates"),
      `${quoted(join(commonDirectory, "objects"))}\n`,
    );
  }

  async function of(commonDirectory: string): Promise<string> {
    // The data directory may be cleaned while the daemon runs.
    const known = made.get(commonDirectory);
    if (known && (await isThere(join(await known, "config")))) return known;
    const making = make(commonDirectory);
    made.set(commonDirectory, making);
    making.catch(() => made.delete(commonDirectory));
    return making;
  }

  return {
    of,
    borrow,
    async temporary(commonDirectory) {
      const path = await of(commonDirectory);
      await prune(path);
      const folder = join(path, "tmp", randomBytes(8).toString("hex"));
      inUse.add(folder);
      await mkdir(folder, { mode: 0o700 });
      return {
        folder,
        async dispose() {
          await rm(folder, { recursive: true, force: true });
          inUse.delete(folder);
        },
      };
    },
  };
}

async function objectFormat(commonDirectory: string, run: RunGit): Promise<string> {
  const config = join(commonDirectory, "config");
  if (!(await isThere(config))) throw repositoryGone(commonDirectory);
  const { code, stdout } = await run({
    args: ["config", "--no-includes", "-f", config, "--get", "extensions.objectformat"],
    cwd: "/",
    env: {},
  });
  return code === 0 && lineOf(stdout) === "sha256" ? "sha256" : "sha1";
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** A process that dies here leaves the old file or the new one. */
async function writeWhole(path: string, text: string): Promise<void> {
  if ((await readFile(path, "utf8").catch(() => undefined)) === text) return;
  const half = `${path}.${randomBytes(4).toString("hex")}`;
  await writeFile(half, text, { mode: 0o600 });
  await rename(half, path);
}

/** git reads a path that begins with a quote as a C string, which can hold every letter. */
function quoted(path: string): string {
  if (!/["\n\\]/.test(path)) return path;
  return `"${path.replaceAll(/["\\]/g, (each) => `\\${each}`).replaceAll("\n", "\\n")}"`;
}

/** The list of ignored files of the repository counts here too. It may be created later. */
async function linkExcludes(from: string, to: string): Promise<void> {
  try {
    await symlink(from, to);
  } catch (error) {
    if (!isCode(error, "EEXIST")) throw error;
  }
}

/** What a killed process has left, and previews that are not shown any more. */
async function removeOlder(
  folder: string,
  ms: number,
  except: ReadonlySet<string> = new Set(),
): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    if (except.has(path)) continue;
    const found = await stat(path).catch(() => undefined);
    if (found && Date.now() - found.mtimeMs > ms) await rm(path, { recursive: true, force: true });
  }
}
