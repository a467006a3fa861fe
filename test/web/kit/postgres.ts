import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { findPrograms } from "../../kit/postgres/programs.ts";
import { startServer } from "../../kit/postgres/server.ts";
import { asAdmin } from "../../kit/postgres/templates.ts";
import { passwordUrl } from "../../kit/postgres/urls.ts";
import { endAll, processesWith } from "../../kit/processes.ts";
import { BIN, CACHE, until } from "./daemon.ts";
import type { Rest } from "./rest.ts";

/** Without programs of PostgreSQL on the machine: undefined. */
export async function aPostgres() {
  const programs = findPrograms();
  if ("missing" in programs) return undefined;
  const server = await startServer(programs);
  await asAdmin(server, (client) => client.query("create database web"));
  const url = passwordUrl(server.port, "web");
  const home = mkdtempSync(join(tmpdir(), "kuromajutsu-web-"));
  await promisify(execFile)(process.execPath, [BIN, "migrate"], {
    cwd: home,
    env: { ...environmentIn(home), KUROMAJUTSU_DATABASE_URL: url },
  });
  return {
    url,
    async end(): Promise<void> {
      await server.remove();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

export type Postgres = NonNullable<Awaited<ReturnType<typeof aPostgres>>>;

export type TestWorker = Awaited<ReturnType<typeof startWorker>>;

type Offer = {
  readonly labels?: readonly string[];
  readonly slots?: number;
  /** Folders with agent CLIs. */
  readonly path?: readonly string[];
};

const added = z.looseObject({ token: z.string() });

/** Adds a worker, and starts its process. */
export async function aWorker(rest: Rest, name: string, offer: Offer = {}) {
  return startWorker(rest.url, await aWorkerToken(rest, name), offer);
}

/** Adds a worker, whose processes need the token. */
export async function aWorkerToken(rest: Rest, name: string): Promise<string> {
  return added.parse(await rest.ask("POST", "/api/workers", { name })).token;
}

/** Starts `kuromajutsu worker` with this token, and waits until it is connected. */
export async function startWorker(
  url: string,
  token: string,
  { labels = [], slots = 4, path = [] }: Offer,
) {
  const dir = mkdtempSync(join(tmpdir(), "kuromajutsu-web-"));
  const tokenFile = join(dir, "token");
  writeFileSync(tokenFile, token, { mode: 0o600 });
  const env = environmentIn(dir);
  mkdirSync(env.XDG_RUNTIME_DIR, { mode: 0o700 });
  const where = ["--server", url, "--token-file", tokenFile, "--data", join(dir, "worker")];
  const what = ["--slots", String(slots), ...labels.flatMap((label) => ["--label", label])];
  const child = spawn(process.execPath, [BIN, "worker", ...where, ...what], {
    cwd: dir,
    env: { ...env, PATH: [...path, env.PATH].join(delimiter) },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const exited = once(child, "exit");
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said += text));
  await until(() => {
    if (child.exitCode !== null) throw new Error(`the worker ended: ${said}`);
    return said.includes("Connected.");
  }, "a worker");
  return {
    exited,
    signal: (signal: NodeJS.Signals) => child.kill(signal),
    async end(): Promise<void> {
      child.kill("SIGKILL");
      await exited;
      endAll(processesWith(`XDG_RUNTIME_DIR=${env.XDG_RUNTIME_DIR}`));
      rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Isolated from the files of the machine's user. */
function environmentIn(dir: string) {
  return {
    PATH: "/usr/bin:/bin",
    HOME: dir,
    LANG: "en_US.UTF-8",
    XDG_CACHE_HOME: CACHE,
    XDG_RUNTIME_DIR: join(dir, "run"),
    KUROMAJUTSU_DATA_DIR: join(dir, "data"),
  };
}
