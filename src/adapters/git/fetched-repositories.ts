import { join } from "node:path";
import type { Oid } from "../../app/ports/git.ts";
import type { Variables } from "../../base/allowed-environment.ts";
import { Refusal } from "../../domain/refusal.ts";
import { BASE_REF } from "./borrowing.ts";
import { isOid, lineOf, requireOid } from "./fields.ts";
import { GUARDS } from "./guards.ts";
import { makeFetchedRepository, type FetchedRepository } from "./make-fetched-repository.ts";
import { asRefusal } from "./refusals.ts";
import { fetchableUrl } from "./remote-url.ts";
import { createRunGit, type GitEnd, outputOf, type RunGit } from "./run-git.ts";
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
  /** Commits that were fetched, the newest first. */
  listFetched(key: string, limit: number): Promise<readonly Oid[]>;
  /** Takes the commit from a bundle that a server has made on top of fetched ones. */
  take(key: string, commit: Oid, bundle: string): Promise<void>;
};

export type FetchedOptions = {
  /** A folder of the worker's data directory. */
  readonly directory: string;
  readonly environment: Variables;
  readonly fetchTimeoutMs?: number;
};

const FETCH_TIMEOUT_MS = 10 * 60_000;
const PROTOCOLS = "file:git:http:https:ssh";
const FETCH = ["fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--force", "--"];

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

const OWN_SETTINGS = new Set([
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
  const placesOf = (key: string): FetchedRepository => ({
    mirror: join(directory, `${key}.mirror.git`),
    repository: join(directory, `${key}.git`),
  });

  async function has(place: string, commit: Oid): Promise<boolean> {
    const args = ["cat-file", "-e", `${commit}^{commit}`];
    const found = await run({ args, cwd: place, env: { GIT_DIR: place }, config: GUARDS });
    return found.code === 0;
  }

  function fetchInto(mirror: string, url: string, refs: readonly string[]): Promise<GitEnd> {
    return run({
      args: [...FETCH, url, ...refs],
      cwd: mirror,
      env: {
        GIT_DIR: mirror,
        GIT_CONFIG_NOSYSTEM: undefined,
        GIT_CONFIG_GLOBAL: environment["GIT_CONFIG_GLOBAL"],
        GIT_ALLOW_PROTOCOL: PROTOCOLS,
        ...Object.fromEntries(OWN_VARIABLES.map((name) => [name, environment[name]])),
      },
      config: GUARDS.filter(([name]) => !OWN_SETTINGS.has(name)),
      timeoutMs: fetchTimeoutMs,
      mayBeKilled: true,
    });
  }

  /** The commit alone is the least; a remote may give only what its branches have. */
  async function fetchCommit(mirror: string, url: string, commit: Oid): Promise<void> {
    const alone = await fetchInto(mirror, url, [`${commit}:${fetchedRef(commit)}`]);
    if (alone.code === 0) return;
    const all = await fetchInto(mirror, url, [
      "+refs/heads/*:refs/remote/heads/*",
      "+refs/tags/*:refs/remote/tags/*",
    ]);
    if (all.code !== 0) throw new FetchFailed(reasonIn(all.stderr));
    if (!(await has(mirror, commit))) throw new FetchFailed(null);
  }

  return {
    directoryOf: (key) => placesOf(key).repository,
    fetch: (key, url, commit) =>
      turns(key, async () => {
        requireOid(commit);
        if (fetchableUrl(url) !== url) throw new FetchFailed("This address cannot be fetched.");
        const places = placesOf(key);
        try {
          await makeFetchedRepository(run, places, url, commit);
          if (await has(places.repository, commit)) return;
          await fetchCommit(places.mirror, url, commit);
        } catch (error) {
          const known = asRefusal(error);
          throw known instanceof Refusal ? new FetchFailed(known.message) : known;
        }
      }),
    listFetched: (key, limit) => listCommits(run, placesOf(key).mirror, limit),
    take: (key, commit, bundle) =>
      turns(key, async () => {
        requireOid(commit);
        const { mirror } = placesOf(key);
        const command = {
          args: [...FETCH, bundle, `${BASE_REF}:${fetchedRef(commit)}`],
          cwd: mirror,
          env: { GIT_DIR: mirror, GIT_ALLOW_PROTOCOL: "file" },
          config: GUARDS,
          timeoutMs: fetchTimeoutMs,
          mayBeKilled: true,
        };
        outputOf(command, await run(command));
      }),
  };
}

async function listCommits(run: RunGit, mirror: string, limit: number): Promise<readonly Oid[]> {
  const how = ["--sort=-committerdate", `--count=${limit}`, "--format=%(objectname)"];
  const args = ["for-each-ref", ...how, "refs/remote/heads/", "refs/fetched/"];
  const command = { args, cwd: mirror, env: { GIT_DIR: mirror }, config: GUARDS };
  return [
    ...new Set(
      lineOf(outputOf(command, await run(command)))
        .split("\n")
        .filter(isOid),
    ),
  ];
}

/** Keeps a commit that no branch of the remote has. */
function fetchedRef(commit: Oid): string {
  return `refs/fetched/${commit}`;
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
