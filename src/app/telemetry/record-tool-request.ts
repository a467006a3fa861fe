import { spanIdOf, traceIdOf } from "../../base/trace-ids.ts";
import type { Trace } from "../../base/trace.ts";
import type { Core, Identity } from "../core.ts";
import { rootGroupOf } from "./root-group.ts";

export type ToolRequested = {
  readonly tool: string;
  readonly identity: Identity | undefined;
  readonly trace: Trace;
  readonly startedAt: number;
  /** The code of a refusal; null: the tool answered. */
  readonly error: string | null;
};

/** One `tools/call` that a client or an agent made at our MCP server. */
export function recordToolRequest(core: Core, requested: ToolRequested): void {
  const { telemetry } = core;
  if (!telemetry) return;
  const endedAt = core.clock.now();
  const attributes = {
    "mcp.method.name": "tools/call",
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": requested.tool,
  };
  const { startedAt, error } = requested;
  telemetry.measure("toolDuration", Math.max(0, endedAt - startedAt) / 1_000, {
    ...attributes,
    ...(error !== null && { "error.type": error }),
  });
  void placeOf(core, requested).then(
    (place) =>
      telemetry.span({
        ...place,
        name: `tools/call ${requested.tool}`,
        kind: "server",
        spanId: core.random.hex(8),
        startedAt,
        endedAt,
        attributes,
        error,
      }),
    () => {},
  );
}

/** The call of an agent is below the agent's span; another call is in the trace of its request. */
async function placeOf(core: Core, { identity, trace }: ToolRequested) {
  const agent =
    identity?.kind === "agent" ? await core.store.getAgent(identity.agentId) : undefined;
  if (!agent) return { traceId: trace.traceId, parentSpanId: trace.parentSpanId };
  const root = agent.taskId ?? (await rootGroupOf(core, agent.groupId));
  return { traceId: traceIdOf(root), parentSpanId: spanIdOf(agent.id) };
}
