/**
 * The launcher. It is a separate process because a fork copies the page tables of the parent, and
 * the daemon is large. It holds no state that the daemon could not send to a new launcher. It ends
 * with its daemon; the agents go on. Behind a lease it stays until its agents are adopted or ended.
 */
import { writeSync } from "node:fs";
import { createLineSplitter } from "../../../base/lines.ts";
import { collectGarbage } from "../../collect-garbage.ts";
import { explainExhausted } from "../../exhausted.ts";
import { createProcesses } from "../processes/process-table.ts";
import { createAgentTrees } from "./agent-trees.ts";
import { collectWhenUnused } from "./collect-when-unused.ts";
import { endOrphans } from "./end-orphans.ts";
import type {
  EndOrphans,
  LauncherAnswer,
  LauncherRequest,
  StopRequest,
  WrapperProcess,
} from "./launcher-messages.ts";
import { spawnAgent } from "./spawn-agent.ts";
import { createStopLadder, type Kill } from "./stop-ladder.ts";

const REMEMBER_EVERY_MS = 2_000;

// The launcher lives exactly as long as its stdin: a Ctrl-C meant for the daemon must not end the
// process that can stop the agents.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});

const umask = process.umask(0o077);
const processes = createProcesses();
let bootId = "";
let protectedPids: readonly number[] = [];
let orphans: EndOrphans | undefined;
const trees = createAgentTrees(processes, () => protectedPids);
const memory = collectWhenUnused(collectGarbage);
const ladder = createStopLadder({
  processes,
  trees,
  kill: killQuietly(process.kill.bind(process)),
  onStopped: (key, stopped) => say({ type: "stopped", key, ...stopped }),
  onFailedLook,
});

function handle(request: LauncherRequest): void {
  switch (request.type) {
    case "hello":
      ({ bootId, protectedPids, orphans } = request);
      return;
    case "bye":
      orphans = undefined;
      return;
    case "launch": {
      const { key, mark } = request;
      return spawnAgent(request, {
        bootId,
        umask,
        onLaunched: (pid) => {
          trees.add({ key, mark, pid, start: null });
          memory.launched();
          say({ type: "launched", key });
        },
        onFailed: (error) => say({ type: "failed", key, error }),
        onExited: () => {
          trees.rootExited(key);
          say({ type: "exited", key });
        },
      });
    }
    case "watch":
      return trees.add(request);
    case "stop":
      return ladder.add(request);
    case "forget":
      return trees.remove(request.key);
    case "look": {
      const { key, claim } = request;
      return say({ type: "looked", key, isAlive: isMentioned(claim) });
    }
  }
}

function isMentioned(claim: string): boolean | null {
  try {
    return processes.isMentioned(claim);
  } catch (error) {
    onFailedLook(error);
    return null;
  }
}

function onFailedLook(error: unknown): void {
  say({ type: "look_failed", error: explainExhausted(error) });
}

/** Remembers each agent's processes; a failed look leaves the trees as they were. */
function refreshTrees(): void {
  try {
    if (trees.size > 0) trees.refresh();
  } catch (error) {
    onFailedLook(error);
  }
}

function say(answer: LauncherAnswer): void {
  try {
    writeSync(1, `${JSON.stringify(answer)}\n`);
  } catch {
    // The daemon is gone. The next one reads everything it needs from the spool.
  }
}

function killQuietly(kill: Kill): Kill {
  return (pid, signal) => {
    try {
      kill(pid, signal);
    } catch {
      // It has ended, or belongs to another user: the next sweep finds out.
    }
  };
}

async function leave(): Promise<void> {
  const stop = (request: StopRequest): void => ladder.add(request);
  if (orphans) await endOrphans({ ...orphans, liveRoots, stop, isStopping: ladder.isBusy });
  process.exit(0);
}

function liveRoots(): readonly WrapperProcess[] {
  trees.refresh();
  return trees.liveRoots();
}

setInterval(() => {
  refreshTrees();
  memory.look(trees.size);
}, REMEMBER_EVERY_MS);

// Not validated: both ends of this pipe are the same build.
const requests = createLineSplitter((line) => handle(JSON.parse(line)));
process.stdin.on("data", requests.push);
process.stdin.on("close", () => void leave());
say({ type: "ready" });
