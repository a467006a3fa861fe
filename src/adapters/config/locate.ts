import { chmodSync, existsSync, lstatSync, mkdirSync, realpathSync, statSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";

/**
 * Where things are. The stdio shim loads this file on every start, so it imports nothing but
 * Node. The shim and the daemon must come to the same answers: nothing here may depend on
 * whether a directory was made before or after the question.
 */
export const CONFIG_FILE_NAME = "kuromajutsu.config.yaml";

/** Name of the data directory where no project has a configuration file. */
const DEFAULT_DATA = "default";

export type Env = Readonly<Record<string, string | undefined>>;

export type FoundConfig = {
  readonly path: string;
  /**
   * `--config` or KUROMAJUTSU_CONFIG named it: it must exist, and all of it is used. A file that was
   * found by searching may have come with a clone, so what it may do is decided by `config-trust.ts`.
   */
  readonly explicit: boolean;
};

export type Machine = {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly tmp: string;
  readonly uid: number;
  exists(path: string): boolean;
  /** Throws when the path does not exist. */
  realpath(path: string): string;
  /** Is it a directory that belongs to this user? */
  ownsDirectory(path: string): boolean;
};

export function thisMachine(): Machine {
  const uid = currentUid();
  return {
    platform: process.platform,
    home: homedir(),
    tmp: tmpdir(),
    uid,
    exists: existsSync,
    realpath: (path) => realpathSync(path),
    ownsDirectory(path) {
      const found = statSync(path, { throwIfNoEntry: false });
      return found !== undefined && found.isDirectory() && found.uid === uid;
    },
  };
}

export function findConfigFile(
  cwd: string,
  env: Env,
  machine: Machine = thisMachine(),
): FoundConfig | undefined {
  const named = env["KUROMAJUTSU_CONFIG"];
  if (named) return { path: resolve(cwd, named), explicit: true };

  const path = foldersToSearch(resolve(cwd), machine)
    .map((folder) => join(folder, CONFIG_FILE_NAME))
    .find((candidate) => machine.exists(candidate));
  if (path === undefined) return undefined;
  // A link counts as the file it leads to: trust, data directory and relative paths are that file's.
  const real = realpathOfWhatExists(path, machine);
  return isOwnFile(real, env, machine) ? undefined : { path: real, explicit: false };
}

/**
 * The file that the daemon writes where no project has one. It came with no clone, so it is not
 * found by searching: it is used without trust. Only in the default place: a directory that
 * KUROMAJUTSU_DATA_DIR names may be a clone.
 */
function isOwnFile(path: string, env: Env, machine: Machine): boolean {
  const folder = realpathOfWhatExists(join(stateDir(env, machine), DEFAULT_DATA), machine);
  return path === join(folder, CONFIG_FILE_NAME);
}

/**
 * From the working directory up to the root of its repository, or else up to the home directory.
 * Outside of both only the working directory: the folders above it belong to other projects or users.
 */
function foldersToSearch(
  cwd: string,
  machine: Pick<Machine, "exists" | "realpath" | "home">,
): readonly string[] {
  const home = realpathOfWhatExists(machine.home, machine);
  const folders: string[] = [];
  for (let folder = cwd; ; folder = dirname(folder)) {
    folders.push(folder);
    if (folder === home || machine.exists(join(folder, ".git"))) return folders;
    if (folder === dirname(folder)) return [cwd];
  }
}

export function dataDirFor(
  configPath: string | undefined,
  env: Env,
  machine: Machine = thisMachine(),
): string {
  const named = env["KUROMAJUTSU_DATA_DIR"];
  if (named) return realpathOfWhatExists(resolve(named), machine);

  const home = stateDir(env, machine);
  if (configPath === undefined) return join(home, DEFAULT_DATA);
  const real = realpathOfWhatExists(resolve(configPath), machine);
  return join(home, `${folderName(real)}-${fingerprint(real).slice(0, 8)}`);
}

/** Of this user, for all projects together. */
export function stateDir(env: Env, machine: Machine = thisMachine()): string {
  return join(stateHome(env, machine), "kuromajutsu");
}

/** A socket path over some 100 bytes cannot be bound, hence the short name in a short place. */
const MAX_SOCKET_PATH_BYTES = 99;

export function socketPathFor(dataDir: string, env: Env, machine: Machine = thisMachine()): string {
  const name = `${fingerprint(realpathOfWhatExists(resolve(dataDir), machine)).slice(0, 12)}.sock`;
  const own = `kuromajutsu-${machine.uid}`;
  const runtime = env["XDG_RUNTIME_DIR"];
  const candidates = [
    // After `su` the variable may still name another user's directory.
    ...(runtime && isAbsolute(runtime) && machine.ownsDirectory(runtime)
      ? [join(runtime, "kuromajutsu", name)]
      : []),
    join(machine.tmp, own, name),
  ];
  const short = candidates.find((path) => Buffer.byteLength(path) <= MAX_SOCKET_PATH_BYTES);
  return short ?? join("/tmp", own, name);
}

/**
 * Makes a directory only this user can enter. In a shared place (/tmp) somebody else may have
 * put a directory or a link of that name there first: that is refused, never used.
 */
export function ensurePrivateDir(path: string): void {
  // A trailing slash would make lstat follow a link.
  const dir = resolve(path);
  if (lstatSync(dir, { throwIfNoEntry: false }) === undefined) {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
  }
  const found = lstatSync(dir);
  if (found.isSymbolicLink()) {
    throw new Error(`${dir} is a symbolic link; it must be a directory of your own. Remove it.`);
  }
  if (!found.isDirectory()) {
    throw new Error(`${dir} exists and is not a directory. Remove it or choose another place.`);
  }
  const uid = currentUid();
  if (found.uid !== uid) {
    throw new Error(
      `${dir} belongs to another user (uid ${found.uid}, you are ${uid}); it is not safe to use.`,
    );
  }
  if ((found.mode & 0o1000) !== 0) {
    throw new Error(`${dir} is a directory shared by all users; choose one inside it.`);
  }
  if ((found.mode & 0o777) !== 0o700) chmodSync(dir, 0o700);
}

function stateHome(env: Env, machine: Machine): string {
  if (machine.platform === "darwin") return join(machine.home, "Library", "Application Support");
  const state = env["XDG_STATE_HOME"];
  // The XDG specification: a relative path is to be ignored.
  return state && isAbsolute(state) ? state : join(machine.home, ".local", "state");
}

function folderName(configPath: string): string {
  const name = basename(dirname(configPath))
    .normalize("NFC")
    .replaceAll(/[^\p{L}\p{M}\p{N}_-]+/gu, "-")
    .replaceAll(/^-+|-+$/g, "");
  return Array.from(name).slice(0, 40).join("") || "project";
}

/** The same before and after the last parts are created, whatever links lead there. */
function realpathOfWhatExists(path: string, machine: Pick<Machine, "realpath">): string {
  try {
    return machine.realpath(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realpathOfWhatExists(parent, machine), basename(path));
  }
}

/**
 * 64 bits of FNV-1a, to tell folders apart: nobody gains by a clash of their own folders. The shim
 * would pay more for loading node:crypto than for all the rest of this file.
 */
function fingerprint(text: string): string {
  let high = 0xcbf29ce4;
  let low = 0x84222325;
  for (const byte of Buffer.from(text)) {
    low ^= byte;
    // Times the prime 2^40 + 0x1b3, in two halves.
    const product = (low >>> 0) * 0x1b3;
    high = Math.imul(high, 0x1b3) + Math.floor(product / 2 ** 32) + ((low << 8) >>> 0);
    low = product >>> 0;
  }
  return [high, low].map((half) => (half >>> 0).toString(16).padStart(8, "0")).join("");
}

function currentUid(): number {
  // Native Windows has no uid and is refused at the start of the program.
  return process.getuid?.() ?? 0;
}
