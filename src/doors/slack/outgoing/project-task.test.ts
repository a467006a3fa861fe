import { expect, test } from "vitest";
import {
  anApproval,
  anExecution,
  aProcessDraft,
  aPromptDraft,
  aTask,
  NOON,
} from "../../../../test/kit/builders.ts";
import { checkBlocks } from "../../../../test/kit/slack/block-kit.ts";
import { listOf } from "../../../../test/kit/slack/elements.ts";
import { viewExecution, type TaskView } from "../../../app/tasks/view-task.ts";
import { fieldsOf } from "../../../base/narrow.ts";
import type { Approval } from "../../../domain/approvals/approval.ts";
import type { Execution } from "../../../domain/tasks/execution.ts";
import { TASK_STATUSES, type Task } from "../../../domain/tasks/task.ts";
import { CARD_TEXTS } from "../cards/texts/card-texts.ts";
import type { DesiredMessage } from "./desired-message.ts";
import { projectTask } from "./project-task.ts";
import type { TaskContext } from "./task-context.ts";

const TEXTS = CARD_TEXTS.ja;
const PROMPT = anApproval({ subjectId: "prm-01" });
const PROCESS = anApproval({ id: "apr-02", kind: "process", subjectId: "prc-01" });
const APPROVED = { status: "approved", decidedBy: "suzuki", decidedAt: NOON + 1 } as const;
const REJECTED = { ...APPROVED, status: "rejected", reason: "10月分も" } as const;
const NAMED = { title: "残業時間の集計", description: "9月分", type: "集計" };

type Over = {
  readonly prompts?: readonly (readonly [number, Approval])[];
  readonly process?: Approval;
  readonly execution?: Partial<Execution>;
  readonly asks?: readonly Approval[];
  readonly context?: Partial<TaskContext>;
};

/** The messages of a task in this state. */
function messagesOf(task: Partial<Task>, over: Over = {}): readonly DesiredMessage[] {
  const { prompts = [], process, execution, asks = [] } = over;
  const draft = aProcessDraft();
  const view: TaskView = {
    task: aTask({ door: "slack", ...task }),
    prompts: prompts.map(([version, approval]) => ({
      draft: aPromptDraft({ id: `prm-0${version}`, version }),
      approval,
    })),
    processes: process ? [{ draft, approval: process }] : [],
    executions: execution
      ? [viewExecution(anExecution({ startedAt: NOON, ...execution }), draft, NOON)]
      : [],
    approvals: [...asks, ...prompts.map(([, each]) => each), ...(process ? [process] : [])],
    notifications: [],
    agents: [],
    toolCalls: [],
  };
  const context: TaskContext = {
    locale: "ja",
    dashboardUrl: "https://kuro.example",
    person: (id) => ({ name: id ?? "" }),
    maxRegenerations: 3,
    known: new Map(),
    ...over.context,
  };
  return projectTask({ view, context });
}

const HEAD = /"text":"((?:[^"\\]|\\.)*)"/;
const ACTION = /"action_id":"(\w+)"/g;

/** Kind and version, urgency, first line, and the buttons that do something. */
function outline(messages: readonly DesiredMessage[]): readonly string[] {
  return messages.map(({ key, urgency, content }) => {
    const json = JSON.stringify(content);
    const buttons = [...json.matchAll(ACTION)].flatMap(([, id]) => id ?? []);
    const acting = buttons.filter((id) => id !== "open_dashboard").join(" ");
    return [key.replace("card:task-01:", ""), urgency, HEAD.exec(json)?.[1] ?? "", acting]
      .join(" | ")
      .trim();
  });
}

const READY = "task:1 | progress | 残業時間の集計 | cancel_task";
const GREEN_PROMPT = "prompt:1 | final | 📝 実行方針(承認済み) |";
const GREEN_PROCESS = "process:1 | final | ⚙️ 実行ステップ(承認済み) |";
const approvedPrompt = { ...PROMPT, ...APPROVED };
const executing = {
  prompts: [[1, approvedPrompt]],
  process: { ...PROCESS, ...APPROVED },
} as const satisfies Over;

