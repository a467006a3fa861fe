import type { Tables } from "../../sql/engine/tables.ts";

/**
 * Whether `migrate --from` copies the rows of a table. In this order: a row is copied after the rows
 * that it refers to.
 */
const IS_COPIED = {
  groups: true,
  schedules: true,
  schedule_runs: true,
  tasks: true,
  prompt_drafts: true,
  process_drafts: true,
  executions: true,
  approvals: true,
  tool_calls: true,
  agents: true,
  agent_prompts: true,
  agent_progress: true,
  agent_results: true,
  pending_ends: true,
  agent_calls: true,
  notifications: true,
  workspaces: true,
  change_versions: true,
  change_comments: true,
  workspace_overlaps: true,
  merges: true,
  alerts: true,
  alert_cursor: true,
  health_checks: true,
  runner_models: true,
  runner_problems: true,
  usage_daily: true,
  tool_pins: true,
  saved_templates: true,
  sign_ins: true,
  keyed_requests: true,
  slack_deliveries: true,
  slack_threads: true,
  slack_messages: true,
  slack_installations: true,
  slack_links: true,
  slack_codes: true,
  events: true,
  audit: true,
  // Only SQLite has these counters, which its triggers update.
  agent_counts: false,
  task_counts: false,
} as const satisfies Readonly<Record<keyof Tables, boolean>>;

export const COPIED_TABLES: readonly string[] = Object.entries(IS_COPIED)
  .filter(([, isCopied]) => isCopied)
  .map(([table]) => table);

export const LEFT_TABLES: readonly string[] = Object.entries(IS_COPIED)
  .filter(([, isCopied]) => !isCopied)
  .map(([table]) => table);
