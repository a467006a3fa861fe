import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { aFreePort } from "../../kit/free-port.ts";
import { endAll, processesWith } from "../../kit/processes.ts";

export const BIN = fileURLToPath(new URL("../../../bin/kuromajutsu.js", import.meta.url));
export const CACHE = fileURLToPath(
  new URL("../../../node_modules/.cache/kuromajutsu-tests", import.meta.url),
);
const HR_SERVER = fileURLToPath(new URL("../../../examples/hr/server.js", import.meta.url));
const NOTES_SERVER = fileURLToPath(new URL("../../kit/upstream/notes-server.ts", import.meta.url));
const daemonFile = z.object({ pid: z.number(), url: z.string() });

export type ADaemon = {
  /** Added to the default kuromajutsu.config.yaml; JSON is YAML. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** Upstream servers: the HR example, or the one that records every call. */
  readonly servers?: readonly ("hr" | "notes")[];
  readonly env?: Readonly<Record<string, string>>;
  /** Runs before the first start, with the data directory. */
  readonly prepare?: (dataDir: string) => Promise<void> | void;
};

export type Daemon = Awaited<ReturnType<typeof aDaemon>>;

/** A daemon in a separate folder, so that files of the machine's user are neither read nor changed. */
export async function aDaemon({ config = {}, servers = [], env = {}, prepare }: ADaemon = {}) {
  const dir = mkdtempSync(join(tmpdir(), "kuromajutsu-web-"));
  const runtime = join(dir, "run");
  const dataDir = join(dir, "data");
  const output = join(dir, "output");
  const journal = join(dir, "journal");
  mkdirSync(runtime, { mode: 0o700 });
  const upstream = {
    hr: { command: process.execPath, args: [HR_SERVER], env: { HR_OUTPUT_DIR: output } },
    notes: { command: process.execPath, args: [NOTES_SERVER, journal] },
  };
  const configPath = join(dir, "kuromajutsu.config.yaml");
  writeFileSync(
    configPath,
    JSON.stringify({
      agent: { runner: "rehearsal" },
      healthCheck: { enabled: false },
      mcpServers: Object.fromEntries(servers.map((name) => [name, upstream[name]])),
      ...config,
    }),
  );
  await prepare?.(dataDir);
  let said = "";

  async function begin(port: string) {
    const child = spawn(process.execPath, [BIN, "serve"], {
      cwd: dir,
      env: {
        PATH: "/usr/bin:/bin",
        HOME: dir,
        XDG_CACHE_HOME: CACHE,
        XDG_RUNTIME_DIR: runtime,
        KUROMAJUTSU_DATA_DIR: dataDir,
        KUROMAJUTSU_PORT: port,
        // A named file needs no trust; with an empty variable in `env` it is found by searching.
        KUROMAJUTSU_CONFIG: configPath,
        ...env,
      },
      stdio: ["ignore", "ignore", "pipe"],
    });
    const saidBefore = said.length;
    child.stderr.setEncoding("utf8").on("data", (text: string) => (said += text));
    const exited = once(child, "exit");
    const read = () => {
      try {
        const found = JSON.parse(readFileSync(join(dataDir, "daemon.json"), "utf8"));
        const { pid, url } = daemonFile.parse(found);
        return pid === child.pid && said.slice(saidBefore).includes("Ready.") ? url : undefined;
      } catch {
        return undefined;
      }
    };
    await until(() => {
      if (child.exitCode !== null) throw new Error(`the daemon ended: ${said}`);
      return read() !== undefined;
    }, "a daemon");
    return { child, exited, url: z.string().parse(read()) };
  }

  let now = await begin(String(await aFreePort()));
  const { url } = now;
  return {
    /** The same address after every restart. */
    url,
    dir,
    dataDir,
    /** Where the example's sheets go. */
    output,
    configPath,
    /** Its output on stderr. */
    log: () => said,
    async kill(signal: NodeJS.Signals = "SIGKILL"): Promise<void> {
      now.child.kill(signal);
      await now.exited;
    },
    /** Starts it again on the same port, so that an open dashboard can reconnect. */
    async restart(): Promise<void> {
      now = await begin(new URL(url).port);
    },
    async end(): Promise<void> {
      now.child.kill("SIGKILL");
      await now.exited;
      // Agents outlive their daemon by design, so they are ended with the test.
      if (existsSync("/proc")) {
        endAll(processesWith(`KUROMAJUTSU_SOCKET=${runtime}`));
        endAll(processesWith(`XDG_RUNTIME_DIR=${runtime}`));
      }
      rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

export async function until(
  done: () => boolean | Promise<boolean>,
  what: string,
  withinMs = 90_000,
): Promise<void> {
  for (const giveUpAt = Date.now() + withinMs; !(await done());) {
    if (Date.now() > giveUpAt) throw new Error(`Waited in vain: ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}