const STATES: readonly (readonly [string, readonly DesiredMessage[], readonly string[]])[] = [
  ["analyzing", messagesOf({}), ["task:1 | progress | 受け付けました。タスクを分析中... |"]],
  [
    "failed in the analysis",
    messagesOf({ status: "failed", failure: { stage: "analysis", message: "?" } }),
    [`task:1 | final | ${TEXTS.analysisFailed} | retry_task`],
  ],
  [
    "cancelled in the analysis",
    messagesOf({ status: "cancelled", statusBy: "suzuki" }),
    [`task:1 | final | ${TEXTS.taskCancelled} |`],
  ],
  [
    "planning",
    messagesOf({ status: "planning", ...NAMED }),
    [READY, "prompt:1 | progress | 📝 実行方針 |"],
  ],
  [
    "failed while planning",
    messagesOf({ ...NAMED, status: "failed", failure: { stage: "planning", message: "?" } }),
    [READY, `prompt:1 | final | ${TEXTS.failed("📝 実行方針")} | retry_task`],
  ],
  [
    "waiting for a decision on the prompt",
    messagesOf({ ...NAMED, status: "awaiting_prompt_approval" }, { prompts: [[1, PROMPT]] }),
    [READY, "prompt:1 | person | 📝 実行方針 | approve_prompt reject_prompt cancel_task"],
  ],
  [
    "planning again after a rejection",
    messagesOf(
      { ...NAMED, status: "planning", regenerations: 1 },
      { prompts: [[1, { ...PROMPT, ...REJECTED }]] },
    ),
    [
      READY,
      `prompt:1 | final | ${TEXTS.regenerating("📝 実行方針")} |`,
      "prompt:2 | progress | 📝 実行方針 |",
    ],
  ],
  [
    "failed while planning again",
    messagesOf(
      {
        ...NAMED,
        status: "failed",
        regenerations: 1,
        failure: { stage: "planning", message: "?" },
      },
      { prompts: [[1, { ...PROMPT, ...REJECTED }]] },
    ),
    [
      READY,
      `prompt:1 | final | ${TEXTS.notRegenerated("📝 実行方針")} |`,
      `prompt:2 | final | ${TEXTS.failed("📝 実行方針")} | retry_task`,
    ],
  ],
  [
    "waiting for a decision on the second prompt",
    messagesOf(
      { ...NAMED, status: "awaiting_prompt_approval", regenerations: 1 },
      {
        prompts: [
          [1, { ...PROMPT, ...REJECTED }],
          [2, { ...PROMPT, id: "apr-03", subjectId: "prm-02" }],
        ],
      },
    ),
    [
      READY,
      "prompt:1 | final | 📝 実行方針(却下 → 再生成済み) |",
      "prompt:2 | person | 📝 実行方針 | approve_prompt reject_prompt cancel_task",
    ],
  ],
  [
    "cancelled because no regeneration is left",
    messagesOf(
      { ...NAMED, status: "cancelled", regenerations: 4, statusBy: "suzuki" },
      { prompts: [[1, { ...PROMPT, ...REJECTED }]] },
    ),
    [`task:1 | final | ${TEXTS.taskCancelled} |`, "prompt:1 | final | 📝 実行方針(キャンセル) |"],
  ],
  [
    "cancelled while the prompt waited",
    messagesOf(
      { ...NAMED, status: "cancelled", statusBy: "suzuki" },
      { prompts: [[1, { ...PROMPT, status: "cancelled", decidedAt: NOON }]] },
    ),
    [`task:1 | final | ${TEXTS.taskCancelled} |`, "prompt:1 | final | 📝 実行方針(キャンセル) |"],
  ],
  [
    "cancelled while a prompt was drafted",
    messagesOf(
      { ...NAMED, status: "cancelled", statusBy: "suzuki" },
      { context: { known: new Map([["card:task-01:prompt:1", { isDead: false }]]) } },
    ),
    [`task:1 | final | ${TEXTS.taskCancelled} |`, "prompt:1 | final | 📝 実行方針(キャンセル) |"],
  ],
  [
    "expired",
    messagesOf(
      { ...NAMED, status: "failed", failure: { stage: "prompt_approval", message: "?" } },
      { prompts: [[1, { ...PROMPT, status: "expired", decidedAt: NOON }]] },
    ),
    [READY, `prompt:1 | final | ${TEXTS.expired("📝 実行方針")} | retry_task`],
  ],
  [
    "designing",
    messagesOf({ ...NAMED, status: "designing" }, { prompts: [[1, approvedPrompt]] }),
    [READY, GREEN_PROMPT, "process:1 | progress | ⚙️ 実行ステップ |"],
  ],
  [
    "waiting for a decision on the process",
    messagesOf(
      { ...NAMED, status: "awaiting_process_approval" },
      { prompts: [[1, approvedPrompt]], process: PROCESS },
    ),
    [
      READY,
      GREEN_PROMPT,
      "process:1 | person | ⚙️ 実行ステップ | approve_process reject_process cancel_task",
    ],
  ],
  [
    "running",
    messagesOf(
      { ...NAMED, status: "in_progress" },
      { ...executing, execution: { status: "running" } },
    ),
    [
      READY,
      GREEN_PROMPT,
      GREEN_PROCESS,
      "execution:1 | progress | 🚀 実行中 | cancel_execution block_task",
    ],
  ],
  [
    "waiting for a human check",
    messagesOf(
      { ...NAMED, status: "in_progress" },
      {
        ...executing,
        execution: { status: "waiting_for_human" },
        asks: [anAsk("step"), anAsk("question"), anAsk("outcome")],
      },
    ),
    [
      READY,
      GREEN_PROMPT,
      GREEN_PROCESS,
      `execution:1 | progress | ${TEXTS.waiting} | cancel_execution block_task`,
      "ask:apr-outcome | person | ❓ 結果不明の呼び出し | outcome_done outcome_repeat outcome_failed",
      "ask:apr-question | person | 💬 エージェントからの質問 | answer_question",
      "ask:apr-step | person | ⏸️ 人の確認 | approve_step reject_step",
    ],
  ],
  [
    "stopping",
    messagesOf(
      { ...NAMED, status: "blocked", statusBy: "suzuki", statusReason: "待って" },
      { ...executing, execution: { status: "stopping", stopFor: "blocked" } },
    ),
    [READY, GREEN_PROMPT, GREEN_PROCESS, `execution:1 | final | ${TEXTS.stopping} |`],
  ],
  [
    "blocked",
    messagesOf(
      { ...NAMED, status: "blocked", statusBy: "suzuki", statusReason: "待って" },
      { ...executing, execution: { status: "blocked" } },
    ),
    [
      READY,
      GREEN_PROMPT,
      GREEN_PROCESS,
      `execution:1 | final | ${TEXTS.blocked} | unblock_task cancel_execution`,
    ],
  ],
  [
    "completed",
    messagesOf(
      { ...NAMED, status: "completed" },
      { ...executing, execution: { status: "completed", summary: "できました", endedAt: NOON } },
    ),
    [
      "task:1 | final | 残業時間の集計 |",
      GREEN_PROMPT,
      GREEN_PROCESS,
      "execution:1 | final | ✅ 実行完了 |",
    ],
  ],
  [
    "failed in the execution",
    messagesOf(
      { ...NAMED, status: "failed", failure: { stage: "execution", message: "?" } },
      { ...executing, execution: { status: "failed", endedAt: NOON } },
    ),
    [READY, GREEN_PROMPT, GREEN_PROCESS, "execution:1 | final | ❌ 実行失敗 | retry_execution"],
  ],
  [
    "cancelled in the execution",
    messagesOf(
      { ...NAMED, status: "cancelled", statusBy: "suzuki" },
      { ...executing, execution: { status: "cancelled", endedAt: NOON } },
    ),
    [
      `task:1 | final | ${TEXTS.taskCancelled} |`,
      GREEN_PROMPT,
      GREEN_PROCESS,
      "execution:1 | final | ⏹️ 実行中止 |",
    ],
  ],
];

