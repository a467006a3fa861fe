import { lstatSync, realpathSync } from "node:fs";
import { enableCompileCache, getCompileCacheDir } from "node:module";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { ensurePrivateDir, type Env } from "../../adapters/config/locate.ts";
import { othersMayWrite } from "../../adapters/others-may-write.ts";

const STICKY = 0o1000;

/**
 * Node runs the bytecode it finds in this cache without comparing it with the source. By default
 * the cache is in the temporary directory, where any user of the machine can create it first, so we
 * use a private directory. Without a safe directory the program starts without a cache.
 */
export function usePrivateCompileCache(env: Env = process.env): void {
  const directory = compileCacheDir(env);
  if (directory !== undefined) enableCompileCache(directory);
}

/** Lets a program of our own use the cache of this process, if it has one. */
export function sharedCompileCache(): Record<string, string> {
  // Node keeps a folder for each of its versions in the directory it is given.
  const ofThisNode = getCompileCacheDir();
  return ofThisNode === undefined ? {} : { NODE_COMPILE_CACHE: dirname(ofThisNode) };
}

export function compileCacheDir(env: Env, home: string = homedir()): string | undefined {
  try {
    const directory = join(cacheHome(env, home), "kuromajutsu");
    ensurePrivateDir(directory);
    return canBeReplaced(realpathSync(directory)) ? undefined : directory;
  } catch {
    return undefined;
  }
}

function cacheHome(env: Env, home: string): string {
  if (process.platform === "darwin") return join(home, "Library", "Caches");
  const cache = env["XDG_CACHE_HOME"];
  // The XDG specification says to ignore a relative path.
  return cache && isAbsolute(cache) ? cache : join(home, ".cache");
}

/** The owner of a folder above, or a user who may write in it, could put another directory there. */
function canBeReplaced(directory: string): boolean {
  for (let folder = dirname(directory); ; folder = dirname(folder)) {
    const found = lstatSync(folder);
    if (found.uid !== 0 && found.uid !== process.getuid?.()) return true;
    // In a sticky directory only the owner of an entry can replace it.
    if ((found.mode & STICKY) === 0 && othersMayWrite(found)) return true;
    if (folder === dirname(folder)) return false;
  }
}
