import type { AgentId, ProcessId, PromptId, StepId, TaskId } from "../ids.ts";

/**
 * 実行方針: how the task will be approached, as a text. A rejected draft never changes; the next one
 * has version + 1.
 */
export type PromptDraft = {
  readonly id: PromptId;
  readonly taskId: TaskId;
  readonly version: number;
  readonly content: string;
  /** The agent that wrote it. */
  readonly agentId: AgentId | null;
  readonly createdAt: number;
};

/** A tool with its server: a bare name is not enough, because two servers may use the same one. */
export type ToolRef = {
  /** null: not an upstream tool but `agent:<role>`. */
  readonly server: string | null;
  readonly tool: string;
};

export type Step = ToolRef & {
  readonly id: StepId;
  /** From 1. */
  readonly order: number;
  readonly title: string;
  readonly requiresHumanCheck: boolean;
};

/** 実行ステップ: the steps that people approve, and so what the execution is allowed to do. */
export type ProcessDraft = {
  readonly id: ProcessId;
  readonly taskId: TaskId;
  /** The approved prompt it carries out. */
  readonly promptId: PromptId;
  readonly version: number;
  readonly steps: readonly Step[];
  readonly agentId: AgentId | null;
  readonly createdAt: number;
};

/** A step that calls a role: `agent:<role>`. In tools/list it is `agent_<role>`: ROLE_CALL_PREFIX. */
export const ROLE_STEP_PREFIX = "agent:";

/** The role of a step of the form `agent:<role>`. */
export function roleOfStep({ server, tool }: ToolRef): string | undefined {
  return server === null && tool.startsWith(ROLE_STEP_PREFIX)
    ? tool.slice(ROLE_STEP_PREFIX.length)
    : undefined;
}
