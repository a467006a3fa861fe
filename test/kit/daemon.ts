import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { z } from "zod";
import { endAll, processesWith } from "./processes.ts";
import { aTempDir } from "./tmp-dir.ts";
import { whenDone } from "./when-done.ts";

export const BIN = fileURLToPath(new URL("../../bin/kuromajutsu.js", import.meta.url));
/** One compile cache for all tests: each has its own home, where the cache would be empty. */
const CACHE = fileURLToPath(
  new URL("../../node_modules/.cache/kuromajutsu-tests", import.meta.url),
);
/** The same for a server of the kit, whose SDK takes a tenth of a second to compile. */
export const SERVER_CACHE = { NODE_COMPILE_CACHE: join(CACHE, "servers") };
/** As clients start it (connect-or-start.ts): a fifth less CPU until the daemon is ready. */
const DAEMON_OPTIONS = ["--min-semi-space-size=16"];
export const FAKE_CLIS = fileURLToPath(new URL("./bin", import.meta.url));

const daemonFile = z.object({ pid: z.number(), url: z.string(), socketPath: z.string() });

export type Place = {
  readonly dir: string;
  readonly dataDir: string;
  readonly env: Record<string, string>;
  /** Limit of open files of the programs started here. */
  readonly openFiles?: number;
  /** Directories that the programs started here see empty, as on another host (Linux only). */
  readonly without?: readonly string[];
  /** What the daemon has written to stderr, over all its restarts. */
  log(): string;
};

/** A temporary folder and environment for one test, isolated from the machine's user. */
export function aPlace(over: Record<string, string> = {}): Place {
  const dir = aTempDir();
  const runtime = join(dir, "run");
  mkdirSync(runtime, { mode: 0o700 });
  const dataDir = join(dir, "data");
  const env = {
    PATH: "/usr/bin:/bin",
    HOME: dir,
    XDG_CACHE_HOME: CACHE,
    XDG_RUNTIME_DIR: runtime,
    KUROMAJUTSU_DATA_DIR: dataDir,
    KUROMAJUTSU_PORT: "0",
    LANG: "ja_JP.UTF-8",
    ...over,
  };
  // Agents outlive their daemon by design, so end those that the test has started.
  whenDone(() => endAll(processesWith(`KUROMAJUTSU_SOCKET=${runtime}`)));
  whenDone(() => endAll(processesWith(`XDG_RUNTIME_DIR=${runtime}`)));
  return {
    dir,
    dataDir,
    env,
    log: () => (existsSync(join(dir, "log")) ? readFileSync(join(dir, "log"), "utf8") : ""),
  };
}

/** Puts the fake Cursor CLI of the kit on PATH. */
export function withFakeCursor(place: Place): Place {
  return { ...place, env: { ...place.env, PATH: `${FAKE_CLIS}:${place.env["PATH"]}` } };
}

export type Daemon = {
  readonly process: ChildProcess;
  readonly pid: number;
  readonly url: string;
  readonly socketPath: string;
  kill(signal: NodeJS.Signals): Promise<void>;
};

/** Starts `kuromajutsu serve` and waits until it is ready. */
export async function aDaemon(place: Place, args: readonly string[] = []): Promise<Daemon> {
  const child = run(place, ["serve", ...args]);
  let said = "";
  child.stderr?.on("data", (chunk) => {
    said += String(chunk);
    writeFileSync(join(place.dir, "log"), String(chunk), { flag: "a" });
  });
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  whenDone(async () => {
    child.kill("SIGKILL");
    await exited;
  });
  const { pid = 0 } = child;
  await until(
    () => readDaemonFile(place)?.pid === pid && said.includes("Ready."),
    () => (child.exitCode === null ? undefined : `the daemon ended: ${said}`),
  );
  const { url, socketPath } = daemonFile.parse(readDaemonFile(place));
  return {
    process: child,
    pid,
    url,
    socketPath,
    async kill(signal) {
      child.kill(signal);
      await exited;
    },
  };
}

export function readDaemonFile(place: Place): z.infer<typeof daemonFile> | undefined {
  try {
    return daemonFile.parse(JSON.parse(readFileSync(join(place.dataDir, "daemon.json"), "utf8")));
  } catch {
    return undefined;
  }
}

