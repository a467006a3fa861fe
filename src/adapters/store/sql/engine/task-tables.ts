import type { Generated } from "kysely";
import type { ApprovalKind, ApprovalStatus } from "../../../../domain/approvals/approval.ts";
import type { Delivery, ToolCallStatus } from "../../../../domain/gateway/tool-call.ts";
import type {
  AgentId,
  ApprovalId,
  ExecutionId,
  GroupId,
  MergeId,
  ProcessId,
  PromptId,
  ScheduleId,
  StepId,
  TaskId,
  ToolCallId,
} from "../../../../domain/ids.ts";
import type { Execution, ExecutionStatus } from "../../../../domain/tasks/execution.ts";
import type { TaskDoor, TaskPriority, TaskStatus } from "../../../../domain/tasks/task.ts";
import type { Flag } from "./tables.ts";

export type TaskTables = {
  tasks: TaskTable;
  task_counts: TaskCountTable;
  prompt_drafts: PromptDraftTable;
  process_drafts: ProcessDraftTable;
  executions: ExecutionTable;
  approvals: ApprovalTable;
  tool_calls: ToolCallTable;
  agent_calls: AgentCallTable;
  tool_pins: ToolPinTable;
  audit: AuditTable;
  sign_ins: SignInTable;
  keyed_requests: IdempotencyKeyTable;
};

export type TaskTable = {
  /** Order of insertion, also of tasks that were created in the same millisecond. */
  seq: Generated<number>;
  id: TaskId;
  request: string;
  requester: string;
  door: TaskDoor;
  schedule_id: ScheduleId | null;
  status: TaskStatus;
  title: string | null;
  description: string | null;
  priority: TaskPriority;
  is_priority_given: Flag;
  type: string | null;
  working_directory: string;
  group_id: GroupId;
  regenerations: number;
  draft_agent_id: AgentId | null;
  draft_tries: number;
  prompt_id: PromptId | null;
  process_id: ProcessId | null;
  execution_id: ExecutionId | null;
  failure: string | null;
  status_by: string | null;
  status_reason: string | null;
  /** Id, title and request in lower case. */
  search: string;
  created_at: number;
  updated_at: number;
  ended_at: number | null;
  version: number;
};

/** Updated by triggers on `tasks`. */
export type TaskCountTable = { status: TaskStatus; n: number };

export type PromptDraftTable = {
  id: PromptId;
  task_id: TaskId;
  version: number;
  content: string;
  agent_id: AgentId | null;
  created_at: number;
};

export type ProcessDraftTable = {
  id: ProcessId;
  task_id: TaskId;
  prompt_id: PromptId;
  version: number;
  steps: string;
  agent_id: AgentId | null;
  created_at: number;
};

export type ExecutionTable = {
  id: ExecutionId;
  task_id: TaskId;
  process_id: ProcessId;
  attempt: number;
  status: ExecutionStatus;
  agent_id: AgentId | null;
  agent_ids: string;
  steps: string;
  named_step_id: StepId | null;
  stop_for: Execution["stopFor"];
  summary: string | null;
  response: string | null;
  error: string | null;
  created_at: number;
  started_at: number | null;
  ended_at: number | null;
  version: number;
};

export type ApprovalTable = {
  /** Order of insertion, also of approvals that were requested in the same millisecond. */
  seq: Generated<number>;
  id: ApprovalId;
  kind: ApprovalKind;
  status: ApprovalStatus;
  task_id: TaskId | null;
  execution_id: ExecutionId | null;
  step_id: StepId | null;
  agent_id: AgentId | null;
  subject_id: PromptId | ProcessId | MergeId | null;
  binding: string | null;
  requester: string;
  policy: string;
  title: string;
  shown: string;
  shown_hash: string;
  choices: string;
  votes: string;
  decided_by: string | null;
  decided_at: number | null;
  reason: string | null;
  choice: string | null;
  used_at: number | null;
  expires_at: number | null;
  remind_at: number | null;
  /** The earlier of the two above while the approval is pending. */
  due_at: number | null;
  created_at: number;
  version: number;
  revision: number;
};

export type ToolCallTable = {
  /** Order of forwarding. */
  seq: Generated<number>;
  id: ToolCallId;
  task_id: TaskId;
  execution_id: ExecutionId;
  agent_id: AgentId;
  step_id: StepId | null;
  server: string;
  tool: string;
  args: string;
  args_hash: string;
  status: ToolCallStatus;
  approval_id: ApprovalId | null;
  answer: string | null;
  error: string | null;
  started_at: number;
  ended_at: number | null;
  version: number;
  sent_by: string | null;
  delivery: Delivery | null;
  handed_to: string | null;
};

export type AgentCallTable = Omit<ToolCallTable, "task_id" | "execution_id" | "step_id">;

export type ToolPinTable = {
  server: string;
  tool: string;
  hash: string;
  definition: string;
  accepted_by: string;
  at: number;
};

export type AuditTable = {
  seq: number;
  at: number;
  actor: string;
  action: string;
  subject: string;
  data: string;
  prev_hash: string;
  hash: string;
};

export type SignInTable = {
  hash: string;
  person_id: string;
  created_at: number;
  expires_at: number;
};

export type IdempotencyKeyTable = {
  key: string;
  request: string;
  status: number | null;
  body: string | null;
  at: number;
};
