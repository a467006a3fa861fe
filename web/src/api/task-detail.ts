import type { z } from "zod";
import type { agentSummaryShape } from "../../../src/contract/shapes/agents.ts";
import type { WireApproval } from "../../../src/contract/shapes/approvals.ts";
import type { auditShape } from "../../../src/contract/shapes/audit.ts";
import type {
  stepStateShape,
  toolCallShape,
  WireExecution,
} from "../../../src/contract/shapes/executions.ts";
import type { notificationShape } from "../../../src/contract/shapes/notifications.ts";
import type {
  processShape,
  promptShape,
  stepShape,
  WireTask,
} from "../../../src/contract/shapes/tasks.ts";

export type WirePrompt = z.infer<typeof promptShape>;
export type WireProcess = z.infer<typeof processShape>;
export type WireStep = z.infer<typeof stepShape>;
export type WireStepState = z.infer<typeof stepStateShape>;
export type WireToolCall = z.infer<typeof toolCallShape>;
export type WireNotification = z.infer<typeof notificationShape>;
export type WireAudit = z.infer<typeof auditShape>;
export type TaskAgent = Omit<z.infer<typeof agentSummaryShape>, "toolCallCount">;

/** `GET /api/tasks/{id}`: everything the four cards show. */
export type TaskDetail = WireTask & {
  /** By version. */
  readonly prompts: readonly WirePrompt[];
  /** By version. */
  readonly processes: readonly WireProcess[];
  /** By attempt. */
  readonly executions: readonly WireExecution[];
  /** Newest first. */
  readonly approvals: readonly WireApproval[];
  readonly notifications: readonly WireNotification[];
  readonly agents: readonly TaskAgent[];
  /** Oldest first. */
  readonly toolCalls: readonly WireToolCall[];
};
