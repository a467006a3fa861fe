import { z } from "zod";
import { REFUSAL_CODES } from "../../domain/refusal.ts";

/** What a server asks of the worktrees on a worker, and the answers, which it checks. */

const MAX_TEXT_CHARS = 10_000;
const MAX_PATH_CHARS = 4_096;
const MAX_PATHS = 100_000;

/** The most bytes of a bundle in one message; servers ask for less where the connection is slow. */
export const BUNDLE_PIECE_BYTES = 4 * 1_024 ** 2;

const oid = z.string().regex(/^[0-9a-f]{40}([0-9a-f]{24})?$/);
const path = z.string().max(MAX_PATH_CHARS);
const count = z.int().min(0);
const text = z.tuple([z.string().max(MAX_TEXT_CHARS), z.string().max(MAX_TEXT_CHARS)]);
const refused = z.object({
  refused: z.object({ code: z.enum(REFUSAL_CODES), en: text, ja: text }),
});

/** A refusal of git has both languages, so it is an answer. */
export function orRefused<Value extends z.ZodType>(ok: Value) {
  return z.union([z.object({ ok }), refused]);
}
export type WireRefusal = z.infer<typeof refused>["refused"];

/** The most commits that a worker names as those it has. */
export const MAX_KNOWN_COMMITS = 500;

/**
 * `unfetched`: why the commit is not there; null: the remote has not got it. `has`: what the worker
 * has instead; absent: an older worker, which takes no commits.
 */
export const addedShape = orRefused(
  z.object({
    unfetched: z.string().max(MAX_TEXT_CHARS).nullable().optional(),
    has: z.array(oid).max(MAX_KNOWN_COMMITS).optional(),
  }),
);

export const worktreeStateShape = orRefused(
  z.discriminatedUnion("state", [
    z.object({ state: z.literal("missing") }),
    z.object({ state: z.literal("present"), head: oid, isPrepared: z.boolean() }),
    z.object({
      state: z.literal("damaged"),
      reason: z.enum([
        "directory_gone",
        "link_gone",
        "link_elsewhere",
        "entry_gone",
        "not_ours",
        "head_unreadable",
      ]),
    }),
  ]),
);

export const capturedShape = orRefused(
  z.object({
    commit: oid,
    tree: oid,
    attention: z
      .array(
        z.discriminatedUnion("type", [
          z.object({ type: z.literal("file_too_large"), path, bytes: count }),
          z.object({ type: z.literal("file_unreadable"), path }),
          z.object({ type: z.literal("too_many_new_files"), count }),
          z.object({ type: z.literal("nested_repository"), path }),
          z.object({ type: z.literal("submodule_work"), path }),
          z.object({ type: z.literal("mass_deletion"), deleted: count, total: count }),
          z.object({ type: z.literal("other_branch"), branch: path.nullable() }),
        ]),
      )
      .max(MAX_PATHS),
    /** The size of the bundle with the new commits; 0: there are none. */
    bytes: count,
  }),
);

export const hashShape = orRefused(z.string().regex(/^[0-9a-f]{1,128}$/));
export const bytesShape = orRefused(count);
export const pathsShape = orRefused(z.array(path).max(MAX_PATHS));
export const pieceShape = orRefused(z.base64());
export const portsShape = orRefused(z.object({ from: count, count }).nullable());
export const doneShape = orRefused(z.null());
export const commandEndShape = orRefused(
  z.object({
    exitCode: z.int().nullable(),
    timedOut: z.boolean(),
    output: z.string().max(1_000_000),
  }),
);

/** The newest line of a command that runs on the worker. */
export const commandLineShape = z.object({ run: z.int(), line: z.string().max(MAX_TEXT_CHARS) });

export const workspaceIdsShape = z.array(z.string().max(100)).max(MAX_PATHS);
