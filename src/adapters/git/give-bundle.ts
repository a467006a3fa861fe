import { open, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Oid, OutgoingBundle } from "../../app/ports/git.ts";
import { BASE_REF, makeBorrowing } from "./borrowing.ts";
import { readBundleHeader } from "./bundle-header.ts";
import { requireOid } from "./fields.ts";
import type { PrivateDirectories } from "./private-directory.ts";
import { baseTooLarge } from "./refusals.ts";
import { outputOf } from "./run-git.ts";
import type { GitShell, ShellOptions } from "./shell.ts";
import { MAX_BUNDLE_BYTES } from "./take-bundle.ts";

const BUNDLE_TIMEOUT_MS = 5 * 60_000;

export type GiveBundle = { readonly commit: Oid; readonly has: readonly Oid[] };

/** Reads the repository only: the bundle is made in a repository of our own, and deleted with it. */
export async function giveBundle(
  shell: GitShell,
  directories: PrivateDirectories,
  commonDirectory: string,
  { commit, has }: GiveBundle,
  give: (bundle: OutgoingBundle) => Promise<void>,
): Promise<boolean> {
  requireOid(commit, ...has);
  const temporary = await directories.temporary(commonDirectory);
  try {
    const { folder } = temporary;
    const directory = await makeBorrowing(folder, directories, commonDirectory, commit);
    const run = async (args: readonly string[], options: ShellOptions = {}): Promise<Buffer> => {
      const timeoutMs = BUNDLE_TIMEOUT_MS;
      const env = { GIT_DIR: directory };
      return outputOf(
        { args },
        await shell.outside(commonDirectory, args, { env, timeoutMs, ...options }),
      );
    };
    const input = has.map((oid) => `${oid}\n`).join("");
    const found = await run(["cat-file", "--batch-check=%(objecttype) %(objectname)"], { input });
    const known = [...found.toString("latin1").matchAll(/^commit ([0-9a-f]+)$/gm)];
    if (known.length === 0) return false;
    const file = join(folder, "outgoing.bundle");
    const without = known.map(([, oid]) => `^${oid}`);
    await run(["bundle", "create", "--quiet", file, BASE_REF, ...without]);
    const header = await readBundleHeader(file);
    // Nothing in the history is known to the receiver, so the bundle has all of it.
    if (header?.prerequisites.length === 0) return false;
    await giveFile(file, give);
    return true;
  } finally {
    await temporary.dispose();
  }
}

async function giveFile(
  file: string,
  give: (bundle: OutgoingBundle) => Promise<void>,
): Promise<void> {
  const { size: bytes } = await stat(file);
  if (bytes > MAX_BUNDLE_BYTES) throw baseTooLarge(bytes, MAX_BUNDLE_BYTES);
  const handle = await open(file, "r");
  try {
    await give({
      bytes,
      async read(offset, maxBytes) {
        const piece = Buffer.alloc(maxBytes);
        const { bytesRead } = await handle.read(piece, 0, maxBytes, offset);
        return piece.subarray(0, bytesRead);
      },
    });
  } finally {
    await handle.close();
  }
}
