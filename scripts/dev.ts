// `npm run dev`: the daemon and the dashboard from source. The daemon is restarted whenever a source file
// or the configuration changes, and agents continue meanwhile; the dashboard is updated in the open page.
// Settings come from the environment (docs/configuration.md); KUROMAJUTSU_DEV_PORT is the port of the page.
import { spawn } from "node:child_process";
import {
  type FSWatcher,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  watch,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import {
  CONFIG_FILE_NAME,
  dataDirFor,
  ensurePrivateDir,
  findConfigFile,
  socketPathFor,
} from "../src/adapters/config/locate.ts";
import { startMarker } from "../src/main/client/connect-or-start.ts";
import type { DevWeb } from "./dev-web.ts";

const SOURCES = join(import.meta.dirname, "../src");
const MAIN = join(SOURCES, "main/main.ts");

/** Debounce: saving a file is several events, a checkout hundreds. */
const SETTLE_MS = 100;
const STOP_WITHIN_MS = 15_000;
/** Well below the age at which other processes consider the marker stale. */
const HOLD_EVERY_MS = 2_000;

type Program = { readonly ended: Promise<string>; isRunning(): boolean; stop(): Promise<void> };

function start(...args: readonly string[]): Program {
  const child = spawn(process.execPath, args, { stdio: ["ignore", "inherit", "inherit"] });
  const ended = new Promise<string>((resolve) => {
    child.once("exit", (code, signal) => resolve(signal ?? `exit code ${code}`));
  });
  return {
    ended,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    async stop() {
      child.kill("SIGTERM");
      const impatience = setTimeout(() => child.kill("SIGKILL"), STOP_WITHIN_MS);
      await ended;
      clearTimeout(impatience);
    },
  };
}

function watchFiles() {
  let next = Promise.withResolvers<string>();
  let settling: ReturnType<typeof setTimeout> | undefined;
  let watchers: FSWatcher[] = [];
  function note(file: string): void {
    clearTimeout(settling);
    settling = setTimeout(() => next.resolve(file), SETTLE_MS);
  }
  function watchFolder(folder: string, matters: (file: string) => boolean): void {
    const watcher = watch(folder, (_event, name) => {
      if (name !== null && matters(join(folder, name))) note(join(folder, name));
    });
    watchers.push(watcher.on("error", complain));
  }

  return {
    /** Resolves at the first change from now on; a daemon started now reads all older ones. */
    nextChange(): Promise<string> {
      clearTimeout(settling);
      for (const watcher of watchers) watcher.close();
      watchers = [];
      next = Promise.withResolvers();
      const config = configPath();
      watchFolder(dirname(config), (file) => file === config);
      try {
        for (const folder of sourceFolders()) watchFolder(folder, isSource);
      } catch {
        // A folder was removed meanwhile: the sources are still changing.
        note(SOURCES);
      }
      return next.promise;
    },
  };
}

/**
 * Each folder is watched separately, anew at every start: Node's recursive `fs.watch` (24, Linux) loses
 * files that are saved by renaming, as many editors and git do.
 */
function sourceFolders(): string[] {
  const entries = readdirSync(SOURCES, { recursive: true, withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory());
  return [SOURCES, ...folders.map((folder) => join(folder.parentPath, folder.name))];
}

function isSource(path: string): boolean {
  if (path.endsWith(".ts")) return !path.endsWith(".test.ts");
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function configPath(): string {
  const found = findConfigFile(process.cwd(), process.env);
  return found?.path ?? join(process.cwd(), CONFIG_FILE_NAME);
}

/**
 * Writes a marker so that clients do not start the daemon of dist/ during a restart, which would take the
 * lock of the data directory.
 */
function reserveStarting() {
  const dataDir = dataDirFor(findConfigFile(process.cwd(), process.env)?.path, process.env);
  const socketPath = socketPathFor(dataDir, process.env);
  const marker = startMarker(socketPath);
  const renew = (): void => {
    ensurePrivateDir(dirname(socketPath));
    writeFileSync(marker, "", { mode: 0o600 });
  };
  renew();
  const timer = setInterval(renew, HOLD_EVERY_MS);
  return {
    renew,
    release() {
      clearInterval(timer);
      rmSync(marker, { force: true });
    },
  };
}

/** The daemon's current address; undefined while it is down. The port may change with each start. */
function daemonAddress(): URL | undefined {
  const dataDir = dataDirFor(findConfigFile(process.cwd(), process.env)?.path, process.env);
  try {
    const file: unknown = JSON.parse(readFileSync(join(dataDir, "daemon.json"), "utf8"));
    const isKnown = typeof file === "object" && file !== null && "url" in file;
    return isKnown && typeof file.url === "string" ? new URL(file.url) : undefined;
  } catch {
    return undefined;
  }
}

const files = watchFiles();
const reservation = reserveStarting();
let daemon: Program | undefined;
let web: DevWeb | undefined;
let isEnding = false;

/** If the dashboard cannot be served, the daemon runs without it. */
async function runWeb(): Promise<void> {
  try {
    const { startWeb } = await import("./dev-web.ts");
    const port = process.env["KUROMAJUTSU_DEV_PORT"];
    web = await startWeb(daemonAddress, port ? Number(port) : undefined);
    say(`The dashboard from source: ${web.url}`);
  } catch (error) {
    say(`The dashboard cannot be served from source: ${String(error)}`);
  }
}

async function runDaemon(): Promise<void> {
  for (;;) {
    // After Ctrl-C during a restart no daemon may be started.
    if (isEnding) return;
    const changed = files.nextChange();
    const running = (daemon = start(MAIN, "serve"));
    const why = await Promise.race([changed, running.ended]);
    if (isEnding) return;
    if (running.isRunning()) {
      say(`${shown(why)} has changed: starting the daemon again.`);
      // The daemon removed the marker when it began to listen.
      reservation.renew();
      await running.stop();
    } else {
      say(`The daemon has ended (${why}). It is started again at the next change.`);
      say(`${shown(await changed)} has changed: starting the daemon.`);
    }
  }
}

async function end(): Promise<void> {
  if (isEnding) return;
  isEnding = true;
  await Promise.all([daemon?.stop(), web?.close()]);
  reservation.release();
  process.exit(0);
}

function say(text: string): void {
  process.stderr.write(`[dev] ${text}\n`);
}

function shown(path: string): string {
  return relative(process.cwd(), path);
}

function complain(error: Error): void {
  say(`Watching files: ${error.message}`);
}

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => void end());
void runWeb();
await runDaemon();
