import type { Generated, Kysely } from "kysely";
import type { HealthRecord } from "../../../../app/ports/store.ts";
import type {
  Access,
  Agent,
  AgentStatus,
  ProcessState,
  StopReason,
} from "../../../../domain/agents/agent.ts";
import type { DegradedReason } from "../../../../domain/agents/degraded.ts";
import type { RunnerId } from "../../../../domain/agents/runner.ts";
import type { AlertKind, AlertStatus } from "../../../../domain/alerts/alert.ts";
import type { GroupMode, GroupStatus } from "../../../../domain/groups/group.ts";
import type { ProblemKind } from "../../../../domain/health/runner-problem.ts";
import type {
  AgentId,
  AlertId,
  AlertMessageId,
  ApprovalId,
  ExecutionId,
  GroupId,
  TaskId,
  WorkspaceId,
} from "../../../../domain/ids.ts";
import type {
  ClearReason,
  NotificationId,
  NotificationStatus,
  NotificationType,
} from "../../../../domain/notifications/notification.ts";
import type { ScheduleTables } from "./schedule-tables.ts";
import type { SlackTables } from "./slack-tables.ts";
import type { TaskTables } from "./task-tables.ts";
import type { WorkspaceTables } from "./workspace-tables.ts";

/** The whole database or one transaction on it. */
export type Db = Kysely<Tables>;

export type Tables = TaskTables &
  SlackTables &
  ScheduleTables &
  WorkspaceTables & {
    groups: GroupTable;
    agents: AgentTable;
    agent_prompts: AgentPromptTable;
    agent_progress: AgentProgressTable;
    agent_results: AgentResultTable;
    agent_counts: AgentCountTable;
    notifications: NotificationTable;
    alerts: AlertTable;
    alert_cursor: AlertCursorTable;
    health_checks: HealthCheckTable;
    runner_models: RunnerModelsTable;
    runner_problems: RunnerProblemTable;
    usage_daily: UsageDailyTable;
    events: EventTable;
    saved_templates: SavedTemplateTable;
  };

/** 0 or 1: the database has no booleans. */
export type Flag = number;

export type GroupTable = {
  /** Order of insertion, also of groups that were created in the same millisecond. */
  seq: Generated<number>;
  id: GroupId;
  description: string;
  mode: GroupMode;
  status: GroupStatus;
  parent_group_id: GroupId | null;
  orchestrator_agent_id: AgentId | null;
  stages: string | null;
  magentic: string | null;
  /** Always 1 for an active group; 1 for a deleted group until its last agent has left the view. */
  in_view: Generated<Flag>;
  created_at: number;
  deleted_at: number | null;
  version: number;
};

export type AgentTable = {
  /** Order of insertion, also of agents that were created in the same millisecond. */
  seq: Generated<number>;
  id: AgentId;
  group_id: GroupId;
  task_id: TaskId | null;
  execution_id: ExecutionId | null;
  requester: string | null;
  role: string;
  runner: RunnerId;
  model: string;
  status: AgentStatus;
  process: ProcessState;
  stop_reason: StopReason | null;
  working_directory: string;
  tree: string | null;
  workspace_id: WorkspaceId | null;
  access: Access;
  timeout_ms: number | null;
  priority: number;
  slot: Agent["slot"];
  stage_index: number | null;
  held: Flag;
  in_view: Generated<Flag>;
  client_keys: string;
  runner_note: string | null;
  resume_session: string | null;
  resumed_agent_id: AgentId | null;
  labels: string;
  worker_id: string | null;
  attempt: number;
  token_hash: string | null;
  pid: number | null;
  pid_start: string | null;
  boot_id: string | null;
  exit_code: number | null;
  created_at: number;
  started_at: number | null;
  ended_at: number | null;
  reported_at: number | null;
  hello_at: number | null;
  degraded: DegradedReason | null;
  version: number;
};

/** Not a column of `agents`, whose rows are read in lists: a prompt may have megabytes. */
export type AgentPromptTable = { agent_id: AgentId; prompt: string };

export type AgentProgressTable = {
  agent_id: AgentId;
  offset: number;
  lines: number;
  skipped_lines: number;
  tool_call_count: number;
  last_message: string;
  edited_files: string;
  created_files: string;
  usage: string | null;
  session_id: string | null;
  reported_model: string | null;
  end: string | null;
  activity: string | null;
};

export type AgentResultTable = {
  agent_id: AgentId;
  report: string | null;
  result: string | null;
};

/** Updated by triggers on `agents`. `scope` is a group id, or `*` for all groups. */
export type AgentCountTable = { scope: string; status: AgentStatus; n: number };

export type EventTable = {
  seq: Generated<number>;
  type: string;
  group_id: GroupId | null;
  agent_id: AgentId | null;
  task_id: TaskId | null;
  data: string;
  at: number;
};

export type NotificationTable = {
  /** Order of insertion. */
  seq: Generated<number>;
  id: NotificationId;
  agent_id: AgentId;
  type: NotificationType;
  status: NotificationStatus;
  text: string;
  task_id: TaskId | null;
  sender: string;
  created_at: number;
  announced_at: number | null;
  read_at: number | null;
  clear_reason: ClearReason | null;
  version: number;
};

export type AlertTable = {
  /** Order of insertion. */
  seq: Generated<number>;
  id: AlertId;
  key: string;
  target: string;
  kind: AlertKind;
  task_id: TaskId | null;
  group_id: GroupId | null;
  agent_id: AgentId | null;
  approval_id: ApprovalId | null;
  title: string;
  detail: string | null;
  requester: string | null;
  recipients: string | null;
  status: AlertStatus;
  /** Set while the alert is pending. */
  due_at: number | null;
  message_id: AlertMessageId | null;
  tries: number;
  error: string | null;
  created_at: number;
  ended_at: number | null;
  version: number;
};

/** At most one row. */
export type AlertCursorTable = { id: number; seq: number };

export type HealthCheckTable = {
  runner: RunnerId;
  model: string;
  access: Access;
  status: HealthRecord["status"];
  reason: string | null;
  response_ms: number | null;
  checked_at: number;
};

export type RunnerModelsTable = { runner: RunnerId; models: string; checked_at: number };

export type RunnerProblemTable = {
  runner: RunnerId;
  kind: ProblemKind;
  reason: string;
  since: number;
  until: number | null;
  reset_known: Flag;
  count: number;
};

export type UsageDailyTable = {
  day: string;
  runner: string;
  model: string;
  role: string;
  /** Empty: the CLI named no model. A part of the key cannot be null. */
  reported_model: string;
  has_cost: Flag;
  cost_usd: number;
  agents: number;
  input_tokens: number;
  output_tokens: number;
  cache_read_tokens: number;
  cache_write_tokens: number;
};

/** Empty in SQLite, where templates are files. */
export type SavedTemplateTable = { id: string; text: string; saved_by: string; saved_at: number };
