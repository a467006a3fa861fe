import type { WorkspaceId } from "../ids.ts";

/**
 * Two changes touch the same files. `same_file`: git can merge them. `conflict`: it cannot.
 * `generated`: only files that a tool writes (lock files): make them again after the merge.
 */
export const OVERLAP_LEVELS = ["same_file", "generated", "conflict"] as const;
export type OverlapLevel = (typeof OVERLAP_LEVELS)[number];

/** A pair of workspaces of one repository; `a` is the smaller id. */
export type Overlap = {
  readonly a: WorkspaceId;
  readonly b: WorkspaceId;
  readonly level: OverlapLevel;
  readonly paths: readonly string[];
  readonly at: number;
};

const GENERATED =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|Cargo\.lock|poetry\.lock|uv\.lock|Gemfile\.lock|composer\.lock|go\.sum|flake\.lock)$/;

export function isGenerated(path: string): boolean {
  return GENERATED.test(path);
}

export function sharedPaths(a: readonly string[], b: readonly string[]): readonly string[] {
  const known = new Set(a);
  return b.filter((path) => known.has(path)).toSorted();
}

/** The level of an overlap; `conflicts` are the paths that git cannot merge. */
export function overlapLevel(
  shared: readonly string[],
  conflicts: readonly string[],
): OverlapLevel | null {
  if (conflicts.some((path) => !isGenerated(path))) return "conflict";
  if (shared.length === 0 && conflicts.length === 0) return null;
  return [...shared, ...conflicts].every(isGenerated) ? "generated" : "same_file";
}
