import type { Core } from "../core.ts";

/**
 * Of these worktrees on a worker, those that it may delete: their directory was cleaned up, their work
 * goes on elsewhere, or nobody knows them any more.
 */
export async function removableWorktrees(
  { store }: Pick<Core, "store">,
  workerId: string,
  ids: readonly string[],
): Promise<readonly string[]> {
  const rows = await store.getWorkspaces(ids);
  const used = new Set<string>(
    rows.flatMap((row) => (row.workerId === workerId && row.status !== "retired" ? [row.id] : [])),
  );
  return ids.filter((id) => !used.has(id));
}
