import { truncateStart } from "../../base/truncate.ts";
import type { EventOf } from "../../contract/events/events.ts";
import type { Agent } from "../../domain/agents/agent.ts";
import type { AgentProgress } from "../../domain/agents/progress.ts";
import { durationOf } from "../../domain/agents/result.ts";
import type { Core } from "../core.ts";
import { spentBy } from "./spent.ts";
import { toolActivity } from "./tool-activity.ts";

/** A card shows a line or two; the agent's page requests the rest. */
const PREVIEW_CHARS = 280;

/** The state of an agent, for dashboards only. Every figure is absolute, so the last update is enough. */
export function statusUpdate(
  core: Core,
  agent: Agent,
  progress: AgentProgress,
): EventOf<"agent:status_update"> {
  const now = core.clock.now();
  return {
    type: "agent:status_update",
    groupId: agent.groupId,
    agentId: agent.id,
    data: {
      status: agent.status,
      toolCallCount: progress.toolCallCount,
      lastMessage: previewOf(progress.lastMessage),
      elapsed_ms: durationOf(agent, now),
      ...toolActivity(progress),
      ...spentBy(core, agent, progress),
    },
    at: now,
  };
}

/** The end of the agent's last message: it describes the current activity. */
export function previewOf(message: string): string {
  return truncateStart(message, PREVIEW_CHARS);
}
