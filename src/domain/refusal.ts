import type { Locale } from "./locale.ts";

/**
 * Every refusal the core can give. Doors translate the code; clients must not parse the message.
 */
export const REFUSAL_CODES = [
  "GROUP_NOT_FOUND",
  "GROUP_NOT_ACTIVE",
  "GROUP_HAS_RUNNING_AGENTS",
  "MODE_MISMATCH",
  "AGENT_NOT_FOUND",
  "ROLE_NOT_FOUND",
  "ROLE_UNAVAILABLE",
  "ROLE_EXISTS",
  "ROLE_IN_USE",
  "CONFIG_CHANGED",
  "CONFIG_INVALID",
  "CONFIG_NOT_EDITABLE",
  "CONFIG_NOT_WRITABLE",
  "SEVERAL_SERVERS",
  "NEEDS_POSTGRESQL",
  "WORKER_NOT_FOUND",
  "WORKER_EXISTS",
  "JOB_NOT_FOUND",
  "MAX_CONCURRENT_REACHED",
  "EMPTY_AGENTS",
  "EMPTY_AGENT_IDS",
  "EMPTY_STAGES",
  "EMPTY_STAGE_TASKS",
  "SEQUENTIAL_START_FAILED",
  "MAX_ITERATIONS_REACHED",
  "NOT_ORCHESTRATED",
  "AGENT_ALREADY_ENDED",
  "AGENT_NOT_RESUMABLE",
  "RESULT_ALREADY_REPORTED",
  "NOTIFICATION_NOT_DELIVERABLE",
  "WORKING_DIRECTORY_NOT_FOUND",
  "MODEL_NOT_ACCEPTED",
  "INVALID_ARGUMENTS",
  "UNKNOWN_TOOL",
  "NOT_ALLOWED",
  "NOT_YOUR_AGENT",
  "TRANSITION_NOT_ALLOWED",
  "VERSION_CONFLICT",
  "TASK_NOT_FOUND",
  "SCHEDULE_NOT_FOUND",
  "TASK_NOT_IN_PROGRESS",
  "TASK_NOT_RETRYABLE",
  "TEMPLATE_NOT_FOUND",
  "TEMPLATE_EXISTS",
  "EXECUTION_NOT_FOUND",
  "NOT_IN_AN_EXECUTION",
  "STEP_NOT_FOUND",
  "STEP_REJECTED",
  "APPROVAL_NOT_FOUND",
  "APPROVAL_PENDING",
  "APPROVAL_ALREADY_DECIDED",
  "APPROVAL_EXPIRED",
  "APPROVAL_NOT_YOURS",
  "TOO_MANY_OPEN",
  "PARKED",
  "STOP_REQUESTED",
  "OUTCOME_UNKNOWN",
  "TOOL_NOT_IN_PROCESS",
  "TOOL_QUARANTINED",
  "UPSTREAM_UNAVAILABLE",
  "UPSTREAM_FAILED",
  "UPSTREAM_ANSWER_TOO_LARGE",
  "NOT_SIGNED_IN",
  "TOO_MANY_TRIES",
  "PERSON_NEEDED",
  "INVALID_CURSOR",
  "ISOLATION_NOT_POSSIBLE",
  "BASE_NOT_FOUND",
  "WORKSPACE_NOT_FOUND",
  "WORKSPACE_IN_USE",
  "WORKSPACE_DISK_FULL",
  "CHANGE_NOT_OPEN",
  "COMMENT_NOT_FOUND",
  "MERGE_NOT_FOUND",
  "MERGE_NOT_POSSIBLE",
  "GIT_FAILED",
  "STORE_FULL",
  "STORE_READ_ONLY",
  "STORE_LOST",
  "STORE_UNAVAILABLE",
  "STORE_NOT_MIGRATED",
  "STORE_NOT_SUPPORTED",
  "IDS_EXHAUSTED",
  "GIT_UNAVAILABLE",
  "REPOSITORY_UNUSABLE",
  "WORKTREE_UNUSABLE",
  "DISK_FULL",
  "INTERNAL_ERROR",
] as const;
export type RefusalCode = (typeof REFUSAL_CODES)[number];

/** What happened, and what the caller can do next: a tool, a state or a value. */
export type RefusalText = readonly [message: string, hint: string];

export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly texts: Readonly<Record<Locale, RefusalText>>;
  /** In English, as `message`: for agents and the log. Doors for people use `refusalIn`. */
  readonly hint: string;

  constructor(code: RefusalCode, texts: Readonly<Record<Locale, RefusalText>>) {
    const [message, hint] = texts.en;
    super(message);
    this.name = "Refusal";
    this.code = code;
    this.texts = texts;
    this.hint = hint;
  }
}

/** The database cannot be used now, so nothing is known about the sender of a request. */
export function isStoreRefusal(error: unknown): boolean {
  return error instanceof Refusal && error.code.startsWith("STORE_");
}

/** The refusal for a reader of this language. */
export function refusalIn(
  { code, texts }: Refusal,
  locale: Locale,
): { readonly code: RefusalCode; readonly message: string; readonly hint: string } {
  const [message, hint] = texts[locale];
  return { code, message, hint };
}
