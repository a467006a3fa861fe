import type { WrapperProcess } from "../launcher/launcher-messages.ts";
import type { ReadOwn } from "../spool/own-files.ts";
import { sizeOf, tailOf } from "../spool/spool.ts";
import type { AttemptEvent } from "./attempt.ts";
import { advance, wrapperOf, type TrackedAgent } from "./tracked-agent.ts";

const STDERR_TAIL_BYTES = 8 * 1024;

/** The time between the end of the process and the end of its output. */
export function createFinishing(options: {
  readonly bootId: string;
  readonly readOwn: ReadOwn;
  /** It has ended by itself and may have left processes behind. */
  readonly onLeft: (wrapper: WrapperProcess) => void;
  readonly settle: (agent: TrackedAgent, event: AttemptEvent<"drained">) => void;
}) {
  const { bootId, readOwn, onLeft, settle } = options;

  /** null while the process, or the stop ladder, is not done. */
  function endOfOutput(agent: TrackedAgent): number | null {
    if (agent.state.name !== "draining") return null;
    if (agent.state.readTo !== null) return agent.state.readTo;
    const size = readOwn(agent, 0, () => agent.stream.size());
    advance(agent, { type: "output_measured", size });
    return size;
  }

  function finish(agent: TrackedAgent): void {
    if (agent.state.name !== "draining") return;
    const { process, exit, survivors } = agent.state;
    const { err, status } = agent.files;
    readOwn(agent, undefined, () => agent.stream.finish());
    // Before anything is done: without a descriptor this throws, and the whole step comes again.
    const stderrTail = readOwn(agent, "", () => tailOf(err, STDERR_TAIL_BYTES));
    // The pid line was in there, so an empty or missing file was deleted while the agent ran.
    const isStatusLost = readOwn(agent, false, () => sizeOf(status) === 0);
    const filesLost = exit?.code === null && isStatusLost;
    if (survivors === null && process.bootId === bootId) onLeft(wrapperOf(agent, process));
    const { unreadable } = agent;
    settle(agent, {
      type: "drained",
      details: {
        stderrTail,
        ...(filesLost && { filesLost }),
        ...(unreadable !== null && { unreadable }),
      },
    });
  }

  return { endOfOutput, finish };
}
