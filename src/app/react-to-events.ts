import { reactToSettled } from "./agents/react-to-settled.ts";
import type { Core } from "./core.ts";

/**
 * How the core continues after a commit. A daemon that dies before a reaction is done looks at the
 * rows after its restart, so a reaction may be repeated and must never be the only record.
 */
export function reactToEvents(core: Core): () => void {
  const subscriptions = [
    reactToSettled(core),
    core.events.on(["agent:created", "group:stage_advanced"], () => core.dispatchSoon()),
    core.events.on(
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
