import type { Agent } from "../../src/domain/agents/agent.ts";
import type { Alert } from "../../src/domain/alerts/alert.ts";
import type { Approval } from "../../src/domain/approvals/approval.ts";
import type { ChangeComment, ChangeVersion } from "../../src/domain/changes/change.ts";
import type { ToolCall } from "../../src/domain/gateway/tool-call.ts";
import type { Group } from "../../src/domain/groups/group.ts";
import type { Merge } from "../../src/domain/merges/merge.ts";
import type { ProcessDraft, PromptDraft } from "../../src/domain/tasks/draft.ts";
import type { Execution } from "../../src/domain/tasks/execution.ts";
import type { Task } from "../../src/domain/tasks/task.ts";
import { branchOf, type Workspace } from "../../src/domain/workspaces/workspace.ts";

/** 2026-11-15T09:00:00Z */
export const NOON = Date.UTC(2026, 10, 15, 9);

export function aGroup(over: Partial<Group> = {}): Group {
  return {
    id: "grp-1794733200-b4e1",
    description: "認証機能の実装・テスト・レビュー",
    mode: "concurrent",
    status: "active",
    parentGroupId: null,
    orchestratorAgentId: null,
    stages: null,
    magentic: null,
    createdAt: NOON,
    deletedAt: null,
    version: 1,
    ...over,
  };
}

export function anAgent(over: Partial<Agent> = {}): Agent {
  return {
    id: "impl-code-1794733200-a3f2",
    groupId: "grp-1794733200-b4e1",
    taskId: null,
    executionId: null,
    runnerNote: null,
    resumeSession: null,
    resumedAgentId: null,
    requester: null,
    role: "impl-code",
    runner: "rehearsal",
    model: "claude-4-sonnet",
    status: "queued",
    process: "waiting",
    stopReason: null,
    workingDirectory: "/",
    tree: null,
    workspaceId: null,
    access: "read-write",
    timeoutMs: null,
    priority: 0,
    slot: "worker",
    stageIndex: null,
    held: false,
    clientKeys: [],
    labels: [],
    workerId: null,
    attempt: 0,
    tokenHash: null,
    pid: null,
    pidStart: null,
    bootId: null,
    exitCode: null,
    createdAt: NOON,
    startedAt: null,
    endedAt: null,
    reportedAt: null,
    helloAt: null,
    degraded: null,
    version: 1,
    ...over,
  };
}

export function aTask(over: Partial<Task> = {}): Task {
  return {
    id: "task-01",
    request: "9月分の残業時間を集計して",
    requester: "local",
    door: "web",
    scheduleId: null,
    status: "analyzing",
    title: null,
    description: null,
    priority: "medium",
    isPriorityGiven: false,
    type: null,
    workingDirectory: "/",
    groupId: aGroup().id,
    regenerations: 0,
    draftAgentId: null,
    draftTries: 0,
    promptId: null,
    processId: null,
    executionId: null,
    failure: null,
    statusBy: null,
    statusReason: null,
    createdAt: NOON,
    updatedAt: NOON,
    endedAt: null,
    version: 1,
    ...over,
  };
}

export function aPromptDraft(over: Partial<PromptDraft> = {}): PromptDraft {
  return {
    id: "prm-01",
    taskId: "task-01",
    version: 1,
    content: "勤怠から残業時間を計算し、シートに書く。",
    agentId: null,
    createdAt: NOON,
    ...over,
  };
}

/** Three steps of the server `hr`; a person checks the last. */
export function aProcessDraft(over: Partial<ProcessDraft> = {}): ProcessDraft {
  const step = { server: "hr", requiresHumanCheck: false };
  return {
    id: "prc-01",
    taskId: "task-01",
    promptId: "prm-01",
    version: 1,
    steps: [
      { ...step, id: "step-1", order: 1, title: "社員一覧を取る", tool: "list_employees" },
      { ...step, id: "step-2", order: 2, title: "残業を計算する", tool: "calculate_overtime" },
      {
        id: "step-3",
        order: 3,
        title: "シートに書く",
        server: "hr",
        tool: "write_rows_to_google_sheet",
        requiresHumanCheck: true,
      },
    ],
    agentId: null,
    createdAt: NOON,
    ...over,
  };
}

/** Steps of the process above, none of them started. */
export function anExecution(over: Partial<Execution> = {}): Execution {
  return {
    id: "exe-01",
    taskId: "task-01",
    processId: "prc-01",
    attempt: 1,
    status: "queued",
    agentId: null,
    agentIds: [],
    steps: aProcessDraft().steps.map(({ id }) => ({
      stepId: id,
      status: "waiting",
      startedAt: null,
      endedAt: null,
      calls: 0,
      error: null,
      note: null,
    })),
    namedStepId: null,
    stopFor: null,
    summary: null,
    response: null,
    error: null,
    createdAt: NOON,
    startedAt: null,
    endedAt: null,
    version: 1,
    ...over,
  };
}

