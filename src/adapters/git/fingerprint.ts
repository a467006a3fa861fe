import { createHash, type Hash } from "node:crypto";
import { lstat, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fieldsOfZ } from "./fields.ts";
import type { GitShell } from "./shell.ts";

/** Written by everyday commands (`git push -u`, `git branch`), and unable to start anything. */
const EVERYDAY = /^branch\..*\.(remote|merge|pushremote|rebase|description|vscode-merge-base)$/s;

/** Included files count by their settings; hooks, attributes and ignore rules by their bytes. */
export async function fingerprint(shell: GitShell, commonDirectory: string): Promise<string> {
  const hash = createHash("sha256");
  const list = ["config", "--local", "--includes", "-z", "--list"];
  const { code, stdout } = await shell.inRepository(commonDirectory, list);
  if (code === 0) {
    for (const setting of fieldsOfZ(stdout)) {
      if (!EVERYDAY.test(setting.split("\n", 1)[0] ?? "")) put(hash, "setting", setting);
    }
  } else {
    await addFile(hash, join(commonDirectory, "config"), "config");
  }
  for (const name of ["hooks", "info"]) await addTree(hash, join(commonDirectory, name), name);
  for (const content of await worktreeSettings(commonDirectory)) put(hash, "worktree", content);
  return hash.digest("hex");
}

/**
 * Each content once: git copies the file into every worktree that is made (sparse checkout), and that
 * must not alarm the agents beside it.
 */
async function worktreeSettings(commonDirectory: string): Promise<readonly string[]> {
  const folder = join(commonDirectory, "worktrees");
  const entries = await readdir(folder).catch(() => new Array<string>());
  const places = [commonDirectory, ...entries.map((entry) => join(folder, entry))];
  const contents = new Set<string>();
  for (const place of places) {
    const content = await readFile(join(place, "config.worktree"), "latin1").catch(() => "");
    if (content !== "") contents.add(content);
  }
  return [...contents].toSorted();
}

function put(hash: Hash, ...parts: readonly (string | Buffer)[]): void {
  for (const part of parts) {
    const bytes = typeof part === "string" ? Buffer.from(part) : part;
    hash.update(`${bytes.length}:`).update(bytes);
  }
}

async function addTree(hash: Hash, path: string, name: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (!found) return;
  if (!found.isDirectory()) return addFile(hash, path, `${name} ${found.mode}`);
  for (const child of (await readdir(path)).toSorted()) {
    // `git` rewrites the lists of refs for dumb transports.
    if (name === "info" && child === "refs") continue;
    await addTree(hash, join(path, child), join(name, child));
  }
}

async function addFile(hash: Hash, path: string, name: string): Promise<void> {
  put(hash, name, await readFile(path).catch(() => ""));
}
