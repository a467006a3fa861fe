import type { AgentCard } from "../../src/contract/shapes/agents.ts";
import type { WireApproval } from "../../src/contract/shapes/approvals.ts";
import type { WireGroup } from "../../src/contract/shapes/groups.ts";
import type { WireTask } from "../../src/contract/shapes/tasks.ts";

const AT = "2026-11-15T12:00:00.000Z";
let drawn = 0;

/** Builders of what the dashboard receives. Each agent is younger than the one before. */
export function anAgentCard(over: Partial<AgentCard> = {}): AgentCard {
  drawn += 1;
  return {
    agentId: `impl-code-1-${drawn}`,
    groupId: "grp-1",
    role: "impl-code",
    model: "m",
    runner: "rehearsal",
    status: "running",
    startedAt: null,
    createdAt: new Date(drawn).toISOString(),
    endedAt: null,
    elapsed_ms: 0,
    toolCallCount: 0,
    lastMessage: "",
    stageIndex: null,
    ...over,
  };
}

export function aWireGroup(groupId: string, over: Partial<WireGroup> = {}): WireGroup {
  return {
    groupId,
    description: groupId,
    mode: "concurrent",
    status: "active",
    createdAt: "2026-01-01T00:00:00Z",
    deletedAt: null,
    ...over,
  };
}

export function aWireTask(over: Partial<WireTask> = {}): WireTask {
  return {
    taskId: "task-1",
    request: "x",
    requester: "local",
    door: "web",
    status: "in_progress",
    title: null,
    description: null,
    priority: "medium",
    type: null,
    workingDirectory: "/work",
    groupId: "grp-1",
    promptId: null,
    processId: null,
    executionId: null,
    regenerations: 0,
    failure: null,
    statusBy: null,
    statusReason: null,
    createdAt: AT,
    updatedAt: AT,
    endedAt: null,
    version: 1,
    ...over,
  };
}

export function aWireApproval(over: Partial<WireApproval> = {}): WireApproval {
  return {
    approvalId: "apr-1",
    kind: "prompt",
    status: "pending",
    version: 1,
    taskId: "task-1",
    executionId: null,
    stepId: null,
    agentId: null,
    subjectId: null,
    requester: "local",
    policy: { who: "anyone" },
    title: "x",
    shown: {},
    shownHash: "h",
    choices: [],
    votes: [],
    decidedBy: null,
    decidedAt: null,
    reason: null,
    answer: null,
    createdAt: AT,
    expiresAt: null,
    ...over,
  };
}
