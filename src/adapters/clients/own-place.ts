import { lstatSync, type Stats } from "node:fs";
import { join } from "node:path";
import type { FileProblem } from "../../app/ports/setup.ts";
import type { ClientPlace } from "./client-place.ts";

const OWNER_MAY_WRITE = 0o200;

/**
 * Why we must not write to this place. A clone may contain a link to a file outside of it, and a
 * file of another user is not ours to change; so nothing below the base may be either.
 */
export function problemWithPlace({
  base,
  names,
}: Pick<ClientPlace, "base" | "names">): FileProblem | undefined {
  for (const [index] of names.entries()) {
    const place = join(base, ...names.slice(0, index + 1));
    const found = lstatSync(place, { throwIfNoEntry: false });
    if (found === undefined) return undefined;
    const problem = problemWith(found, place, index === names.length - 1);
    if (problem) return problem;
  }
  return undefined;
}

function problemWith(found: Stats, place: string, isFile: boolean): FileProblem | undefined {
  if (found.isSymbolicLink()) return { kind: "link", place };
  if (isFile ? !found.isFile() : !found.isDirectory()) return { kind: "not-a-file", place };
  if (found.uid !== process.getuid?.()) return { kind: "foreign", place, uid: found.uid };
  // The replacement of a file needs only a writable folder, and root may write everything.
  const mode = found.mode & 0o777;
  if ((mode & OWNER_MAY_WRITE) === 0) return { kind: "read-only", place, mode };
  return undefined;
}
