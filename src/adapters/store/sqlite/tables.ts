import type { Generated, Kysely } from "kysely";
import type { Access, AgentStatus, ProcessState, StopReason } from "../../../domain/agent.ts";
import type { GroupMode, GroupStatus } from "../../../domain/group.ts";
import type { AgentId, GroupId } from "../../../domain/ids.ts";
import type { RunnerId } from "../../../domain/runner.ts";

/** The whole database or one transaction on it. */
export type Db = Kysely<Tables>;

export type Tables = {
  groups: GroupTable;
  agents: AgentTable;
  agent_prompts: AgentPromptTable;
  agent_progress: AgentProgressTable;
  agent_results: AgentResultTable;
  agent_counts: AgentCountTable;
  events: EventTable;
};

export type GroupTable = {
  id: GroupId;
  description: string;
  mode: GroupMode;
  status: GroupStatus;
  parent_group_id: GroupId | null;
  orchestrator_agent_id: AgentId | null;
  created_at: number;
  deleted_at: number | null;
  version: number;
};

export type AgentTable = {
  /** Order of insertion; tells apart agents made in the same millisecond. */
  seq: Generated<number>;
  id: AgentId;
  group_id: GroupId;
  role: string;
  runner: RunnerId;
  model: string;
  status: AgentStatus;
  process: ProcessState;
  stop_reason: StopReason | null;
  working_directory: string;
  access: Access;
  timeout_ms: number | null;
  priority: number;
  stage_index: number | null;
  client_keys: string;
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
  version: number;
};

/** Apart from `agents`, whose rows are read in lists: a prompt may be megabytes. */
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
};

export type AgentResultTable = {
  agent_id: AgentId;
  report: string | null;
  result: string | null;
};

/** Kept by triggers on `agents`. `scope` is a group id, or `*` for all groups. */
export type AgentCountTable = { scope: string; status: AgentStatus; n: number };

export type EventTable = {
  seq: Generated<number>;
  type: string;
  group_id: GroupId | null;
  agent_id: AgentId | null;
  data: string;
  at: number;
};
