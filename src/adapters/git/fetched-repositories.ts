import { mkdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Oid } from "../../app/ports/git.ts";
import type { Variables } from "../../base/allowed-environment.ts";
import { Refusal } from "../../domain/refusal.ts";
import { requireOid } from "./fields.ts";
import { GUARDS } from "./guards.ts";
import { fetchableUrl } from "./remote-url.ts";
import { createRunGit, outputOf, type GitEnd } from "./run-git.ts";
import { createTurns } from "./turns.ts";

/** The remote was not reached, or has not got the commit. The work can be done elsewhere. */
export class FetchFailed extends Error {
  /** null: the remote has not got the commit. */
  readonly reason: string | null;

  constructor(reason: string | null) {
    super(reason ?? "The remote has not got the commit.");
    this.name = "FetchFailed";
    this.reason = reason;
  }
}

export type FetchedRepositories = {
  /** The common directory for worktrees of a remote; `key` is its name here. */
  directoryOf(key: string): string;
  /** Makes sure that the commit is there. Rejects with `FetchFailed`. */
  fetch(key: string, url: string, commit: Oid): Promise<void>;
};

export type FetchedOptions = {
  /** A folder of the worker's data directory. */
  readonly directory: string;
  readonly environment: Variables;
  readonly fetchTimeoutMs?: number;
};

const FETCH_TIMEOUT_MS = 10 * 60_000;
const PROTOCOLS = "file:git:http:https:ssh";

/** How the user of the worker reaches remotes: with the own configuration, keys and proxies. */
const OWN_VARIABLES = [
  "SSH_AUTH_SOCK",
  "GIT_SSH",
  "GIT_SSH_COMMAND",
  "GIT_SSL_CAINFO",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
  "http_proxy",
  "https_proxy",
  "HTTPS_PROXY",
  "ALL_PROXY",
  "NO_PROXY",
  "no_proxy",
];

/** Settings with which the user of the worker reaches remotes. */
const OF_THE_USER = new Set([
  "core.sshCommand",
  "core.gitProxy",
  "credential.helper",
  "protocol.allow",
]);

/**
 * Two repositories for each remote: a mirror that only we write to, and one for worktrees that borrows
 * its objects. Agents can change the configuration of the second one, and a fetch there would run the
 * programs that it names.
 */
export function createFetchedRepositories(options: FetchedOptions): FetchedRepositories {
  const { directory, environment, fetchTimeoutMs = FETCH_TIMEOUT_MS } = options;
  const run = createRunGit(environment);
  const turns = createTurns();
  const mirrorOf = (key: string): string => join(directory, `${key}.mirror.git`);
  const directoryOf = (key: string): string => join(directory, `${key}.git`);

  const inMirror = (key: string, args: readonly string[], more: Variables = {}): Promise<GitEnd> =>
    run({
      args,
      cwd: mirrorOf(key),
      env: { GIT_DIR: mirrorOf(key), ...more },
      config: GUARDS,
    });

  async function has(key: string, commit: Oid): Promise<boolean> {
    const args = ["cat-file", "-e", `${commit}^{commit}`];
    const found = await run({
      args,
      cwd: directoryOf(key),
      env: { GIT_DIR: directoryOf(key) },
      config: GUARDS,
    });
    return found.code === 0;
  }

  /** A process that dies here leaves a folder with another name. */
  async function init(path: string, commit: Oid, more: (half: string) => Promise<void>) {
    if (await isThere(path)) return;
    const half = `${path}.half`;
    await rm(half, { recursive: true, force: true });
    await mkdir(half, { recursive: true, mode: 0o700 });
    const format = commit.length === 64 ? "sha256" : "sha1";
    const args = ["init", "--bare", "--quiet", "--template=", `--object-format=${format}`, half];
    outputOf({ args }, await run({ args, cwd: directory, env: {}, config: GUARDS }));
    await more(half);
    await rename(half, path);
  }

  async function make(key: string, url: string, commit: Oid): Promise<void> {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await init(mirrorOf(key), commit, async () => {});
    await init(directoryOf(key), commit, async (half) => {
      await writeFile(join(half, "objects/info/alternates"), `${join(mirrorOf(key), "objects")}\n`);
      // Agents see the same remote as on a server. Objects that they fetch stay in this repository.
      for (const [name, value] of [
        ["gc.auto", "0"],
        ["remote.origin.url", url],
        ["remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*"],
      ] as const) {
        const args = ["config", name, value];
        outputOf({ args }, await run({ args, cwd: half, env: { GIT_DIR: half } }));
      }
    });
  }

  function fetchInto(key: string, url: string, refs: readonly string[]): Promise<GitEnd> {
    return run({
      args: [
        "fetch",
        "--quiet",
        "--no-tags",
        "--no-write-fetch-head",
        "--force",
        "--",
        url,
        ...refs,
      ],
      cwd: mirrorOf(key),
      env: {
        GIT_DIR: mirrorOf(key),
        GIT_CONFIG_NOSYSTEM: undefined,
        GIT_CONFIG_GLOBAL: environment["GIT_CONFIG_GLOBAL"],
        GIT_ALLOW_PROTOCOL: PROTOCOLS,
        ...Object.fromEntries(OWN_VARIABLES.map((name) => [name, environment[name]])),
      },
      config: [...GUARDS.filter(([name]) => !OF_THE_USER.has(name)), ["fetch.fsckObjects", "true"]],
      timeoutMs: fetchTimeoutMs,
      mayBeKilled: true,
    });
  }

  /** The commit alone is the least; a remote may give only what its branches have. */
  async function fetchCommit(key: string, url: string, commit: Oid): Promise<void> {
    const alone = await fetchInto(key, url, [`${commit}:refs/fetched/${commit}`]);
    if (alone.code === 0) return;
    const all = await fetchInto(key, url, [
      "+refs/heads/*:refs/remote/heads/*",
      "+refs/tags/*:refs/remote/tags/*",
    ]);
    if (all.code !== 0) throw new FetchFailed(reasonIn(all.stderr));
    if ((await inMirror(key, ["cat-file", "-e", `${commit}^{commit}`])).code !== 0) {
      throw new FetchFailed(null);
    }
  }

  return {
    directoryOf,
    fetch: (key, url, commit) =>
      turns(key, async () => {
        requireOid(commit);
        if (fetchableUrl(url) !== url) throw new FetchFailed("This address cannot be fetched.");
        try {
          await make(key, url, commit);
          if (!(await has(key, commit))) await fetchCommit(key, url, commit);
        } catch (error) {
          throw error instanceof Refusal ? new FetchFailed(error.message) : error;
        }
      }),
  };
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

const MAX_REASON = 400;

function reasonIn(stderr: string): string {
  const lines = stderr.split("\n").filter((line) => line.trim() !== "");
  const said =
    lines.findLast((line) => /^(fatal|error):/.test(line)) ?? lines.at(-1) ?? "git failed";
  // git repeats the address, which may contain a password of the worker's own rewriting rules.
  const shown = said.replaceAll(/(\w+:\/\/)[^\s/@]+@/g, "$1***@").replaceAll(/\p{Cc}/gu, "?");
  return shown.slice(0, MAX_REASON);
}
