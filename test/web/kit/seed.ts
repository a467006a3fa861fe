/**
 * Fills a store before the daemon starts, with data that would take too long to create otherwise:
 *   node seed.ts <data directory> fleet|odd|huge|still|hidden|paused
 */
import { openStore } from "../../../src/adapters/store/open-store.ts";
import type { UnitOfWork } from "../../../src/app/ports/store.ts";
import type { Agent } from "../../../src/domain/agents/agent.ts";
import { NO_PROGRESS } from "../../../src/domain/agents/progress.ts";
import { observedResult } from "../../../src/domain/agents/result.ts";
import {
  aGroup,
  anAgent,
  anApproval,
  aProcessDraft,
  aPromptDraft,
  aTask,
  NOON,
} from "../../kit/builders.ts";
import { aSchedule } from "../../kit/schedules.ts";

const MEGABYTE = 1_048_576;
const SCRIPT = `<script>document.title = "broken"</script><img src=x onerror="document.title='broken'">`;
const RTL = "مرحبا بالعالم \u202E evil \u202C שלום";
const EMOJI = "👩‍👩‍👧‍👦🏴󠁧󠁢󠁳󠁣󠁴󠁿🇯🇵é́́́́";

/** Tag characters, a change of direction, a zero-width space, DEL, C1 and a variation selector. */
const HIDDEN = "safe\u{e0070}\u{e0061}\u202e\u200b\u007f\u009b\ufe01";

const [dataDir = "", what = ""] = process.argv.slice(2);
const SEEDS: Readonly<Record<string, (unit: UnitOfWork) => Promise<void>>> = {
  fleet,
  odd,
  huge,
  still,
  hidden,
  paused,
};
const store = await openStore({ dataDir });
const seed = SEEDS[what];
if (!seed) throw new Error(`There is no seed ${what}.`);
await store.transaction(seed);
await store.close();

async function settled(unit: UnitOfWork, over: Partial<Agent>, said: string): Promise<void> {
  const agent = anAgent({
    status: "resultReported",
    process: "ended",
    attempt: 1,
    exitCode: 0,
    startedAt: NOON,
    endedAt: NOON + 61_000,
    reportedAt: NOON + 60_000,
    ...over,
  });
  await unit.insertAgent(agent, said);
  const progress = { ...NO_PROGRESS, lastMessage: said, toolCallCount: 3, lines: 9 };
  await unit.putProgress(agent.id, progress);
  const result = observedResult(agent, progress, null, NOON + 61_000);
  await unit.putResult(agent.id, result);
}

/** 5,000 agents in 25 groups, one of which has most of them. */
async function fleet(unit: UnitOfWork): Promise<void> {
  for (let at = 0; at < 25; at++) {
    const id = `grp-1794733200-${String(at).padStart(4, "0")}` as const;
    await unit.insertGroup(aGroup({ id, description: `組 ${at}`, createdAt: NOON + at }));
    for (let each = 0; each < (at === 0 ? 2_600 : 100); each++) {
      const tail = (at * 10_000 + each).toString(16).padStart(6, "0");
      const agentId = `impl-code-1794733200-${tail}` as const;
      const status = each % 9 === 0 ? ("failed" as const) : ("resultReported" as const);
      await settled(unit, { id: agentId, groupId: id, status, createdAt: NOON + each }, "済");
    }
  }
}

/** Texts that try to break a page, as names everywhere. */
async function odd(unit: UnitOfWork): Promise<void> {
  for (const [name, text] of Object.entries({ script: SCRIPT, rtl: RTL, emoji: EMOJI })) {
    await everywhere(unit, name, text, text);
  }
}

/** Texts of 10 MB wherever outside input may be that long. */
async function huge(unit: UnitOfWork): Promise<void> {
  const long = "lorem ipsum ".repeat((10 * MEGABYTE) / 12);
  await everywhere(unit, "huge", "名前は普通です", long);
}

