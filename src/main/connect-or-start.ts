import { spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, statSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ensurePrivateDir } from "../adapters/config/locate.ts";
import type { Wanted } from "../doors/stdio/pipe.ts";

const RETRY_MS = 25;
const WAIT_MS = 100;
const START_WITHIN_MS = 20_000;
/** A starter that has not managed within this is taken for dead. */
const STARTER_STALE_MS = 5_000;

export type DaemonPlace = {
  readonly socketPath: string;
  /** A shim inside an agent never starts a daemon: it waits for its agent's. */
  readonly insideAgent: boolean;
  readonly configPath: string | undefined;
  readonly dataDir: string | undefined;
};

/** A socket to the running daemon; if there is none, does what is wanted now. */
export async function connectOrStart(
  place: DaemonPlace,
  wanted: () => Wanted,
): Promise<Socket | undefined> {
  for (let startingSince: number | undefined; ;) {
    const want = wanted();
    if (want === "nothing") return undefined;
    const socket = await tryConnect(place.socketPath);
    if (socket) return socket;
    if (place.insideAgent || want === "wait") {
      await sleep(WAIT_MS);
      continue;
    }
    startingSince ??= Date.now();
    if (Date.now() - startingSince > START_WITHIN_MS) throw new Error(noDaemon(place));
    if (place.dataDir !== undefined) startOnce(place.socketPath, place.dataDir, place.configPath);
    await sleep(RETRY_MS);
  }
}

export function tryConnect(socketPath: string): Promise<Socket | undefined> {
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

/** Many may come here at once; the first to make the marker starts the daemon, the others wait. */
function startOnce(socketPath: string, dataDir: string, configPath: string | undefined): void {
  ensurePrivateDir(dirname(socketPath));
  const marker = `${socketPath}.starting`;
  try {
    const age = Date.now() - statSync(marker).mtimeMs;
    if (age < STARTER_STALE_MS) return;
    rmSync(marker, { force: true });
  } catch {
    // No marker: nobody is starting one.
  }
  try {
    closeSync(openSync(marker, "wx", 0o600));
  } catch {
    return;
  }
  spawnDaemon(dataDir, configPath);
}

/** In its own session, with nothing of an agent in its environment; it ends by itself when idle. */
function spawnDaemon(dataDir: string, configPath: string | undefined): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const log = openSync(join(dataDir, "daemon.log"), "a", 0o600);
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith("KUROMAJUTSU_AGENT_")),
  );
  const child = spawn(process.execPath, [...daemonCommand(), "serve", "--background"], {
    detached: true,
    stdio: ["ignore", log, log],
    cwd: configPath === undefined ? dataDir : dirname(configPath),
    env: {
      ...env,
      KUROMAJUTSU_DATA_DIR: dataDir,
      ...(configPath === undefined ? {} : { KUROMAJUTSU_CONFIG: configPath }),
    },
  });
  child.on("error", () => {});
  child.unref();
  closeSync(log);
}

/** How this very program is started: the bundled bin, or the sources in development. */
function daemonCommand(): string[] {
  const [, script = ""] = process.argv;
  return [...process.execArgv, script];
}

function noDaemon({ socketPath, dataDir }: DaemonPlace): string {
  const said = `No Kuromajutsu daemon answers at ${socketPath} and none could be started.`;
  if (dataDir === undefined) return said;
  const log = join(dataDir, "daemon.log");
  return `${said}\nThe end of its log (${log}):\n${lastLines(log, 12)}`;
}

function lastLines(path: string, count: number): string {
  try {
    return readFileSync(path, "utf8").trimEnd().split("\n").slice(-count).join("\n");
  } catch {
    return "(there is none)";
  }
}