function anAsk(kind: Approval["kind"], over: Partial<Approval> = {}): Approval {
  return anApproval({
    id: `apr-${kind}`,
    kind,
    executionId: "exe-01",
    shown: { tool: "hr/write_rows", args: { rows: [1, 2] }, question: "どの月?" },
    ...over,
  });
}

test.each(STATES)("projectTask shows a task that is %s", (_state, messages, expected) => {
  expect(outline(messages)).toEqual(expected);
});

test.each(STATES)("Slack accepts every card of a task that is %s", (_state, messages) => {
  for (const { content } of messages) {
    const { attachments } = fieldsOf(content);
    const [first] = listOf(attachments);
    const blocks = listOf(first?.["blocks"]);
    expect(blocks.length).toBeGreaterThan(0);
    expect(checkBlocks(blocks)).toEqual([]);
  }
});

test("the states above include every status of a task, and all have the order of the thread", () => {
  const order = ["task", "prompt", "process", "execution", "ask"];
  for (const [state, messages] of STATES) {
    const kinds = messages.map(({ key }) => order.indexOf(key.split(":")[2] ?? ""));
    expect({ state, kinds }).toEqual({ state, kinds: kinds.toSorted((a, b) => a - b) });
  }
  expect(STATES.length).toBeGreaterThan(TASK_STATUSES.length);
});

