import { mkdir, open } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { createGit } from "../../adapters/git/create-git.ts";
import { createFetchedRepositories, FetchFailed } from "../../adapters/git/fetched-repositories.ts";
import { captureIntoBundle, removeBundle } from "../../adapters/git/make-bundle.ts";
import { createTurns } from "../../adapters/git/turns.ts";
import type { CaptureSpec, Git, WorktreeSpec } from "../../app/ports/git.ts";
import { isRecord } from "../../base/narrow.ts";
import type { Handlers } from "../../base/peer.ts";
import { BUNDLE_PIECE_BYTES, MAX_KNOWN_COMMITS } from "../../contract/workers/worktrees.ts";
import { answered } from "./answered.ts";
import { createBaseHandlers } from "./base-handlers.ts";
import { createCommandHandlers, type CommandHandlers } from "./command-handlers.ts";
import { listPlaces, placeOf, type WorktreePlace } from "./worktree-place.ts";

/** What a server sends is not checked further: it decides what runs here. */
const specShape = z.custom<WorktreeSpec>(isRecord);
const captureShape = z.custom<CaptureSpec>(isRecord);
/** An older server does not say how much it wants. */
const pieceOrder = z.object({
  path: z.string(),
  offset: z.int(),
  maxBytes: z.int().positive().default(BUNDLE_PIECE_BYTES),
});

export type WorktreeHost = {
  /** Worktrees are below it. */
  readonly root: string;
  readonly handlers: Handlers;
  /** Deletes what an earlier connection has not sent to its end. */
  readonly dropIncoming: () => Promise<void>;
  readonly list: () => Promise<readonly WorktreePlace[]>;
  /** Keeps what it holds as a ref here, then deletes it. */
  readonly remove: (place: WorktreePlace, confirm: () => Promise<void>) => Promise<void>;
};

/** Worktrees on a worker: what servers ask for, done with the git and the tools of this host. */
export function createWorktreeHost(
  dataDir: string,
  commands: Omit<CommandHandlers, "git">,
): WorktreeHost {
  const root = join(dataDir, "workspaces");
  const bundles = join(dataDir, "bundles");
  const environment = process.env;
  const git = createGit({ directory: join(dataDir, "git"), environment });
  const fetched = createFetchedRepositories({
    directory: join(dataDir, "repositories"),
    environment,
  });
  const repositoryOf = (path: string): string => fetched.directoryOf(placeOf(root, path).key);
  const turns = createTurns();
  const bundleOf = (path: string): string => join(bundles, `${placeOf(root, path).id}.bundle`);
  const base = createBaseHandlers({
    directory: join(dataDir, "incoming"),
    fetched,
    placeOf: (path) => placeOf(root, path),
  });

  async function add(url: string, spec: WorktreeSpec) {
    const { key } = placeOf(root, spec.path);
    try {
      await fetched.fetch(key, url, spec.base);
    } catch (error) {
      if (!(error instanceof FetchFailed)) throw error;
      const { reason: unfetched } = error;
      if (unfetched !== null) return { unfetched };
      return { unfetched, has: await fetched.listFetched(key, MAX_KNOWN_COMMITS) };
    }
    await git.addWorktree(fetched.directoryOf(key), spec);
    return {};
  }

  async function capture(spec: CaptureSpec) {
    const { path } = spec.worktree;
    await mkdir(bundles, { recursive: true, mode: 0o700 });
    const file = bundleOf(path);
    // A server that has lost the connection asks again while the first capture goes on.
    return turns(file, () =>
      captureIntoBundle({ git, environment }, repositoryOf(path), spec, file),
    );
  }

  return {
    root,
    handlers: {
      ...createCommandHandlers({ ...commands, git }),
      ...base.handlers,
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
        const { path, offset, maxBytes } = pieceOrder.parse(args);
        return readPiece(bundleOf(path), offset, Math.min(maxBytes, BUNDLE_PIECE_BYTES));
      }),
      fingerprintWorktree: answered((args) => git.fingerprint(repositoryOf(pathIn(args)))),
      changedPaths: answered((args) => {
        const { base: from } = z.object({ base: z.string() }).parse(args);
        return git.changedPaths(pathIn(args), from);
      }),
      diskUse: answered((args) => git.diskUse(pathIn(args))),
    },
    dropIncoming: base.dropIncoming,
    list: () => listPlaces(root),
    async remove(place, confirm) {
      await removePlace(git, fetched.directoryOf(place.key), place, confirm);
      await removeBundle(bundleOf(place.path));
    },
  };
}

async function removePlace(
  git: Git,
  repository: string,
  { id, path }: WorktreePlace,
  confirm: () => Promise<void>,
): Promise<void> {
  const { head, branch } = (await git.find(path)) ?? { head: null, branch: null };
  if (head === null) throw new Error(`${path} is not a worktree that git knows.`);
  const isOwn = branch?.startsWith("kuromajutsu/") === true;
  const spec = { id, path, branch: isOwn ? branch : `kuromajutsu/removed/${id}`, base: head };
  await git.removeWorktree(repository, spec, `refs/kuromajutsu/saved/${id}`, confirm);
  const tip = await git.resolve(repository, `refs/heads/${spec.branch}`);
  if (tip !== undefined) await git.deleteBranch(repository, spec.branch, tip);
}

function pathIn(args: unknown): string {
  return z.object({ path: z.string() }).parse(args).path;
}

async function readPiece(file: string, offset: number, maxBytes: number): Promise<string> {
  const handle = await open(file, "r");
  try {
    const piece = Buffer.alloc(maxBytes);
    const { bytesRead } = await handle.read(piece, 0, piece.length, offset);
    return piece.subarray(0, bytesRead).toString("base64");
  } finally {
    await handle.close();
  }
}
