import type { ServerFrame } from "../../src/contract/live.ts";

export const AGENTS = 500;
export const UPDATES_PER_SECOND = 2_000;
export const FRAME_MS = 50;

const GROUPS = 20;
const PER_FRAME = (UPDATES_PER_SECOND * FRAME_MS) / 1_000;
const BEGAN = new Date().toISOString();
const WORDS = "ログイン画面の試験を書いています。次に実装を直し、もう一度走らせます。";

const idOf = (index: number) => `impl-code-1794733200-${index.toString(16).padStart(4, "0")}`;
const groupOf = (index: number) => `grp-1794733200-${String(index % GROUPS).padStart(4, "0")}`;

/** 500 agents at work in 20 groups. */
export function snapshot(): ServerFrame {
  return {
    t: "snapshot",
    epoch: "bench",
    seq: 0,
    state: {
      server: { version: "0", availableModels: [] },
      groups: Array.from({ length: GROUPS }, (_, index) => ({
        groupId: groupOf(index),
        description: `組 ${index}`,
        mode: "concurrent",
        status: "active",
        createdAt: BEGAN,
        deletedAt: null,
      })),
      agents: Array.from({ length: AGENTS }, (_, index) => ({
        agentId: idOf(index),
        groupId: groupOf(index),
        role: "impl-code",
        model: "claude-4-sonnet",
        runner: "cursor",
        status: "running",
        startedAt: BEGAN,
        createdAt: BEGAN,
        endedAt: null,
        elapsed_ms: 0,
        toolCallCount: 0,
        lastMessage: WORDS,
        stageIndex: null,
      })),
      roles: [],
      tasks: [],
      approvals: [],
      pendingApprovals: 0,
      health: null,
    },
  };
}

/** The frame number `at`: each agent in turn has a new message. */
export function frameOf(at: number): ServerFrame {
  const from = at * PER_FRAME + 1;
  return {
    t: "events",
    from,
    to: from + PER_FRAME - 1,
    ev: Array.from({ length: PER_FRAME }, (_, place) => {
      const index = (at * PER_FRAME + place) % AGENTS;
      return {
        seq: from + place,
        type: "agent:status_update",
        data: {
          at: new Date().toISOString(),
          agentId: idOf(index),
          groupId: groupOf(index),
          status: "running",
          elapsed_ms: at * FRAME_MS,
          toolCallCount: at,
          lastMessage: `${WORDS}${at}`,
        },
      };
    }),
  };
}
