import { moveToFallbacksSoon } from "./agents/move-to-fallbacks.ts";
import { reactToSettled } from "./agents/react-to-settled.ts";
import type { Core } from "./core.ts";
import { followLimits } from "./health/runner-problems.ts";
import { releaseAnsweredStages } from "./workspaces/release-answered-stages.ts";

/** Other servers change rows that this one remembers. */
function followMemory(core: Core): () => void {
  return core.events.onOthers(({ type }) => {
    if (type === "gateway:tool_accepted") core.pins.forget();
    if (type === "runner:problem" || type === "runner:ready") {
      followLimits(core).catch((error: unknown) =>
        core.log.error("Limits of runners could not be read.", { error: String(error) }),
      );
    }
  });
}

/**
 * The core's reactions to committed events. After a crash the restarted daemon derives missing
 * reactions from the rows, so reactions must be idempotent and never be the only record.
 */
export function reactToEvents(core: Core): () => void {
  const subscriptions = [
    reactToSettled(core),
    core.events.onOwn(["runner:problem", "runner:ready"], () => moveToFallbacksSoon(core)),
    core.events.on(["agent:created", "group:stage_advanced"], () => core.dispatchSoon()),
    releaseAnsweredStages(core),
    followMemory(core),
    core.events.onOwn(
      ["task:created", "task:updated", "approval:decided", "approval:expired"],
      ({ taskId }) => {
        if (taskId) core.advanceSoon(taskId);
      },
    ),
  ];
  return () => {
    for (const end of subscriptions) end();
  };
}
