import { mkdir, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { FetchedRepositories } from "../../adapters/git/fetched-repositories.ts";
import type { Handlers } from "../../base/peer.ts";
import { answered } from "./answered.ts";
import type { WorktreePlace } from "./worktree-place.ts";

const pieceShape = z.object({ path: z.string(), offset: z.int().min(0), data: z.base64() });
const takeShape = z.object({ path: z.string(), commit: z.string() });

export type BaseHandlers = {
  /** A folder of the worker's data directory. */
  readonly directory: string;
  readonly fetched: Pick<FetchedRepositories, "take">;
  readonly placeOf: (path: string) => WorktreePlace;
};

/** Takes commits that the remote has not got from the server, in pieces of a bundle. */
export function createBaseHandlers({ directory, fetched, placeOf }: BaseHandlers) {
  const fileOf = ({ id }: WorktreePlace): string => join(directory, `${id}.bundle`);

  const handlers: Handlers = {
    writeBase: answered(async (args) => {
      const { path, offset, data } = pieceShape.parse(args);
      const file = fileOf(placeOf(path));
      await mkdir(directory, { recursive: true, mode: 0o700 });
      await writePiece(file, offset, Buffer.from(data, "base64"));
    }),
    takeBase: answered(async (args) => {
      const { path, commit } = takeShape.parse(args);
      const place = placeOf(path);
      await fetched.take(place.key, commit, fileOf(place));
      await rm(fileOf(place), { force: true });
    }),
  };
  return {
    handlers,
    /** Deletes what an earlier connection has not sent to its end. */
    dropIncoming: (): Promise<void> =>
      // What stays is replaced by the next transfer for the same worktree.
      rm(directory, { recursive: true, force: true }).catch(() => undefined),
  };
}

/** The first piece replaces what an earlier attempt has left. */
async function writePiece(file: string, offset: number, piece: Buffer): Promise<void> {
  const handle = await open(file, offset === 0 ? "w" : "a", 0o600);
  try {
    if ((await handle.stat()).size !== offset) throw new Error("A piece of the bundle is missing.");
    await handle.writeFile(piece);
  } finally {
    await handle.close();
  }
}
