import { z } from "zod";
import { seqShape as seq } from "./events/define-event.ts";
import { wireEventShape, type WireEvent } from "./events/events.ts";
import { agentCardShape } from "./shapes/agents.ts";
import { approvalShape } from "./shapes/approvals.ts";
import { groupShape } from "./shapes/groups.ts";
import { runnerProblem } from "./shapes/health.ts";
import { roleSummaryShape } from "./shapes/role-summary.ts";
import { taskShape } from "./shapes/tasks.ts";

/**
 * What goes over the WebSocket. A client keeps `epoch` and the last `to` (or `seq`) it has seen,
 * and says hello with them after every reconnection; a frame whose `from` is not the next number
 * means that something is missing: say hello again.
 */
export const liveStateShape = z.object({
  server: z.object({ version: z.string(), availableModels: z.array(z.string()) }),
  groups: z.array(groupShape),
  agents: z.array(agentCardShape),
  roles: z.array(roleSummaryShape),
  /** The newest; those that are over too. */
  tasks: z.array(taskShape),
  /** What waits for a person: of tasks first, then of each agent in turn, up to a limit. */
  approvals: z.array(approvalShape),
  /** How many wait in all. */
  pendingApprovals: z.number(),
  health: z.unknown(),
  /** Runners that are signed out or at a limit; absent: none. */
  problems: z.array(runnerProblem).exactOptional(),
});
export type LiveState = z.infer<typeof liveStateShape>;

export const serverFrameShape = z.discriminatedUnion("t", [
  /** Everything after the hello's `seq`, up to this `seq`. */
  z.object({ t: z.literal("resumed"), epoch: z.string(), seq, ev: z.array(wireEventShape) }),
  /** The state at `seq` or a little later; applying an event twice must be harmless. */
  z.object({ t: z.literal("snapshot"), epoch: z.string(), seq, state: liveStateShape }),
  /** A frame contains only the last status update of each agent. */
  z.object({ t: z.literal("events"), from: seq, to: seq, ev: z.array(wireEventShape) }),
  /** A request of this client was carried out. */
  z.object({ t: z.literal("done"), of: z.string(), data: z.unknown() }),
  z.object({
    t: z.literal("error"),
    code: z.string(),
    message: z.string(),
    hint: z.string(),
    /** The request's type, where it had one. */
    of: z.string().optional(),
  }),
]);
export type ServerFrame = z.infer<typeof serverFrameShape>;

export const helloShape = z.object({
  t: z.literal("hello"),
  epoch: z.string().max(100).optional(),
  seq: seq.optional(),
  topics: z.array(z.string().max(300)).max(100).optional(),
  locale: z.string().max(35).optional(),
});
export type LiveHello = z.infer<typeof helloShape>;

/** Requests of clients: `config:update_role`, `config:revalidate_model`. */
export const requestShape = z.object({ type: z.string().max(100), data: z.unknown().optional() });

/** Clients without a hello get one event per message; the first one is `server:startup`. */
export type SingleMessage =
  | Pick<WireEvent, "seq" | "type" | "data">
  | {
      readonly seq: number;
      readonly type: "server:startup";
      readonly data: { readonly version: string; readonly availableModels: readonly string[] };
    };
