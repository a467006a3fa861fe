import type { Insertable, Selectable } from "kysely";
import type { Approval } from "../../../../domain/approvals/approval.ts";
import { jsonColumn } from "../engine/json-column.ts";
import type { ApprovalTable } from "../engine/task-tables.ts";

const POLICY = jsonColumn<Approval["policy"]>();
const SHOWN = jsonColumn<Approval["shown"]>();
const CHOICES = jsonColumn<Approval["choices"]>();
const VOTES = jsonColumn<Approval["votes"]>();
const CHOICE = jsonColumn<NonNullable<Approval["choice"]>>();

export function toApprovalRow(approval: Approval): Insertable<ApprovalTable> {
  return {
    id: approval.id,
    kind: approval.kind,
    status: approval.status,
    task_id: approval.taskId,
    execution_id: approval.executionId,
    step_id: approval.stepId,
    agent_id: approval.agentId,
    subject_id: approval.subjectId,
    binding: approval.binding,
    requester: approval.requester,
    policy: POLICY.write(approval.policy),
    title: approval.title,
    shown: SHOWN.write(approval.shown),
    shown_hash: approval.shownHash,
    choices: CHOICES.write(approval.choices),
    votes: VOTES.write(approval.votes),
    decided_by: approval.decidedBy,
    decided_at: approval.decidedAt,
    reason: approval.reason,
    choice: approval.choice && CHOICE.write(approval.choice),
    used_at: approval.usedAt,
    expires_at: approval.expiresAt,
    remind_at: approval.remindAt,
    due_at: dueAt(approval),
    created_at: approval.createdAt,
    version: approval.version,
    revision: approval.revision,
  };
}

export function toApproval(row: Selectable<ApprovalTable>): Approval {
  return {
    id: row.id,
    kind: row.kind,
    status: row.status,
    taskId: row.task_id,
    executionId: row.execution_id,
    stepId: row.step_id,
    agentId: row.agent_id,
    subjectId: row.subject_id,
    binding: row.binding,
    requester: row.requester,
    policy: POLICY.read(row.policy),
    title: row.title,
    shown: SHOWN.read(row.shown),
    shownHash: row.shown_hash,
    choices: CHOICES.read(row.choices),
    votes: VOTES.read(row.votes),
    decidedBy: row.decided_by,
    decidedAt: row.decided_at,
    reason: row.reason,
    choice: row.choice === null ? null : CHOICE.read(row.choice),
    usedAt: row.used_at,
    expiresAt: row.expires_at,
    remindAt: row.remind_at,
    createdAt: row.created_at,
    version: row.version,
    revision: row.revision,
  };
}

function dueAt({ status, expiresAt, remindAt }: Approval): number | null {
  if (status !== "pending") return null;
  if (expiresAt === null || remindAt === null) return expiresAt ?? remindAt;
  return Math.min(expiresAt, remindAt);
}
