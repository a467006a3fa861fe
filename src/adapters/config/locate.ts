import { chmodSync, existsSync, lstatSync, mkdirSync, realpathSync, statSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";

/**
 * Locations of the configuration, the data directory and the socket. The stdio shim loads this file
 * on every start, so it imports nothing but Node modules. The shim and the daemon must get the same
 * answers, so no answer may depend on whether a directory exists yet.
 */
export const CONFIG_FILE_NAME = "kuromajutsu.config.yaml";

/** The data directory for projects without a configuration file. */
const DEFAULT_DATA = "default";

export type Env = Readonly<Record<string, string | undefined>>;

export type FoundConfig = {
  readonly path: string;
  /**
   * Named by `--config` or KUROMAJUTSU_CONFIG: the file must exist, and all of it is used. A file
   * that was found by searching may have come with a clone, so `config-trust.ts` decides what it
   * may do.
   */
  readonly explicit: boolean;
};

export type Machine = {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly tmp: string;
  readonly uid: number;
  exists(path: string): boolean;
  /** Throws if the path does not exist. */
  realpath(path: string): string;
  /** Whether it is a directory of this user. */
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
  // A link counts as the file it points to: trust, data directory and relative paths are those of
  // that file.
  const real = realpathOfWhatExists(path, machine);
  return isOwnFile(real, env, machine) ? undefined : { path: real, explicit: false };
}

/**
 * The file that the daemon creates if there is no project file. It cannot come with a clone, so it
 * is used without trust. This holds only in the default place: a directory that
 * KUROMAJUTSU_DATA_DIR names may be a clone.
 */
function isOwnFile(path: string, env: Env, machine: Machine): boolean {
  const folder = realpathOfWhatExists(join(stateDir(env, machine), DEFAULT_DATA), machine);
  return path === join(folder, CONFIG_FILE_NAME);
}

/**
 * From the working directory up to the root of its repository, or else up to the home directory.
 * Outside both only the working directory: the folders above may belong to other projects or users.
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

/** This user's directory for the state of all projects. */
export function stateDir(env: Env, machine: Machine = thisMachine()): string {
  return join(stateHome(env, machine), "kuromajutsu");
}

/**
 * Where this user keeps files for all projects, such as templates. The same place on every system,
 * because people write these files by hand.
 */
export function userConfigDir(env: Env, machine: Pick<Machine, "home"> = thisMachine()): string {
  const named = env["XDG_CONFIG_HOME"];
  const base = named && isAbsolute(named) ? named : join(machine.home, ".config");
  return join(base, "kuromajutsu");
}

/** A socket path of more than about 100 bytes cannot be bound, so the names are short. */
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
 * Creates a directory that only this user can enter. In a shared place (/tmp) another user may have
 * created a directory or a link with that name: it is refused, never used.
 */
export function ensurePrivateDir(path: string): void {
  // With a trailing slash lstat would follow a link.
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
  // The XDG specification says that a relative path must be ignored.
  return state && isAbsolute(state) ? state : join(machine.home, ".local", "state");
}

function folderName(configPath: string): string {
  const name = basename(dirname(configPath))
    .normalize("NFC")
    .replaceAll(/[^\p{L}\p{M}\p{N}_-]+/gu, "-")
    .replaceAll(/^-+|-+$/g, "");
  return Array.from(name).slice(0, 40).join("") || "project";
}

/**
 * Resolves links in the part of the path that exists, so the answer stays the same after the rest
 * is created.
 */
function realpathOfWhatExists(path: string, machine: Pick<Machine, "realpath">): string {
  try {
    return machine.realpath(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realpathOfWhatExists(parent, machine), basename(path));
  }
}

/**
 * 64 bits of FNV-1a. They only have to distinguish a user's own folders, so a cryptographic hash is
 * not needed, and loading node:crypto would cost the shim more time than the rest of this file.
 */
function fingerprint(text: string): string {
  let high = 0xcbf29ce4;
  let low = 0x84222325;
  for (const byte of Buffer.from(text)) {
    low ^= byte;
    // Multiplies by the prime 2^40 + 0x1b3, in two halves.
    const product = (low >>> 0) * 0x1b3;
    high = Math.imul(high, 0x1b3) + Math.floor(product / 2 ** 32) + ((low << 8) >>> 0);
    low = product >>> 0;
  }
  return [high, low].map((half) => (half >>> 0).toString(16).padStart(8, "0")).join("");
}

function currentUid(): number {
  // Native Windows has no uid; the program refuses to start there.
  return process.getuid?.() ?? 0;
}
