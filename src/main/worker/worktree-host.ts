import { mkdir, open, readdir, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { z } from "zod";
import { createGit } from "../../adapters/git/create-git.ts";
import { createFetchedRepositories, FetchFailed } from "../../adapters/git/fetched-repositories.ts";
import { captureIntoBundle } from "../../adapters/git/make-bundle.ts";
import { createWorkspaceTools } from "../../adapters/workspace-tools/create-workspace-tools.ts";
import type { CaptureSpec, WorktreeSpec } from "../../app/ports/git.ts";
import type { CommandRun } from "../../app/ports/workspace-tools.ts";
import { isRecord } from "../../base/narrow.ts";
import type { Handlers } from "../../base/peer.ts";
import { BUNDLE_PIECE_BYTES, type WireRefusal } from "../../contract/workers/worktrees.ts";
import { Refusal } from "../../domain/refusal.ts";

/** What a server sends is not checked further: it decides what runs here. */
const specShape = z.custom<WorktreeSpec>(isRecord);
const captureShape = z.custom<CaptureSpec>(isRecord);
const commandShape = z.custom<Omit<CommandRun, "onLine" | "signal">>(isRecord);

export type WorktreeHostOptions = {
  readonly dataDir: string;
  /** Names of further variables that commands inherit. */
  readonly variableNames: () => readonly string[];
  readonly tell: (name: "commandLine", args: unknown) => void;
};

export type WorktreeHost = {
  /** Worktrees are below it. */
  readonly root: string;
  readonly handlers: Handlers;
  readonly list: () => Promise<readonly WorktreePlace[]>;
  /** Keeps what it holds as a ref here, then deletes it. */
  readonly remove: (place: WorktreePlace, confirm: () => Promise<void>) => Promise<void>;
};

/** `key`: the name of its repository here. */
export type WorktreePlace = { readonly id: string; readonly key: string; readonly path: string };

/** Worktrees on a worker: what servers ask for, done with the git and the tools of this host. */
export function createWorktreeHost(options: WorktreeHostOptions): WorktreeHost {
  const { dataDir } = options;
  const root = join(dataDir, "workspaces");
  const environment = process.env;
  const git = createGit({ directory: join(dataDir, "git"), environment });
  const fetched = createFetchedRepositories({
    directory: join(dataDir, "repositories"),
    environment,
  });
  const tools = () =>
    createWorkspaceTools({ variables: environment, extraNames: options.variableNames() });
  const repositoryOf = (path: string): string => fetched.directoryOf(placeOf(root, path).key);
  const bundleOf = (path: string): string =>
    join(dataDir, "bundles", `${placeOf(root, path).id}.bundle`);
  const commands = new Map<number, AbortController>();

  async function add(url: string, spec: WorktreeSpec) {
    const { key } = placeOf(root, spec.path);
    try {
      await fetched.fetch(key, url, spec.base);
    } catch (error) {
      if (error instanceof FetchFailed) return { unfetched: error.reason };
      throw error;
    }
    await git.addWorktree(fetched.directoryOf(key), spec);
    return {};
  }

  async function capture(spec: CaptureSpec) {
    const { path } = spec.worktree;
    await mkdir(join(dataDir, "bundles"), { recursive: true, mode: 0o700 });
    return captureIntoBundle({ git, environment }, repositoryOf(path), spec, bundleOf(path));
  }

  async function run(id: number, command: z.infer<typeof commandShape>) {
    const abort = new AbortController();
    commands.set(id, abort);
    try {
      return await tools().run({
        ...command,
        signal: abort.signal,
        onLine: (line) => options.tell("commandLine", { run: id, line: line.slice(0, 1_000) }),
      });
    } finally {
      commands.delete(id);
    }
  }

  return {
    root,
    handlers: {
      addWorktree: answered((args) => {
        const { url, spec } = z.object({ url: z.string(), spec: specShape }).parse(args);
        return add(url, spec);
      }),
      inspectWorktree: answered((args) => {
        const spec = specShape.parse(args);
        return git.inspectWorktree(repositoryOf(spec.path), spec);
      }),
      captureWorktree: answered((args) => capture(captureShape.parse(args))),
      readBundle: answered((args) => {
        const { path, offset } = z.object({ path: z.string(), offset: z.int() }).parse(args);
        return readPiece(bundleOf(path), offset);
      }),
      fingerprintWorktree: answered((args) => git.fingerprint(repositoryOf(pathIn(args)))),
      changedPaths: answered((args) => {
        const { base } = z.object({ base: z.string() }).parse(args);
        return git.changedPaths(pathIn(args), base);
      }),
      diskUse: answered((args) => git.diskUse(pathIn(args))),
      findPorts: answered((args) => {
        const { range, count, taken } = portsAsked.parse(args);
        return tools().findPorts(range, count, taken);
      }),
      copyIgnored: answered(async (args) => {
        const { from, to, globs } = copyAsked.parse(args);
        // The checkout is on the server. This host may have one at the same place.
        return (await git.find(from)) ? tools().copyIgnored(from, to, globs) : [];
      }),
      runCommand: answered((args) => {
        const { id, command } = z.object({ id: z.int(), command: commandShape }).parse(args);
        return run(id, command);
      }),
      stopCommand: (args) => commands.get(z.object({ id: z.int() }).parse(args).id)?.abort(),
      endLeftovers: answered((args) =>
        tools().endLeftovers(z.object({ mark: z.string() }).parse(args).mark),
      ),
    },
    list: () => listPlaces(root),
    async remove({ id, key, path }, confirm) {
      const repository = fetched.directoryOf(key);
      const { head, branch } = (await git.find(path)) ?? { head: null, branch: null };
      if (head === null) throw new Error(`${path} is not a worktree that git knows.`);
      const isOwn = branch?.startsWith("kuromajutsu/") === true;
      const spec = { id, path, branch: isOwn ? branch : `kuromajutsu/removed/${id}`, base: head };
      await git.removeWorktree(repository, spec, `refs/kuromajutsu/saved/${id}`, confirm);
      await rm(bundleOf(path), { force: true });
    },
  };
}

const portsAsked = z.object({
  range: z.object({ from: z.int(), to: z.int() }),
  count: z.int(),
  taken: z.array(z.object({ from: z.int(), count: z.int() })),
});
const copyAsked = z.object({ from: z.string(), to: z.string(), globs: z.array(z.string()) });

function pathIn(args: unknown): string {
  return z.object({ path: z.string() }).parse(args).path;
}

const KEY = /^[0-9a-f]{16}$/;
const ID = /^wsp-[0-9A-Za-z]+$/;

/** Only directories of our own layout. */
function placeOf(root: string, path: string): WorktreePlace {
  const [id, key] = [basename(path), basename(dirname(path))];
  if (!ID.test(id) || !KEY.test(key) || join(root, key, id) !== path) {
    throw new Error(`${path} is no place for a worktree of this worker.`);
  }
  return { id, key, path };
}

async function listPlaces(root: string): Promise<readonly WorktreePlace[]> {
  const names = (folder: string) => readdir(folder).catch((): string[] => []);
  const places: WorktreePlace[] = [];
  for (const key of (await names(root)).filter((name) => KEY.test(name))) {
    for (const id of (await names(join(root, key))).filter((name) => ID.test(name))) {
      places.push({ id, key, path: join(root, key, id) });
    }
  }
  return places;
}

async function readPiece(file: string, offset: number): Promise<string> {
  const handle = await open(file, "r");
  try {
    const piece = Buffer.alloc(BUNDLE_PIECE_BYTES);
    const { bytesRead } = await handle.read(piece, 0, piece.length, offset);
    return piece.subarray(0, bytesRead).toString("base64");
  } finally {
    await handle.close();
  }
}

type Answer = { readonly ok: unknown } | { readonly refused: WireRefusal };

/** A refusal crosses the connection with its texts; any other error is a bug of this side. */
function answered(work: (args: unknown) => Promise<unknown>): (args: unknown) => Promise<Answer> {
  return async (args) => {
    try {
      return { ok: (await work(args)) ?? null };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { code, texts } = error;
      return { refused: { code, en: [...texts.en], ja: [...texts.ja] } };
    }
  };
}
