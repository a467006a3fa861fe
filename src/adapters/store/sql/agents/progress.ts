import type { Selectable } from "kysely";
import {
  type AgentEnd,
  type AgentProgress,
  NO_PROGRESS,
} from "../../../../domain/agents/progress.ts";
import type { Usage } from "../../../../domain/agents/runner.ts";
import type { AgentId } from "../../../../domain/ids.ts";
import { jsonColumn } from "../engine/json-column.ts";
import { prepared } from "../engine/prepared.ts";
import type { AgentProgressTable, Db } from "../engine/tables.ts";

const FILES = jsonColumn<readonly string[]>();
const USAGE = jsonColumn<Usage>();
const END = jsonColumn<AgentEnd>();
type Activity = Pick<
  AgentProgress,
  | "pollCount"
  | "promptSentAt"
  | "openTools"
  | "lastTool"
  | "deletedFiles"
  | "costUsd"
  | "sessionUsage"
  | "usageBefore"
  | "mcpConnected"
  | "retries"
  | "steered"
  | "warnings"
  | "requestId"
  | "lostSession"
  | "triedHosts"
>;
const ACTIVITY = jsonColumn<Partial<Activity>>();

/** What an earlier version did not store has the value of an agent without progress. */
export function readActivity(column: string | null): Activity {
  return { ...activityOf(NO_PROGRESS), ...(column !== null && ACTIVITY.read(column)) };
}

function activityOf(progress: AgentProgress): Activity {
  return {
    pollCount: progress.pollCount,
    promptSentAt: progress.promptSentAt,
    openTools: progress.openTools,
    lastTool: progress.lastTool,
    deletedFiles: progress.deletedFiles,
    costUsd: progress.costUsd,
    sessionUsage: progress.sessionUsage,
    usageBefore: progress.usageBefore,
    mcpConnected: progress.mcpConnected,
    retries: progress.retries,
    steered: progress.steered,
    warnings: progress.warnings,
    requestId: progress.requestId,
    lostSession: progress.lostSession,
    triedHosts: progress.triedHosts,
  };
}

const selectRow = prepared(
  (db, id: AgentId) => db.selectFrom("agent_progress").selectAll().where("agent_id", "=", id),
  (id) => [id],
);

export async function getProgress(db: Db, id: AgentId): Promise<AgentProgress> {
  const [row] = (await selectRow(db, id)).rows;
  return row ? toProgress(row) : NO_PROGRESS;
}

export async function putProgress(db: Db, id: AgentId, progress: AgentProgress): Promise<void> {
  await putRow(db, id, toRow(progress));
}

const putRow = prepared(
  (db, id: AgentId, columns: ReturnType<typeof toRow>) =>
    db
      .insertInto("agent_progress")
      .values({ agent_id: id, ...columns })
      .onConflict((conflict) => conflict.column("agent_id").doUpdateSet(columns)),
  (id, columns) => [id, ...Object.values(columns), ...Object.values(columns)],
);

function toRow(progress: AgentProgress): Omit<AgentProgressTable, "agent_id"> {
  return {
    offset: progress.offset,
    lines: progress.lines,
    skipped_lines: progress.skippedLines,
    tool_call_count: progress.toolCallCount,
    last_message: progress.lastMessage,
    edited_files: FILES.write(progress.editedFiles),
    created_files: FILES.write(progress.createdFiles),
    usage: progress.usage && USAGE.write(progress.usage),
    session_id: progress.sessionId,
    reported_model: progress.reportedModel,
    end: progress.end && END.write(progress.end),
    activity: ACTIVITY.write(activityOf(progress)),
  };
}

function toProgress(row: Selectable<AgentProgressTable>): AgentProgress {
  return {
    offset: row.offset,
    lines: row.lines,
    skippedLines: row.skipped_lines,
    toolCallCount: row.tool_call_count,
    lastMessage: row.last_message,
    editedFiles: FILES.read(row.edited_files),
    createdFiles: FILES.read(row.created_files),
    usage: row.usage === null ? null : USAGE.read(row.usage),
    sessionId: row.session_id,
    reportedModel: row.reported_model,
    ...readActivity(row.activity),
    end: row.end === null ? null : END.read(row.end),
  };
}