export function run(place: Place, args: readonly string[]): ChildProcess {
  const { dir: cwd, openFiles, without = [] } = place;
  const env = namingConfig(place);
  const argv = [...(args[0] === "serve" ? DAEMON_OPTIONS : []), BIN, ...args];
  if (without.length > 0) {
    return spawn("unshare", [...hiding(without), process.execPath, ...argv], { cwd, env });
  }
  if (openFiles === undefined) return spawn(process.execPath, argv, { cwd, env });
  const limited = ["-c", 'ulimit -n "$1" && shift && exec "$@"', "sh", String(openFiles)];
  return spawn("/bin/sh", [...limited, process.execPath, ...argv], { cwd, env });
}

/** A mount namespace of its own, with an empty file system over each of the directories. */
function hiding(directories: readonly string[]): readonly string[] {
  const mounts = directories.map((path) => `mount -t tmpfs none '${path}'`);
  return ["-rm", "/bin/sh", "-c", `${mounts.join(" && ")} && exec "$@"`, "sh"];
}

/** Whether this machine lets tests hide directories from a program (`Place.without`). */
export function canHide(): boolean {
  return spawnSync("unshare", [...hiding(["/mnt"]), "true"], { stdio: "ignore" }).status === 0;
}

/**
 * Names a configuration file in the folder explicitly, so that it needs no trust. With an empty
 * KUROMAJUTSU_CONFIG in the place's environment it is found by searching, as in a cloned folder.
 */
function namingConfig({ dir, env }: Place): Record<string, string> {
  const path = join(dir, "kuromajutsu.config.yaml");
  return existsSync(path) ? { KUROMAJUTSU_CONFIG: path, ...env } : env;
}

/** Runs a command to its end. */
export async function command(place: Place, args: readonly string[]) {
  const child = run(place, args);
  let stdout = "";
  let stderr = "";
  child.stdout?.on("data", (chunk) => (stdout += String(chunk)));
  child.stderr?.on("data", (chunk) => (stderr += String(chunk)));
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, stdout, stderr };
}

export type TestClient = {
  readonly client: Client;
  /** The structured answer, or the refusal as an object. */
  readonly call: (tool: string, args?: Record<string, unknown>) => Promise<Record<string, unknown>>;
};

type Era = { readonly era?: "legacy" | "modern"; readonly name?: string };

export async function aStdioClient(place: Place, options: Era = {}): Promise<TestClient> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [BIN, "mcp"],
    cwd: place.dir,
    env: namingConfig(place),
    stderr: "ignore",
  });
  return connected(transport, options);
}

export async function anHttpClient(
  url: string,
  options: Era & { readonly token?: string } = {},
): Promise<TestClient> {
  const headers = options.token ? { authorization: `Bearer ${options.token}` } : {};
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
    requestInit: { headers },
  });
  return connected(transport, options);
}

async function connected(
  transport: StdioClientTransport | StreamableHTTPClientTransport,
  { era = "legacy", name = "test" }: Era,
): Promise<TestClient> {
  const client = new Client(
    { name, version: "1" },
    { versionNegotiation: { mode: era === "legacy" ? "legacy" : { pin: "2026-07-28" } } },
  );
  await client.connect(transport);
  whenDone(() => client.close());
  return {
    client,
    async call(tool, args = {}) {
      const answer = await client.callTool({ name: tool, arguments: args });
      if (answer.structuredContent) return record.parse(answer.structuredContent);
      const [block] = answer.content;
      return record.parse(JSON.parse(block?.type === "text" ? block.text : "{}"));
    },
  };
}

const record = z.record(z.string(), z.unknown());

/** A look that was in vain so far waits a little longer before the next, up to this many times. */
const PATIENCE = 3;

export async function until(
  done: () => boolean | Promise<boolean>,
  broken: () => string | undefined = () => undefined,
  withinMs = 60_000,
  // A look often asks the daemon for a whole task, or reads the table of processes.
  everyMs = 50,
): Promise<void> {
  let pauseMs = everyMs;
  for (const giveUpAt = Date.now() + withinMs; ;) {
    if (await done()) return;
    const problem = broken();
    if (problem) throw new Error(problem);
    if (Date.now() > giveUpAt) throw new Error("waited in vain");
    await sleep(pauseMs);
    pauseMs = Math.min(pauseMs * 1.2, everyMs * PATIENCE);
  }
}
