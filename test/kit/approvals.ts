import { requestApproval, type AskApproval } from "../../src/app/approvals/request-approval.ts";
import type { Core, Identity, TaskSettings } from "../../src/app/core.ts";
import type { Approval, ApprovalPolicy } from "../../src/domain/approvals/approval.ts";
import type { PersonRole } from "../../src/domain/people/person.ts";
import { NOON } from "./builders.ts";

export function anApproval(over: Partial<Approval> = {}): Approval {
  return {
    id: "apr-1",
    kind: "step",
    status: "pending",
    taskId: null,
    executionId: null,
    stepId: null,
    agentId: null,
    subjectId: null,
    binding: null,
    requester: "local",
    policy: { who: "anyone" },
    title: "シートに書き込みます",
    shown: { tool: "write_rows", args: { rows: 3 } },
    shownHash: "0".repeat(64),
    choices: [],
    votes: [],
    decidedBy: null,
    decidedAt: null,
    reason: null,
    choice: null,
    usedAt: null,
    expiresAt: null,
    remindAt: null,
    createdAt: NOON,
    version: 1,
    revision: 1,
    ...over,
  };
}

/** A person who has shown a token or a cookie. */
export function aPerson(id: string, role: PersonRole = "operator"): Identity {
  return { kind: "person", cwd: null, keys: {}, person: { id, name: id, role } };
}

/** A pending approval without a task, so that a decision has no further effect. */
export async function ask(core: Core, over: Partial<AskApproval> = {}): Promise<Approval> {
  return core.store.transaction((unit) =>
    requestApproval(core, unit, {
      kind: "step",
      taskId: null,
      requester: "aoi",
      title: "シートに書き込みます",
      shown: { tool: "write_rows", args: { rows: 3 } },
      ...over,
    }),
  );
}

/** Settings with this policy for approvals of every kind. */
export function decidedBy(policy: ApprovalPolicy, over: Partial<TaskSettings> = {}): TaskSettings {
  const approvals = {
    prompt: policy,
    process: policy,
    step: policy,
    unplanned_tool: policy,
    call: policy,
    question: policy,
    outcome: policy,
    merge: policy,
  };
  return {
    maxRegenerations: 5,
    holdForMs: 180_000,
    unplannedTools: "ask",
    approvals,
    approvalExpiryMs: null,
    remindAfterMs: null,
    types: [],
    ...over,
  };
}

/** The audit entries, oldest first, without times and hashes. */
export async function audited(core: Core) {
  const entries = await core.store.listAuditAfter(0, 10_000);
  return entries.map(({ actor, action, subject, data }) => ({ actor, action, subject, data }));
}
