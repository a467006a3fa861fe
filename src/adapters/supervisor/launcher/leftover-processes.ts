import type { Log } from "../../../app/ports/world.ts";
import type { LauncherAnswer, StopRequest, WrapperProcess } from "./launcher-messages.ts";

const GATHER_MS = 500;

/**
 * Sweeps the processes that agents left running when they ended by themselves. Agents that end close
 * together are swept together, because a sweep reads every process of the machine.
 */
export function createLeftoverProcesses(options: {
  readonly send: (request: StopRequest) => void;
  readonly log: Log;
}) {
  const { send, log } = options;
  const gathered = new Map<string, StopRequest>();
  const sweeping = new Map<string, StopRequest>();
  let timer: NodeJS.Timeout | undefined;

  function sweep(): void {
    timer = undefined;
    for (const [key, request] of gathered) {
      sweeping.set(key, request);
      send(request);
    }
    gathered.clear();
  }

  function add(wrapper: WrapperProcess): void {
    gathered.set(wrapper.key, { type: "stop", ...wrapper, signal: null, graceMs: 0 });
    timer ??= setTimeout(sweep, GATHER_MS).unref();
  }

  return {
    add,
    /** Requests without an answer yet; a new launcher gets them again. */
    underWay(): readonly StopRequest[] {
      return [...sweeping.values()];
    },
    swept({ key, killed, survivors }: Extract<LauncherAnswer, { type: "stopped" }>): void {
      if (!sweeping.delete(key)) return;
      if (killed.length > 0) log.info("Ended the leftover processes of an agent.", { key, killed });
      if (survivors.length > 0)
        log.warn("Could not end all leftover processes of an agent.", { key, survivors });
    },
    close(): void {
      clearTimeout(timer);
    },
  };
}
