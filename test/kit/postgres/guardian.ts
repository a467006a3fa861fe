// `node guardian.ts <postgres> <folder> <uid:gid or -> [more folders]` owns one server of the tests. It
// starts and ends the server as the IPC messages say. The channel closes when the test runner ends,
// also by kill -9: then the guardian ends the server and deletes its folders, so that no orphan stays.
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

/** PostgreSQL itself kills processes that have not ended five seconds after SIGQUIT. */
const QUIT_WITHIN_MS = 10_000;

const [postgres = "", folder = "", user = "-", ...moreFolders] = process.argv.slice(2);
let server: ChildProcess | undefined;

process.on("message", (message) => {
  if (message === "start") start();
  if (message === "stop") quit();
  if (message === "kill9") killAll();
});
process.on("disconnect", () => void leave());
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => void leave());

function start(): void {
  const [uid, gid] = user.split(":").map(Number);
  const started = spawn(postgres, ["-D", join(folder, "data")], {
    cwd: "/",
    // The guardian's standard error is the log file.
    stdio: ["ignore", 2, 2],
    ...(uid !== undefined && gid !== undefined && { uid, gid }),
  });
  server = started;
  started.once("error", ended);
  started.once("exit", ended);
}

function ended(): void {
  server = undefined;
  if (process.connected) process.send?.("ended");
}

/** An immediate shutdown: the data is as after a crash. */
function quit(): void {
  server?.kill("SIGQUIT");
}

/** Kills all processes of the server in the same moment. A stopped server can't start new ones. */
function killAll(): void {
  const pid = server?.pid;
  if (pid === undefined) return;
  server?.kill("SIGSTOP");
  const children = childrenOf(pid);
  server?.kill("SIGKILL");
  for (const child of children) {
    try {
      process.kill(child, "SIGKILL");
    } catch {
      // The process has ended.
    }
  }
}

function childrenOf(pid: number): readonly number[] {
  return parents()
    .filter(({ parent }) => parent === pid)
    .map((each) => each.pid);
}

function parents(): readonly { readonly pid: number; readonly parent: number }[] {
  // Small images of Linux have no `ps`.
  if (process.platform !== "linux") {
    return spawnSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" })
      .stdout.split("\n")
      .map((line) => line.trim().split(/\s+/).map(Number))
      .flatMap(([pid, parent]) => (pid && parent !== undefined ? [{ pid, parent }] : []));
  }
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "utf8");
      // The name of the program is in brackets and may have spaces: the parent is behind it.
      const parent = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1];
      return [{ pid: Number(name), parent: Number(parent) }];
    } catch {
      // The process has ended.
      return [];
    }
  });
}

async function leave(): Promise<void> {
  const running = server;
  if (running) {
    const gone = new Promise((resolve) => running.once("exit", resolve));
    quit();
    setTimeout(killAll, QUIT_WITHIN_MS).unref();
    await gone;
  }
  for (const each of [folder, ...moreFolders]) {
    rmSync(each, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
  process.exit();
}
