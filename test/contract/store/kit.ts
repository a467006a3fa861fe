import { expect } from "vitest";
import type { Store } from "../../../src/app/ports/store.ts";
import type { EventOf } from "../../../src/contract/events/events.ts";
import type { Agent } from "../../../src/domain/agents/agent.ts";
import type { AgentProgress } from "../../../src/domain/agents/progress.ts";
import type { AgentReport, AgentResult } from "../../../src/domain/agents/result.ts";
import type { AgentId } from "../../../src/domain/ids.ts";
import { aGroup, anAgent, NOON } from "../../kit/builders.ts";

export type Open = () => Promise<Store>;

/** `one`: transactions are committed in the order of the calls. `many`: in any order. */
export type Writers = "one" | "many";

/** Sorts what many writers may do in any order. */
export function inOrder<T extends string | number>(
  writers: Writers,
  items: readonly T[],
): readonly T[] {
  return writers === "one" ? items : items.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}

/** Any of the concurrent changes may win; returns what it stored. */
export function expectOneWinner<T>(outcomes: readonly PromiseSettledResult<T>[]): T {
  const winners = outcomes.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
  const reasons = outcomes.flatMap((each) => (each.status === "rejected" ? [each.reason] : []));
  for (const reason of reasons) {
    expect(reason).toMatchObject({ name: "Refusal", code: "VERSION_CONFLICT" });
  }
  expect(winners).toHaveLength(1);
  const [winner] = winners;
  if (winner === undefined) throw new Error("No change won.");
  return winner;
}

export async function insert(
  store: Store,
  agents: readonly Agent[],
  prompt = "prompt",
): Promise<void> {
  await store.transaction(async (unit) => {
    await unit.insertGroup(aGroup());
    for (const agent of agents) expect(await unit.insertAgent(agent, prompt)).toBe(true);
  });
}

export async function append(store: Store, events: readonly AnEvent[]): Promise<void> {
  await store.transaction(async (unit) => {
    for (const event of events) await unit.emit(event);
  });
}

export async function requireAgent(from: Pick<Store, "getAgent">, id: AgentId): Promise<Agent> {
  const agent = await from.getAgent(id);
  if (!agent) throw new Error(`No agent ${id}.`);
  return agent;
}

export function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

/** A higher number means a newer agent. */
export function numbered(n: number, over: Partial<Agent> = {}): Agent {
  return anAgent({ id: `impl-code-1794733200-${n}`, createdAt: NOON + n, ...over });
}

export function fullProgress(): AgentProgress {
  return {
    offset: 5_000_000_000,
    lines: 12,
    skippedLines: 1,
    toolCallCount: 7,
    pollCount: 3,
    lastMessage: "進捗",
    editedFiles: ["a.ts", "日本.ts"],
    createdFiles: ["b.ts"],
    deletedFiles: ["c.ts"],
    usage: { inputTokens: 1, outputTokens: 2, cacheReadTokens: 3, cacheWriteTokens: 4 },
    costUsd: 0.25,
    sessionUsage: { inputTokens: 5, outputTokens: 6, cacheReadTokens: 7, cacheWriteTokens: 8 },
    usageBefore: { inputTokens: 4, outputTokens: 4, cacheReadTokens: 4, cacheWriteTokens: 4 },
    sessionId: "session",
    reportedModel: "model",
    promptSentAt: NOON,
    openTools: [
      { callId: "c-1", name: "read", startedAt: NOON, files: [{ path: "a.ts", existed: true }] },
    ],
    lastTool: { name: "write", ok: true, output: "書いた", endedAt: NOON },
    mcpConnected: true,
    retries: {
      count: 3,
      inARow: 1,
      lastReason: "overloaded",
      lastFailure: { kind: "overloaded", resetsAt: null },
    },
    steered: ["ntf-1"],
    warnings: ["read-only is not guaranteed"],
    requestId: "request-1",
    triedHosts: ["wrk-1"],
    lostSession: "earlier-session",
    end: {
      ok: false,
      text: "",
      durationMs: null,
      error: "broke",
      failure: { kind: "quota", resetsAt: NOON },
    },
  };
}

export function aReport(over: Partial<AgentReport> = {}): AgentReport {
  return {
    status: "success",
    summary: "Done.",
    response: "# 報告",
    editedFiles: ["a.ts"],
    createdFiles: [],
    errorMessage: null,
    ...over,
  };
}

export function aResult(over: Partial<AgentResult> = {}): AgentResult {
  return {
    ...aReport(),
    agentId: anAgent().id,
    groupId: aGroup().id,
    durationMs: 1_234,
    model: "model",
    role: "impl-code",
    toolCallCount: 7,
    exitCode: "unknown",
    usage: null,
    warnings: ["careful"],
    at: NOON,
    ...over,
  };
}

export type AnEvent = EventOf<"agent:result_reported">;

export function anEvent(over: Partial<AnEvent> & { readonly summary?: string } = {}): AnEvent {
  const { summary = "", ...rest } = over;
  return {
    type: "agent:result_reported",
    groupId: aGroup().id,
    agentId: anAgent().id,
    data: { status: "success", summary },
    at: NOON,
    ...rest,
  };
}

export function fullAgent(): Agent {
  return anAgent({
    taskId: "task-1",
    executionId: "exe-1",
    runnerNote: "claude is signed out: ran with codex.",
    resumeSession: "会話-1",
    resumedAgentId: "impl-code-1794733100-b001",
    requester: "aoi",
    status: "timedOut",
    process: "ended",
    stopReason: "timeout",
    workingDirectory: "/仕事/app",
    tree: "/仕事",
    workspaceId: "wsp-01",
    access: "read-only",
    timeoutMs: 60_000,
    priority: -3,
    slot: "orchestrator",
    stageIndex: 2,
    held: true,
    clientKeys: ["CURSOR_API_KEY", "ANTHROPIC_API_KEY"],
    attempt: 4,
    tokenHash: "f".repeat(64),
    pid: 4_194_304,
    pidStart: "123456789",
    bootId: "1d2c",
    exitCode: -9,
    startedAt: NOON + 1,
    endedAt: NOON + 2,
    reportedAt: NOON + 3,
    helloAt: NOON + 4,
    degraded: "connection-failed",
  });
}