export function anAlert(over: Partial<Alert> = {}): Alert {
  return {
    id: "alr-1",
    key: "task-1:1",
    target: "webhook:ops",
    kind: "task.failed",
    taskId: null,
    groupId: null,
    agentId: null,
    approvalId: null,
    title: "四半期レポート",
    detail: null,
    requester: null,
    recipients: null,
    status: "pending",
    dueAt: NOON,
    messageId: null,
    tries: 0,
    error: null,
    createdAt: NOON,
    endedAt: null,
    version: 1,
    ...over,
  };
}

export function anApproval(over: Partial<Approval> = {}): Approval {
  return {
    id: "apr-01",
    kind: "prompt",
    status: "pending",
    taskId: "task-01",
    executionId: null,
    stepId: null,
    agentId: null,
    subjectId: null,
    binding: null,
    requester: "local",
    policy: { who: "anyone" },
    title: "実行方針の確認",
    shown: { content: aPromptDraft().content },
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

export function aToolCall(over: Partial<ToolCall> = {}): ToolCall {
  return {
    id: "call-01",
    taskId: "task-01",
    executionId: "exe-01",
    agentId: anAgent().id,
    stepId: "step-1",
    server: "hr",
    tool: "list_employees",
    args: "{}",
    argsHash: "0".repeat(64),
    status: "forwarded",
    approvalId: null,
    answer: null,
    error: null,
    startedAt: NOON,
    endedAt: null,
    version: 1,
    sentBy: null,
    delivery: null,
    handedTo: null,
    ...over,
  };
}

/** A captured change of one file, with version 1. */
export function aWorkspace(over: Partial<Workspace> = {}): Workspace {
  return {
    id: "wsp-01",
    agentId: anAgent().id,
    groupId: aGroup().id,
    taskId: null,
    requester: "local",
    status: "captured",
    outcome: "open",
    repository: "/repo/.git",
    source: "/repo",
    prefix: "",
    path: "/worktrees/wsp-01",
    workerId: null,
    serverId: null,
    fetchProblem: null,
    branch: branchOf(aGroup().id, anAgent().id),
    basedOn: { kind: "head" },
    base: "a".repeat(40),
    start: "a".repeat(40),
    target: "main",
    version: 1,
    head: "b".repeat(40),
    files: 1,
    added: 2,
    removed: 1,
    attention: [],
    ports: null,
    diskBytes: null,
    fingerprint: null,
    createdAt: NOON,
    capturedAt: NOON,
    closedAt: null,
    retiredAt: null,
    revision: 1,
    ...over,
  };
}

export function aChangeVersion(over: Partial<ChangeVersion> = {}): ChangeVersion {
  return {
    workspaceId: "wsp-01",
    version: 1,
    agentId: anAgent().id,
    base: "a".repeat(40),
    commit: "b".repeat(40),
    tree: "c".repeat(40),
    files: 1,
    added: 2,
    removed: 1,
    paths: ["src/app.ts"],
    attention: [],
    at: NOON,
    ...over,
  };
}

export function aComment(over: Partial<ChangeComment> = {}): ChangeComment {
  return {
    id: "cmt-01",
    workspaceId: "wsp-01",
    version: 1,
    path: "src/app.ts",
    side: "new",
    line: 3,
    endLine: 4,
    quote: "const a = 1;\nconst b = 2;",
    body: "名前を変えてください。",
    author: "local",
    status: "draft",
    createdAt: NOON,
    sentAt: null,
    sentTo: null,
    revision: 1,
    ...over,
  };
}

export function aMerge(over: Partial<Merge> = {}): Merge {
  return {
    id: "mrg-01",
    workspaceId: "wsp-01",
    agentId: anAgent().id,
    groupId: aGroup().id,
    taskId: null,
    repository: "/repo/.git",
    version: 1,
    change: "b".repeat(40),
    base: "a".repeat(40),
    target: "main",
    mode: "squash",
    message: "認証を加える",
    status: "awaiting_approval",
    approvalId: null,
    requester: "local",
    intoCheckout: false,
    from: null,
    result: null,
    checkExit: null,
    checkOutput: null,
    serverId: null,
    problem: null,
    conflicts: [],
    createdAt: NOON,
    queuedAt: null,
    endedAt: null,
    revision: 1,
    ...over,
  };
}