/** A task with a pending question, its approval, a group and an agent, all with this text. */
async function everywhere(unit: UnitOfWork, name: string, text: string, long: string) {
  const id = `grp-1794733200-${name}` as const;
  await unit.insertGroup(aGroup({ id, description: text }));
  await settled(unit, { id: `impl-code-1794733200-${name}`, groupId: id }, long);
  await unit.insertTask(
    aTask({
      id: `task-${name}`,
      groupId: id,
      request: text,
      title: text,
      description: long,
      requester: text,
      status: "awaiting_prompt_approval",
      promptId: `prm-${name}`,
    }),
  );
  const content = `${long}\n\n# ${text}`;
  await unit.insertPromptDraft(
    aPromptDraft({ id: `prm-${name}`, taskId: `task-${name}`, content }),
  );
  await unit.insertApproval(
    anApproval({
      id: `apr-${name}`,
      taskId: `task-${name}`,
      subjectId: `prm-${name}`,
      title: text,
      shown: { content, request: text, version: 1 },
    }),
  );
}

/** Approvals of every kind with invisible characters in every field that others can write. */
async function hidden(unit: UnitOfWork): Promise<void> {
  const group = aGroup();
  await unit.insertGroup(group);
  await unit.insertTask(
    aTask({ title: HIDDEN, request: HIDDEN, status: "awaiting_prompt_approval" }),
  );
  const args = {
    [HIDDEN]: HIDDEN,
    names: Array.from({ length: 120 }, (_, at) => (at === 119 ? HIDDEN : `name-${at}`)),
    rows: Array.from({ length: 301 }, (_, at) =>
      at === 300
        ? { name: HIDDEN, [`late${HIDDEN}`]: `${"x".repeat(500)}${HIDDEN}` }
        : { name: `row-${at}` },
    ),
    deep: { deeper: { deepest: { bottom: [HIDDEN] } } },
  };
  const tool = `hr/write${HIDDEN}`;
  const steps = [{ id: "step-1", order: 1, title: HIDDEN, server: "hr", tool: HIDDEN }];
  const common = { title: HIDDEN, choices: [] };
  const approvals = [
    anApproval({ ...common, id: "apr-prompt", shown: { content: HIDDEN, request: HIDDEN } }),
    anApproval({ ...common, id: "apr-process", kind: "process", shown: { steps } }),
    anApproval({ ...common, id: "apr-step", kind: "step", shown: { tool, args } }),
    anApproval({ ...common, id: "apr-unplanned", kind: "unplanned_tool", shown: { tool, args } }),
    anApproval({ ...common, id: "apr-outcome", kind: "outcome", shown: { tool, args } }),
    anApproval({
      ...common,
      id: "apr-question",
      kind: "question",
      choices: [HIDDEN, "no"],
      shown: { question: HIDDEN },
    }),
  ];
  for (const approval of approvals) await unit.insertApproval(approval);
}

/** Data that never changes, for the screenshots. */
/** A schedule whose requester is gone: the daemon would pause it only at its next planned time. */
async function paused(unit: UnitOfWork): Promise<void> {
  await unit.insertGroup(aGroup());
  await unit.insertSchedule(
    aSchedule({
      name: "毎朝のまとめ",
      requester: "carol",
      status: "paused",
      pausedBy: "system",
      pausedReason: "requester_gone",
      nextAt: null,
    }),
  );
}

async function still(unit: UnitOfWork): Promise<void> {
  await unit.insertGroup(aGroup());
  const statuses = ["resultReported", "failed", "timedOut", "cancelled", "completed"] as const;
  for (const [index, status] of statuses.entries()) {
    const id = `impl-code-1794733200-000${index}` as const;
    await settled(
      unit,
      { id, status, createdAt: NOON + index },
      "ログイン画面の試験を書きました。",
    );
  }
  const group = aGroup({ id: "grp-1794733200-0002", description: "残業時間の集計" });
  await unit.insertGroup(group);
  await unit.insertTask(
    aTask({
      groupId: group.id,
      title: "9月分の残業時間を集計して",
      description: "勤怠から残業時間を計算し、シートに書く。",
      type: "集計",
      status: "awaiting_process_approval",
      promptId: "prm-01",
      processId: "prc-01",
    }),
  );
  await unit.insertPromptDraft(aPromptDraft());
  await unit.insertApproval(
    anApproval({
      status: "approved",
      subjectId: "prm-01",
      decidedBy: "local",
      decidedAt: NOON + 30_000,
      version: 2,
    }),
  );
  const process = aProcessDraft({ createdAt: NOON + 40_000 });
  await unit.insertProcessDraft(process);
  await unit.insertApproval(
    anApproval({
      id: "apr-02",
      kind: "process",
      subjectId: "prc-01",
      title: "実行ステップ v1: 9月分の残業時間を集計して",
      shown: { steps: process.steps, version: 1 },
      createdAt: NOON + 40_000,
    }),
  );
}
