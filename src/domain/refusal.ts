/** Every refusal the core can give. Doors translate the code; nobody parses the message. */
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
  "MAX_CONCURRENT_REACHED",
  "AGENTS_START_FAILED",
  "EMPTY_AGENTS",
  "EMPTY_AGENT_IDS",
  "EMPTY_STAGES",
  "EMPTY_STAGE_TASKS",
  "SEQUENTIAL_START_FAILED",
  "MAX_ITERATIONS_REACHED",
  "NOT_ORCHESTRATED",
  "AGENT_ALREADY_ENDED",
  "NOTIFICATION_NOT_DELIVERABLE",
  "WORKING_DIRECTORY_NOT_FOUND",
  "MODEL_NOT_ACCEPTED",
  "INVALID_ARGUMENTS",
  "UNKNOWN_TOOL",
  "NOT_ALLOWED",
  "NOT_YOUR_AGENT",
  "TRANSITION_NOT_ALLOWED",
  "VERSION_CONFLICT",
  "TASK_NOT_IN_PROGRESS",
  "INVALID_CURSOR",
  "STORE_FULL",
  "STORE_READ_ONLY",
  "IDS_EXHAUSTED",
  "INTERNAL_ERROR",
] as const;
export type RefusalCode = (typeof REFUSAL_CODES)[number];

export class Refusal extends Error {
  readonly code: RefusalCode;
  /** What the caller can do next; agents read this, so it names a tool, a state or a value. */
  readonly hint: string;

  constructor(code: RefusalCode, message: string, hint: string) {
    super(message);
    this.name = "Refusal";
    this.code = code;
    this.hint = hint;
  }
}
