import { execFile, fork } from "node:child_process";
import {
  appendFileSync,
  chownSync,
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Client } from "pg";
import { aFreePort } from "../free-port.ts";
import { memoryFolder } from "../memory-folder.ts";
import type { Programs } from "./programs.ts";
import { SERVER_PROCESS, SERVER_USER } from "./server-user.ts";
import { PASSWORD, socketUrl, USER, type Address } from "./urls.ts";

const GUARDIAN = fileURLToPath(new URL("guardian.ts", import.meta.url));
const READY_WITHIN_MS = 60_000;
const PORT_ATTEMPTS = 5;

export type Server = Address & {
  /** Resolves when the server answers queries. Also starts it again on its data, on the same port. */
  start(): Promise<void>;
  /** An immediate shutdown. The data stays. */
  stop(): Promise<void>;
  /** Kills all processes of the server with SIGKILL. The data stays. */
  kill9(): Promise<void>;
  /** Stops the server and deletes its data and the folders that were made for its programs. */
  remove(): Promise<void>;
};

/**
 * Starts a server with new data. It listens on a socket, where it trusts every user, and on
 * 127.0.0.1, where it wants a password (SCRAM). It ends when this process ends, also by kill -9.
 */
export async function startServer(programs: Programs): Promise<Server> {
  const folder = mkdtempSync(join(baseFolder(), "km-pg-"));
  giveToServer(folder);
  const guardian = aGuardian(programs, folder);
  try {
    await initialize(programs, folder);
    const port = await startOnFreePort(guardian, folder);
    return {
      folder,
      port,
      start: () => startGuarded(guardian, { folder, port }),
      stop: () => guardian.end("stop"),
      kill9: () => guardian.end("kill9"),
      remove: () => guardian.leave(),
    };
  } catch (error) {
    await guardian.leave();
    throw error;
  }
}

/**
 * The path of a socket has at most 103 bytes, so the temporary folder of the user is too long on
 * macOS; and both folders are open to the user of the server. In memory a database is copied four
 * times as fast, and a run copies hundreds; containers often have too little of it.
 */
function baseFolder(): string {
  return memoryFolder() ?? "/tmp";
}

async function initialize(programs: Programs, folder: string): Promise<void> {
  const passwordFile = join(folder, "password");
  writeFileSync(passwordFile, PASSWORD, { mode: 0o600 });
  giveToServer(passwordFile);
  const access = ["-U", USER, `--pwfile=${passwordFile}`];
  const authentication = ["--auth-local=trust", "--auth-host=scram-sha-256"];
  const format = ["--encoding=UTF8", "--no-locale", "--no-sync"];
  await promisify(execFile)(
    join(programs.bin, "initdb"),
    ["-D", join(folder, "data"), ...access, ...authentication, ...format],
    { ...SERVER_PROCESS, ...SERVER_USER },
  );
  configure(folder, [
    "listen_addresses = '127.0.0.1'",
    `unix_socket_directories = '${folder}'`,
    "max_connections = 300",
    "shared_buffers = 64MB",
    // Tests kill the server, not the machine: what is written survives without a sync to the disk.
    "fsync = off",
    "full_page_writes = off",
  ]);
}

/** The last line of a setting counts. */
function configure(folder: string, lines: readonly string[]): void {
  appendFileSync(join(folder, "data/postgresql.conf"), `${lines.join("\n")}\n`);
}

async function startOnFreePort(guardian: Guardian, folder: string): Promise<number> {
  for (let attempt = 1; ; attempt += 1) {
    const port = await aFreePort();
    configure(folder, [`port = ${port}`]);
    try {
      await startGuarded(guardian, { folder, port });
      return port;
    } catch (error) {
      // Another process may take the port between our look and the start of the server.
      const taken = error instanceof Error && error.message.includes("Address already in use");
      if (!taken || attempt === PORT_ATTEMPTS) throw error;
    }
  }
}

async function startGuarded(guardian: Guardian, address: Address): Promise<void> {
  const deadline = Date.now() + READY_WITHIN_MS;
  for (;;) {
    const logged = guardian.log().length;
    guardian.start();
    if (await becomesReady(guardian, address, deadline)) return;
    await guardian.end("kill9");
    const log = guardian.log().slice(logged);
    // The kernel may still be ending the processes of a server that was killed.
    const usedByKilled = log.includes("pre-existing shared memory block");
    if (!usedByKilled || Date.now() > deadline) {
      throw new Error(`PostgreSQL did not start. Its log:\n${log}`);
    }
    await sleep(50);
  }
}

async function becomesReady(
  guardian: Guardian,
  address: Address,
  deadline: number,
): Promise<boolean> {
  while (guardian.runs() && Date.now() < deadline) {
    if (await answers(address)) return true;
    await sleep(20);
  }
  return false;
}

async function answers(address: Address): Promise<boolean> {
  const client = new Client({ connectionString: socketUrl(address, "postgres") });
  // The server may end while we are connected to it.
  client.on("error", () => {});
  try {
    await client.connect();
    await client.query("select 1");
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

type Guardian = ReturnType<typeof aGuardian>;

function aGuardian(programs: Programs, folder: string) {
  const logFile = join(folder, "server.log");
  const log = openSync(logFile, "a");
  const { uid, gid } = SERVER_USER;
  const user = uid === undefined ? "-" : `${uid}:${gid}`;
  const args = [join(programs.bin, "postgres"), folder, user, ...programs.madeFolders];
  const process = fork(GUARDIAN, args, {
    ...SERVER_PROCESS,
    // Without its own process group Ctrl-C would end the server before the tests have ended.
    detached: true,
    execArgv: [],
    stdio: ["ignore", "ignore", log, "ipc"],
  });
  closeSync(log);
  let server: PromiseWithResolvers<void> | undefined;
  const hasEnded = () => {
    server?.resolve();
    server = undefined;
  };
  const left = new Promise<void>((resolve) => {
    process.once("exit", () => {
      hasEnded();
      resolve();
    });
  });
  process.on("message", hasEnded);
  return {
    runs: () => server !== undefined,
    log: () => readFileSync(logFile, "utf8"),
    start(): void {
      if (server) throw new Error("The server is running. Stop it before you start it again.");
      server = Promise.withResolvers();
      process.send("start");
    },
    async end(how: "stop" | "kill9"): Promise<void> {
      const ending = server?.promise;
      if (ending) process.send(how);
      await ending;
    },
    async leave(): Promise<void> {
      if (process.connected) process.disconnect();
      await left;
    },
  };
}

function giveToServer(path: string): void {
  const { uid, gid } = SERVER_USER;
  if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid);
}
