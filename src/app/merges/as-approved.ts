import type { Merge } from "../../domain/merges/merge.ts";
import type { FileChange, Oid } from "../ports/git.ts";
import type { MergeWorld } from "./merge-round.ts";
import { shownFiles, type ShownFiles } from "./preview-merge.ts";

/**
 * Whether a merge that was built on another commit than people saw still does only what they approved.
 * Less is fine: the branch may have a part of the change already. A branch on which a file was renamed
 * gets the change in a file that people have not approved.
 */
export async function isAsApproved(
  core: Pick<MergeWorld, "store" | "git">,
  { approvalId, repository }: Pick<Merge, "approvalId" | "repository">,
  from: Oid,
  commit: Oid,
): Promise<boolean> {
  const approval = approvalId === null ? undefined : await core.store.getApproval(approvalId);
  const shown = approval?.shown;
  if (!shown || shown["targetCommit"] === from || !hasFiles(shown)) return true;
  return isWithin(shownFiles(await core.git.listChanges(repository, from, commit)), shown);
}

function hasFiles(shown: Readonly<Record<string, unknown>>): shown is ShownFiles {
  return Array.isArray(shown["files"]) && typeof shown["fileCount"] === "number";
}

function isWithin(now: ShownFiles, approved: ShownFiles): boolean {
  const isListed = approved.fileCount === approved.files.length;
  if (!isListed) return now.fileCount <= approved.fileCount && isAtMost(now, approved);
  const byPath = new Map(approved.files.map((file) => [file.path, file]));
  return now.files.every((file) => {
    const known = byPath.get(file.path);
    const hasSameOrigin = file.from === undefined || file.from === known?.from;
    return known !== undefined && hasSameOrigin && isAtMost(file, known);
  });
}

type Counts = Pick<FileChange, "added" | "removed">;

/** A binary file has no counts. */
function isAtMost(now: Counts, approved: Counts): boolean {
  return (now.added ?? 0) <= (approved.added ?? 0) && (now.removed ?? 0) <= (approved.removed ?? 0);
}
