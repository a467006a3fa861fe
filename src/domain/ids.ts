export type GroupId = `grp-${string}`;
/** `{role}-{unixSeconds}-{4hex}`: for display and routing, never proof of identity. */
export type AgentId = `${string}-${string}-${string}`;

export function groupId(atMs: number, hex: string): GroupId {
  return `grp-${Math.floor(atMs / 1000)}-${hex}`;
}

export function agentId(role: string, atMs: number, hex: string): AgentId {
  return `${role}-${Math.floor(atMs / 1000)}-${hex}`;
}

/** Whether a text has the form of an agent's id. */
export function isAgentId(text: string): text is AgentId {
  return /^.+-.+-.+$/.test(text);
}

/** The UTC day in an agent's id, such as `2026-11-17`: that of its creation. */
export function startDayOf(id: string): string {
  const seconds = Number(/-(\d{1,10})-[^-]*$/.exec(id)?.[1] ?? 0);
  return dayOf(seconds * 1_000);
}

/** The UTC day of a time, such as `2026-11-17`. */
export function dayOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}

/** A prefix and a ULID. */
export type TaskId = `task-${string}`;
export type PromptId = `prm-${string}`;
export type ProcessId = `prc-${string}`;
export type ExecutionId = `exe-${string}`;
export type ApprovalId = `apr-${string}`;
export type ScheduleId = `sch-${string}`;
export type WorkspaceId = `wsp-${string}`;
export type CommentId = `cmt-${string}`;
export type MergeId = `mrg-${string}`;
export type AlertId = `alr-${string}`;
/** Identifies a message to a target; a receiver recognises a repeated message by it. */
export type AlertMessageId = `msg-${string}`;
export type ToolCallId = `call-${string}`;
/** `step-{order}`: unique within one process, short enough for an agent to name. */
export type StepId = `step-${number}`;
