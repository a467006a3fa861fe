import { sweepSpool } from "../../app/agents/sweep-spool.ts";
import type { Core } from "../../app/core.ts";
import { purgeHistory } from "../../app/purge-history.ts";
import { sweepWorkspaces } from "../../app/workspaces/sweep-workspaces.ts";

const EVERY_MS = 60 * 60 * 1_000;

/** Deletes old history and worktrees, now and every hour. One server is enough for the history. */
export function startMaintenance(core: Core, keepDays: number) {
  async function purge(): Promise<void> {
    try {
      const purged = await purgeHistory(core, keepDays);
      if (purged > 0) core.log.info("Old history was deleted.", { agents: purged, keepDays });
    } catch (error) {
      core.log.error("Old history could not be deleted; trying again in an hour.", {
        error: String(error),
      });
    }
  }
  /** Spool files without an agent are left if the daemon dies between deleting the two. */
  async function sweep(): Promise<void> {
    try {
      await sweepSpool(core);
    } catch (error) {
      core.log.error("Left-over spool files could not be deleted.", { error: String(error) });
    }
  }
  async function sweepTrees(): Promise<void> {
    try {
      await sweepWorkspaces(core);
    } catch (error) {
      core.log.error("Old worktrees could not be removed; trying again in an hour.", {
        error: String(error),
      });
    }
  }
  async function prepare(): Promise<void> {
    try {
      await core.transcripts?.prepare(core.clock.now());
    } catch (error) {
      core.log.warn("Partitions for transcripts could not be created; trying again in an hour.", {
        error: String(error),
      });
    }
  }
  void prepare();
  void sweep();
  void sweepTrees();
  const timer = setInterval(() => {
    void prepare();
    void sweepTrees();
    // Another server may have deleted the rows of agents of this one.
    if (core.serverId !== null) void sweep();
  }, EVERY_MS);
  timer.unref();
  const endPurges = core.jobs.everyHour("purge_history", purge);
  return {
    stop: () => {
      clearInterval(timer);
      endPurges();
    },
  };
}
