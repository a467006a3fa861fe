import type { AppEvent } from "../contract/events/events.ts";
import { forgetSettled } from "./agents/forget-settled.ts";
import { moveToFallbacksSoon } from "./agents/move-to-fallbacks.ts";
import type { Core } from "./core.ts";
import { followLimits } from "./health/runner-problems.ts";

/** Other servers change rows that this one remembers. */
function followMemory(core: Core): () => void {
  return core.events.onOthers((event) => {
    const { type } = event;
    if (type === "gateway:tool_accepted") core.pins.forget();
    if (isQueuedAgain(event)) core.dispatchSoon();
    if (type === "runner:problem" || type === "runner:ready") {
      followLimits(core).catch((error: unknown) =>
        core.log.error("Limits of runners could not be read.", { error: String(error) }),
      );
    }
  });
}

/** The host of the agent is gone, or a worker has handed it back. */
function isQueuedAgain(event: AppEvent): boolean {
  if (event.type === "workspace:updated") return event.data.status === "planned";
  return event.type === "agent:status_update" && event.data.status === "queued";
}

/**
 * What each server does for itself after committed events. After a crash the restarted daemon
 * derives what is missing from the rows, so it must be idempotent and never be the only record. What
 * must not get lost with a server is a job (`src/app/jobs`).
 */
export function reactToEvents(core: Core): () => void {
  const subscriptions = [
    forgetSettled(core),
    core.events.onOwn(["runner:problem", "runner:ready"], () => moveToFallbacksSoon(core)),
    core.events.on(["agent:created", "group:stage_advanced"], () => core.dispatchSoon()),
    followMemory(core),
  ];
  return () => {
    for (const end of subscriptions) end();
  };
}