const LONG = { text: "x".repeat(9_000) };
const longAsk = anAsk("step", { shown: { tool: "hr/write_rows", args: LONG } });

function longCard(known: TaskContext["known"]): readonly DesiredMessage[] {
  const messages = messagesOf(
    { ...NAMED, status: "in_progress" },
    { ...executing, execution: {}, asks: [longAsk], context: { known } },
  );
  return messages.slice(4);
}

test("the exact arguments of a long call are in a snippet before the card", () => {
  const [snippet, card] = longCard(new Map());

  expect(snippet?.key).toBe("card:task-01:snippet:apr-step");
  expect(snippet?.content).toMatchObject({
    snippet: { filename: "apr-step.json", content: expect.stringContaining(LONG.text) },
  });
  expect(JSON.stringify(card?.content)).toContain("スニペット");
});

test("a card refers to the dashboard if the snippet could not be uploaded", () => {
  const known = new Map([["card:task-01:snippet:apr-step", { isDead: true }]]);

  const json = JSON.stringify(longCard(known));

  expect(json).not.toContain("スレッドのスニペット");
  expect(json).toContain("https://kuro.example/approvals/apr-step");
});

test("what was decided before it was shown has no card, and a shown one says who decided", () => {
  const decided = anAsk("question", {
    ...APPROVED,
    choice: { scope: "once", onReject: "fail", answer: "9月" },
  });
  const of = (known: TaskContext["known"]) =>
    messagesOf(
      { ...NAMED, status: "in_progress" },
      { ...executing, execution: {}, asks: [decided], context: { known } },
    ).slice(4);
  expect(of(new Map())).toEqual([]);

  const [card] = of(new Map([["card:task-01:ask:apr-question", { isDead: false }]]));

  expect(outline(card ? [card] : [])).toEqual([
    "ask:apr-question | final | 💬 エージェントからの質問(回答済み) |",
  ]);
  expect(JSON.stringify(card?.content)).toContain("suzuki");
});

test("a card says who may decide, how many must and until when", () => {
  const approval: Approval = {
    ...PROMPT,
    policy: { who: "quorum", count: 2, users: ["suzuki", "tanaka"] },
    votes: [{ by: "suzuki", decision: "approve", reason: null, at: NOON }],
    expiresAt: NOON + 60_000,
  };
  const [, card] = messagesOf(
    { ...NAMED, status: "awaiting_prompt_approval" },
    { prompts: [[1, approval]] },
  );
  const json = JSON.stringify(card?.content);

  for (const shown of ["suzuki", "tanaka", "1/2", `<!date^${(NOON + 60_000) / 1_000}^`]) {
    expect(json).toContain(shown);
  }
});
