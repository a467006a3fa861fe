import type { WireFileChange } from "../../../contract/shapes/changes.ts";

export type CommentPlace = {
  readonly path: string;
  readonly side: "old" | "new" | null;
  readonly line: number | null;
  readonly endLine: number | null;
};

const PLACE = /^(.+):(\d{1,9})(?:-(\d{1,9}))?$/s;

/** `path:3`, `path:3-5` or `path`; a file whose own name ends like this comes first. */
export function commentPlace(
  text: string,
  files: readonly Pick<WireFileChange, "path" | "status">[],
): CommentPlace {
  const match = files.some(({ path }) => path === text) ? null : PLACE.exec(text);
  const [, path = text, first, last] = match ?? [];
  if (first === undefined) return { path, side: null, line: null, endLine: null };
  // A deleted file has only old lines.
  const isDeleted = files.some((file) => file.path === path && file.status === "deleted");
  const line = Number(first);
  const endLine = last === undefined ? null : Number(last);
  return { path, side: isDeleted ? "old" : "new", line, endLine };
}
