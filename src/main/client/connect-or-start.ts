import type { ChildProcess } from "node:child_process";
import { closeSync, lstatSync, mkdirSync, openSync, readFileSync, rmSync, statSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ensurePrivateDir, type FoundConfig } from "../../adapters/config/locate.ts";
import { VENDOR_VARIABLES } from "../../contract/hello.ts";
import type { Wanted } from "../../doors/stdio/pipe.ts";

const RETRY_MS = 2;
const WAIT_MS = 100;
const START_WITHIN_MS = 20_000;
/** A marker that is older was left by a process that died while it started a daemon. */
const MARKER_STALE_MS = 5_000;

/** Exit code of a daemon that found another one running. */
export const ALREADY_RUNNING = 75;

/** A file that exists while a daemon is being started; the daemon deletes it once it listens. */
export const startMarker = (socketPath: string): string => `${socketPath}.starting`;

export type DaemonPlace = {
  readonly socketPath: string;
  /** A shim inside an agent never starts a daemon: it waits for the daemon of the agent. */
  readonly insideAgent: boolean;
  readonly config: FoundConfig | undefined;
  readonly dataDir: string | undefined;
};

/** Connects to the running daemon. If there is none, starts one, waits or gives up, as wanted. */
export async function connectOrStart(
  place: DaemonPlace,
  wanted: () => Wanted,
  onStarting: () => void = () => {},
): Promise<Socket | undefined> {
  let startingSince: number | undefined;
  let hasFailed = false;
  for (;;) {
    const want = wanted();
    if (want === "nothing") return undefined;
    const socket =
      (await tryConnect(place.socketPath)) ?? (await tryConnect(recordedSocket(place)));
    if (socket) return socket;
    if (place.insideAgent || want === "wait") {
      await sleep(WAIT_MS);
      continue;
    }
    startingSince ??= Date.now();
    if (hasFailed || Date.now() - startingSince > START_WITHIN_MS) throw new Error(noDaemon(place));
    await startOnce(place, () => (hasFailed = true));
    if (place.dataDir !== undefined) onStarting();
    await sleep(RETRY_MS);
  }
}

export async function connectToRunning(
  place: Pick<DaemonPlace, "socketPath" | "dataDir">,
): Promise<Socket | undefined> {
  return (await tryConnect(place.socketPath)) ?? (await tryConnect(recordedSocket(place)));
}

/**
 * The socket that the running daemon has written down: a client started from a desktop and a daemon
 * started from a terminal may have different runtime directories.
 */
function recordedSocket({
  dataDir,
  socketPath,
}: Pick<DaemonPlace, "socketPath" | "dataDir">): string | undefined {
  if (dataDir === undefined) return undefined;
  try {
    const { socketPath: recorded } = JSON.parse(readFileSync(join(dataDir, "daemon.json"), "utf8"));
    return typeof recorded === "string" && recorded !== socketPath ? recorded : undefined;
  } catch {
    return undefined;
  }
}

async function tryConnect(socketPath: string | undefined): Promise<Socket | undefined> {
  if (socketPath === undefined) return undefined;
  if (socketPath !== process.env["KUROMAJUTSU_SOCKET"]) requireOwnFolder(socketPath);
  return new Promise((resolve) => {
    const socket = connect(socketPath);
    socket.once("connect", () => {
      socket.removeAllListeners("error");
      resolve(socket);
    });
    socket.once("error", () => {
      socket.destroy();
      resolve(undefined);
    });
  });
}

/**
 * The first message to a daemon contains the keys and the token of the client. The folder may be in
 * the shared temporary directory, where another user could have created it and be listening.
 */
function requireOwnFolder(socketPath: string): void {
  const folder = dirname(socketPath);
  if (lstatSync(folder, { throwIfNoEntry: false })) ensurePrivateDir(folder);
}

/** Safe to call concurrently: the process that creates the marker starts the daemon, the others wait. */
async function startOnce(place: DaemonPlace, failed: () => void): Promise<void> {
  const { socketPath, dataDir } = place;
  if (dataDir === undefined) return;
  ensurePrivateDir(dirname(socketPath));
  const marker = startMarker(socketPath);
  // Absolute, because the clock may have been set back since.
  const age = Math.abs(Date.now() - (statSync(marker, { throwIfNoEntry: false })?.mtimeMs ?? 0));
  if (age < MARKER_STALE_MS) return;
  rmSync(marker, { force: true });
  try {
    closeSync(openSync(marker, "wx", 0o600));
  } catch {
    return;
  }
  // A daemon may have started between our last attempt to connect and the marker.
  const running = await connectToRunning(place);
  if (running) {
    running.destroy();
    return rmSync(marker, { force: true });
  }
  function ended(code: number | null): void {
    rmSync(marker, { force: true });
    if (code !== ALREADY_RUNNING) failed();
  }
  try {
    const child = spawnDaemon(dataDir, place.config);
    child.once("exit", ended);
    child.once("error", () => ended(null));
  } catch (error) {
    rmSync(marker, { force: true });
    throw error;
  }
}

/** Starts a daemon in a session of its own; it ends by itself when it is idle. */
function spawnDaemon(dataDir: string, config: FoundConfig | undefined): ChildProcess {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const log = openSync(join(dataDir, "daemon.log"), "a", 0o600);
  // Agent variables, vendor keys and a person's token belong to this client, not to the daemon.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !belongsToClient(name)),
  );
  // Loaded here because most shims find a running daemon and never need it.
  const { spawn } = process.getBuiltinModule("node:child_process");
  const args = [...daemonCommand(), "serve", "--background", ...configArgs(config)];
  const child = spawn(process.execPath, args, {
    detached: true,
    stdio: ["ignore", log, log],
    cwd: config === undefined ? dataDir : dirname(config.path),
    env: {
      ...env,
      KUROMAJUTSU_DATA_DIR: dataDir,
      ...(config?.explicit && { KUROMAJUTSU_CONFIG: config.path }),
    },
  });
  child.on("error", () => {});
  child.unref();
  closeSync(log);
  return child;
}

/** The daemon uses the file that this client has found, or none, and does not search again. */
function configArgs(config: FoundConfig | undefined): readonly string[] {
  if (config === undefined) return ["--no-found-config"];
  return config.explicit ? [] : ["--found-config", config.path];
}

function belongsToClient(name: string): boolean {
  return (
    name.startsWith("KUROMAJUTSU_AGENT_") ||
    name === "KUROMAJUTSU_TOKEN" ||
    VENDOR_VARIABLES.includes(name)
  );
}

/** The command line of this program: the bundled bin, or the sources in development. */
function daemonCommand(): string[] {
  const [, script = ""] = process.argv;
  // Large enough (MB) for what a start allocates, so that no garbage collection delays the client.
  return ["--min-semi-space-size=16", ...process.execArgv, script];
}

function noDaemon({ socketPath, dataDir }: DaemonPlace): string {
  const problem = `No Kuromajutsu daemon answers at ${socketPath} and none could be started.`;
  if (dataDir === undefined) return problem;
  const log = join(dataDir, "daemon.log");
  return `${problem}\nThe end of its log (${log}):\n${lastLines(log, 12)}`;
}

function lastLines(path: string, count: number): string {
  try {
    return readFileSync(path, "utf8").trimEnd().split("\n").slice(-count).join("\n");
  } catch {
    return "(there is none)";
  }
}
