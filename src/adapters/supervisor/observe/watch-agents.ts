import type { Log } from "../../../app/ports/world.ts";
import type { FailedLooks } from "../processes/failed-looks.ts";
import { keepSpoolDirectory } from "../spool/spool-directory.ts";
import { watchSpool, type WatchMode } from "../spool/spool-watch.ts";
import { splitSpoolName } from "../spool/spool.ts";
import type { TrackedAgent } from "./tracked-agent.ts";

const POLL_MS = 1_000;

/** Wakes the pump when spool files change, and checks every agent once a second. */
export function watchAgents(options: {
  readonly spoolDir: string;
  readonly mode: WatchMode;
  readonly log: Log;
  readonly live: ReadonlyMap<string, TrackedAgent>;
  readonly kick: (agent: TrackedAgent, when: "now" | "gather") => void;
  readonly checkLimits: (agent: TrackedAgent) => void;
  readonly onFailedLook: FailedLooks;
}) {
  const { spoolDir: directory, mode, log, live, kick, checkLimits, onFailedLook } = options;
  const spool = keepSpoolDirectory({ directory, log, onRecreated: watchAgain });
  let watcher = watchSpool({ directory, mode, log, onChange });
  const timer = setInterval(poll, POLL_MS);

  function watchAgain(): void {
    watcher.close();
    watcher = watchSpool({ directory, mode, log, onChange });
  }

  function onChange(name: string | undefined): void {
    if (name === undefined) return lookAtAll({ liveness: false });
    const { key, ending } = splitSpoolName(name);
    const agent = live.get(key);
    if (!agent) return;
    if (ending === "out") kick(agent, "gather");
    if (ending !== "status") return;
    agent.probe.isStatusDue = true;
    kick(agent, "now");
  }

  function lookAtAll({ liveness }: { readonly liveness: boolean }): void {
    for (const agent of live.values()) {
      agent.probe.isStatusDue = true;
      if (liveness) agent.probe.isLivenessDue = true;
      kick(agent, "gather");
    }
  }

  /** Safety poll: `fs.watch` events can be lost. */
  function poll(): void {
    tryToLook(() => spool.ensure());
    for (const agent of live.values()) tryToLook(() => checkLimits(agent));
    lookAtAll({ liveness: true });
  }

  function tryToLook(look: () => void): void {
    try {
      look();
    } catch (error) {
      onFailedLook(error);
    }
  }

  return {
    ensureSpool: () => spool.ensure(),
    close(): void {
      clearInterval(timer);
      watcher.close();
    },
  };
}
