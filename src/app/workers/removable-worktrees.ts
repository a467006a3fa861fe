import type { Core } from "../core.ts";

/**
 * The worktrees that a worker may delete: their directory was cleaned up, their work goes on elsewhere,
 * or their row is gone.
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
