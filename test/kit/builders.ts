import type { Agent } from "../../src/domain/agent.ts";
import type { Group } from "../../src/domain/group.ts";

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
    role: "impl-code",
    runner: "rehearsal",
    model: "claude-4-sonnet",
    status: "queued",
    process: "waiting",
    stopReason: null,
    workingDirectory: "/",
    access: "read-write",
    timeoutMs: null,
    priority: 0,
    slot: "worker",
    stageIndex: null,
    held: false,
    clientKeys: [],
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
    version: 1,
    ...over,
  };
}
