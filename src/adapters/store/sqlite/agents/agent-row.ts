import type { Insertable, Selectable } from "kysely";
import type { Agent } from "../../../../domain/agents/agent.ts";
import { jsonColumn } from "../engine/json-column.ts";
import type { AgentTable } from "../engine/tables.ts";

const CLIENT_KEYS = jsonColumn<readonly string[]>();

export function toAgentRow(agent: Agent): Insertable<AgentTable> {
  return {
    id: agent.id,
    group_id: agent.groupId,
    task_id: agent.taskId,
    execution_id: agent.executionId,
    requester: agent.requester,
    role: agent.role,
    runner: agent.runner,
    model: agent.model,
    status: agent.status,
    process: agent.process,
    stop_reason: agent.stopReason,
    working_directory: agent.workingDirectory,
    access: agent.access,
    timeout_ms: agent.timeoutMs,
    priority: agent.priority,
    slot: agent.slot,
    stage_index: agent.stageIndex,
    held: agent.held ? 1 : 0,
    client_keys: CLIENT_KEYS.write(agent.clientKeys),
    resume_session: agent.resumeSession,
    resumed_agent_id: agent.resumedAgentId,
    attempt: agent.attempt,
    token_hash: agent.tokenHash,
    pid: agent.pid,
    pid_start: agent.pidStart,
    boot_id: agent.bootId,
    exit_code: agent.exitCode,
    created_at: agent.createdAt,
    started_at: agent.startedAt,
    ended_at: agent.endedAt,
    reported_at: agent.reportedAt,
    hello_at: agent.helloAt,
    degraded: agent.degraded,
    version: agent.version,
  };
}

export function toAgent(row: Selectable<AgentTable>): Agent {
  return {
    id: row.id,
    groupId: row.group_id,
    taskId: row.task_id,
    executionId: row.execution_id,
    requester: row.requester,
    role: row.role,
    runner: row.runner,
    model: row.model,
    status: row.status,
    process: row.process,
    stopReason: row.stop_reason,
    workingDirectory: row.working_directory,
    access: row.access,
    timeoutMs: row.timeout_ms,
    priority: row.priority,
    slot: row.slot,
    stageIndex: row.stage_index,
    held: row.held === 1,
    clientKeys: CLIENT_KEYS.read(row.client_keys),
    resumeSession: row.resume_session,
    resumedAgentId: row.resumed_agent_id,
    attempt: row.attempt,
    tokenHash: row.token_hash,
    pid: row.pid,
    pidStart: row.pid_start,
    bootId: row.boot_id,
    exitCode: row.exit_code,
    createdAt: row.created_at,
    startedAt: row.started_at,
    endedAt: row.ended_at,
    reportedAt: row.reported_at,
    helloAt: row.hello_at,
    degraded: row.degraded,
    version: row.version,
  };
}
