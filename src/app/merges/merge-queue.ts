import { runCoalesced } from "../../base/run-coalesced.ts";
import type { Merge } from "../../domain/merges/merge.ts";
import { checkPlace } from "./check-commits.ts";
import { listAllMerges } from "./list-merges.ts";
import {
  createPassedTrees,
  isCarriedOutHere,
  RoundStopped,
  type MergeWorld,
} from "./merge-round.ts";
import { placeMerges } from "./place-merges.ts";
import { runMergeRound } from "./run-merge-round.ts";

const FIRST_RETRY_MS = 2_000;
const LAST_RETRY_MS = 300_000;
/** How often branches are compared with merges that a person has to land. */
const HELD_POLL_MS = 15_000;

export type MergeQueue = {
  readonly mergeSoon: () => void;
  /** Continues what an earlier daemon left, and takes new work from now on. */
  open(): void;
  /** Resolves when no round is running. */
  idle(): Promise<void>;
  /** Ends a running check; the next daemon continues. */
  close(): Promise<void>;
};

/** Lands approved merges: one round at a time per repository, repositories side by side. */
export function createMergeQueue(core: () => MergeWorld): MergeQueue {
  const repositories = new Map<string, () => Promise<void>>();
  const running = new Set<Promise<void>>();
  const stopping = new AbortController();
  const passed = createPassedTrees();
  let isOpen = false;
  const timers = createTimers(mergeSoon);

  /** Runs rounds of one repository; the first one ends what a crashed daemon left running. */
  function roundsOf(repository: string): () => Promise<void> {
    let isFirst = true;
    return runCoalesced(async () => {
      if (stopping.signal.aborted) return;
      const round = { core: core(), repository, signal: stopping.signal, passed };
      try {
        if (isFirst) await round.core.workspaceTools.endLeftovers(checkPlace(round).mark);
        isFirst = false;
        if ((await runMergeRound(round)) === "later") timers.retryLater();
        else timers.forgetFailures();
      } catch (error) {
        // This server may lead again later.
        if (error instanceof RoundStopped) return timers.pollHeld();
        core().log.error("A round of the merge queue failed; trying again.", {
          repository,
          error: String(error),
        });
        timers.retryLater();
      }
    });
  }

  const look = runCoalesced(async () => {
    if (stopping.signal.aborted) return;
    try {
      const open = await openMerges(core());
      // Two servers in one repository would end each other's checks, so each merge has one server.
      const mine = open.filter((merge) => isCarriedOutHere(core(), merge));
      for (const repository of new Set(mine.map((each) => each.repository))) start(repository);
      const isHeld = mine.some(({ status }) => status === "ready_to_land");
      if (isHeld || mine.length < open.length || !core().isLeader()) timers.pollHeld();
    } catch (error) {
      if (stopping.signal.aborted) return;
      core().log.error("The merge queue could not be read; trying again.", {
        error: String(error),
      });
      timers.retryLater();
    }
  });

  function start(repository: string): void {
    const rounds = repositories.get(repository) ?? roundsOf(repository);
    repositories.set(repository, rounds);
    track(rounds());
  }

  function track(work: Promise<void>): void {
    running.add(work);
    void work.finally(() => running.delete(work));
  }

  function mergeSoon(): void {
    if (isOpen && !stopping.signal.aborted) track(look());
  }

  async function idle(): Promise<void> {
    while (running.size > 0) await Promise.all(running);
  }

  return {
    mergeSoon,
    open() {
      isOpen = true;
      mergeSoon();
    },
    idle,
    async close() {
      stopping.abort();
      timers.close();
      await idle();
    },
  };
}

async function openMerges(world: MergeWorld): Promise<readonly Merge[]> {
  const list = async () => [
    ...(await world.store.listQueuedMerges()),
    ...(await listAllMerges(world.store, { statuses: ["ready_to_land"] })),
  ];
  const open = await list();
  return (await placeMerges(world, open)) ? list() : open;
}

/** When to look again without being asked. */
function createTimers(wake: () => void) {
  let retryTimer: NodeJS.Timeout | undefined;
  let pollTimer: NodeJS.Timeout | undefined;
  let retryMs = FIRST_RETRY_MS;
  let isClosed = false;
  return {
    /** Each time later: git and disks need a person to mend them. */
    retryLater(): void {
      clearTimeout(retryTimer);
      if (!isClosed) retryTimer = setTimeout(wake, retryMs).unref();
      retryMs = Math.min(retryMs * 2, LAST_RETRY_MS);
    },
    forgetFailures(): void {
      retryMs = FIRST_RETRY_MS;
    },
    pollHeld(): void {
      clearTimeout(pollTimer);
      if (!isClosed) pollTimer = setTimeout(wake, HELD_POLL_MS).unref();
    },
    close(): void {
      isClosed = true;
      clearTimeout(retryTimer);
      clearTimeout(pollTimer);
    },
  };
}
