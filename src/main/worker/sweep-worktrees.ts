import type { Log } from "../../app/ports/world.ts";
import { runCoalesced } from "../../base/run-coalesced.ts";
import { workspaceIdsShape } from "../../contract/workers/worktrees.ts";
import type { WorktreeHost } from "./worktree-host.ts";
import type { WorktreePlace } from "./worktree-place.ts";

const SWEEP_EVERY_MS = 3_600_000;

/** Its work has begun again since the server was asked. */
class InUse extends Error {}

/** Deletes worktrees that no server needs here any more: after each connection, and every hour. */
export function sweepWorktrees(
  host: Pick<WorktreeHost, "list" | "remove">,
  log: Log,
  askRemovable: (ids: readonly string[]) => Promise<unknown>,
): { soon(): void; stop(): void } {
  const removable = async (ids: readonly string[]): Promise<ReadonlySet<string>> =>
    new Set(ids.length === 0 ? [] : workspaceIdsShape.parse(await askRemovable(ids)));

  async function remove(place: WorktreePlace): Promise<void> {
    try {
      await host.remove(place, async () => {
        if (!(await removable([place.id])).has(place.id)) throw new InUse();
      });
      log.info("A worktree that is not needed any more was deleted.", { path: place.path });
    } catch (error) {
      if (error instanceof InUse) return;
      log.warn("A worktree could not be deleted; trying again later.", {
        path: place.path,
        error: String(error),
      });
    }
  }

  const sweep = runCoalesced(async () => {
    try {
      const places = await host.list();
      const ids = await removable(places.map(({ id }) => id));
      for (const place of places) if (ids.has(place.id)) await remove(place);
    } catch (error) {
      log.debug("Worktrees could not be looked at.", { error: String(error) });
    }
  });
  const timer = setInterval(() => void sweep(), SWEEP_EVERY_MS).unref();
  return { soon: () => void sweep(), stop: () => clearInterval(timer) };
}
