import { setTimeout as sleep } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { aGate } from "../kit/gate.ts";
import { HAS_ALL_ROUNDS, withMore } from "../kit/rounds.ts";
import {
  aRequest,
  aStory,
  began,
  castOf,
  hasAnswered,
  hasLive,
  isAtRest,
  lastAttempt,
  LONG_MS,
  stepOf,
  writesOf,
  type SeenApproval,
  type SeenTask,
  type Story,
} from "../kit/story.ts";

vi.setConfig({ testTimeout: LONG_MS });

/** Approves the pending prompt and steps, if any, and waits for the end of the task. */
async function toTheEnd(story: Story, taskId: string): Promise<SeenTask> {
  const done = new Set<string>();
  return story.reach(taskId, (task) => {
    for (const approval of task.approvals) {
      if (approval.status !== "pending" || done.has(approval.approvalId)) continue;
      if (approval.kind !== "prompt" && approval.kind !== "process") continue;
      done.add(approval.approvalId);
      void story.decide(approval);
    }
    return task.status === "completed";
  });
}

/** The end of a task: attempts, steps and calls. */
function endOf(story: Story, task: SeenTask) {
  return {
    cast: castOf(task),
    attempts: task.executions.length,
    steps: lastAttempt(task).steps.map(({ status }) => status),
    writes: writesOf(story, "write_note"),
    words: writesOf(story, "send_word"),
  };
}

/** The end without a kill: one agent of each role, one write, one message. */
const theSameEnd = ({ executors = 1, attempts = 1 } = {}) => ({
  cast: { "task-analyst": 1, planner: 1, "process-designer": 1, executor: executors },
  attempts,
  steps: ["done", "done", "done"],
  writes: 1,
  words: 1,
});

type Moment = {
  readonly name: string;
  /** Makes the task come to this moment; `waits` lets an agent wait there until the next daemon runs. */
  readonly directive?: (waits: string) => string;
  /** What a person has just approved. */
  readonly approved?: string;
  readonly isReached?: (task: SeenTask) => boolean;
  readonly check?: (story: Story, task: SeenTask) => void;
};

const isAt = (expected: string) => (task: SeenTask) => task.status === expected;
const isAsked = (kind: string) => (task: SeenTask) =>
  task.approvals.some((each) => each.kind === kind && each.status === "pending");
const asks = () => 'before step-2 tool ask_human {"question":"何色?","choices":["赤","青"]}';
const checks = () => "check step-2";

/** In the order in which a task comes to them. */
const MOMENTS: readonly Moment[] = [
  { name: "just after the request" },
  {
    name: "analyzing",
    directive: (waits) => `in task-analyst ${waits}`,
    isReached: (task) => hasLive(task, "task-analyst"),
  },
  {
    name: "planning",
    directive: (waits) => `in planner ${waits}`,
    isReached: (task) => task.status === "planning" && hasLive(task, "planner"),
  },
  { name: "awaiting_prompt_approval", isReached: isAt("awaiting_prompt_approval") },
  { name: "designing, just after the prompt was approved", approved: "prompt" },
  {
    name: "designing",
    directive: (waits) => `in process-designer ${waits}`,
    isReached: (task) => task.status === "designing" && hasLive(task, "process-designer"),
  },
  { name: "awaiting_process_approval", isReached: isAt("awaiting_process_approval") },
  { name: "in_progress, just after the steps were approved", approved: "process" },
  {
    name: "between two steps",
    directive: (waits) => `after step-1 ${waits}`,
    isReached: (task) => hasAnswered(task, "list_notes"),
  },
  { name: "while a question is pending", directive: asks, isReached: isAsked("question") },
  { name: "just after a question was answered", directive: asks, approved: "question" },
  {
    name: "while a call is held for a person and its agent lives",
    directive: checks,
    isReached: isAsked("step"),
    check(story, task) {
      expect(stepOf(task, "step-2")).toBe("waiting_for_human");
      expect(began(story, "write_note")).toBe(false);
    },
  },
  { name: "just after a held call was approved", directive: checks, approved: "step" },
];

const ALL_OF_THEM = ["at each of thirteen moments", MOMENTS] as const;
const EACH_ALONE = MOMENTS.map((moment) => [moment.name, [moment]] as const);

test.for<readonly [string, readonly Moment[]]>(
  HAS_ALL_ROUNDS ? [...EACH_ALONE, ALL_OF_THEM] : [ALL_OF_THEM],
)("kill -9 of the daemon (%s): the task ends as without the kill", async ([, kills]) => {
  const story = await aStory();
  const gateAt = (moment: Moment) => aGate(story.place, `gate-${MOMENTS.indexOf(moment)}`);
  const directives = kills.flatMap((moment) => moment.directive?.(gateAt(moment).waits) ?? []);
  const taskId = await story.create(aRequest(...new Set(directives)));

  for (const moment of MOMENTS.slice(
    0,
    MOMENTS.findLastIndex((each) => kills.includes(each)) + 1,
  )) {
    const isKill = kills.includes(moment);
    const { directive, approved, isReached, check } = moment;
    // Every task comes to the approvals without a directive.
    if (approved && (isKill || !directive))
      await approve(story, await story.pending(taskId, approved));
    if (!isKill) continue;
    if (isReached) await story.reach(taskId, isReached);
    await story.killAndRestart();
    check?.(story, await story.look(taskId));
    gateAt(moment).open();
  }

  expect(endOf(story, await approvingAll(story, taskId))).toEqual(theSameEnd());
});

test("kill -9 during a call of a read-only tool: the call is made again", async () => {
  const readOnly = { list_notes: { readOnly: true } };
  const story = await aStory({}, { readOnly });
  const taskId = await story.start(aRequest("arg step-1.pauseMs 60000"));
  await story.reach(taskId, () => began(story, "list_notes"));

  await story.killAndRestart();

  const task = await toTheEnd(story, taskId);
  expect(endOf(story, task)).toEqual(theSameEnd());
  expect(task.approvals.map(({ kind }) => kind)).not.toContain("outcome");
});

// The write had not taken effect before the kill.
const LATE = { writes: "last", answer: "repeat" };
// It had.
const EARLY = { writes: "first", answer: "done" };

test.for(withMore([LATE], [EARLY]))(
  "kill -9 during a forwarded write that $writes: a person is asked, and answers $answer",
  async (how) => {
    const story = await aStory();
    const taskId = await story.start(
      aRequest("arg step-2.pauseMs 60000", `arg step-2.writes "${how.writes}"`),
    );
    await story.reach(taskId, () => began(story, "write_note"));

    await story.killAndRestart();

    const lost = await story.pending(taskId, "outcome");
    const asked = await story.look(taskId);
    expect(lost).toMatchObject({ stepId: "step-2", choices: ["done", "repeat"] });
    expect(stepOf(asked, "step-2")).toBe("outcome_unknown");
    expect(asked.toolCalls.at(-1)).toMatchObject({ tool: "write_note", status: "outcome_unknown" });
    await story.decide(lost, "approve", { answer: how.answer });

    expect(endOf(story, await toTheEnd(story, taskId))).toEqual(theSameEnd());
    const keys = story.notes().flatMap(({ key }) => key ?? []);
    expect(new Set(keys).size).toBe(1);
    expect(keys).toHaveLength(how.answer === "repeat" ? 2 : 1);
  },
);

test("kill -9 during a forwarded write: after a rejection the task fails, and the call is not repeated", async () => {
  const story = await aStory();
  const taskId = await story.start(aRequest("arg step-2.pauseMs 60000"));
  await story.reach(taskId, () => began(story, "write_note"));

  await story.killAndRestart();

  await story.decide(await story.pending(taskId, "outcome"), "reject", {
    reason: "わかりません",
  });
  const task = await story.reach(taskId, ({ status }) => status === "failed");
  expect(stepOf(task, "step-2")).toBe("failed");
  expect([writesOf(story), writesOf(story, "send_word")]).toEqual([1, 0]);
});

test("kill -9 while an execution is parked: no process waits, and the decision starts the next agent", async () => {
  const story = await aStory({ tasks: { holdFor_ms: 0 } });
  const taskId = await story.start(aRequest("check step-2"));
  const held = await story.pending(taskId, "step");
  await story.reach(taskId, isAtRest);

  await story.killAndRestart();

  const parked = await story.look(taskId);
  expect(lastAttempt(parked)).toMatchObject({ status: "waiting_for_human", agentId: null });
  expect(castOf(parked)).toMatchObject({ executor: 1 });
  await story.decide(held);
  expect(endOf(story, await toTheEnd(story, taskId))).toEqual(theSameEnd({ executors: 2 }));
});

const INTERRUPTED = ["stopping", "blocked", "just unblocked"] as const;

test.for<readonly [string, readonly string[]]>([
  ...(HAS_ALL_ROUNDS ? INTERRUPTED.map((moment) => [moment, [moment]] as const) : []),
  [INTERRUPTED.join(", "), INTERRUPTED],
])(
  "kill -9 of the daemon (%s): the task stays blocked until a person unblocks it, and the next attempt continues",
  async ([, kills]) => {
    const story = await aStory();
    const gate = aGate(story.place);
    const taskId = await story.start(aRequest(`first before step-3 ${gate.waits}`));
    await story.reach(taskId, (task) => hasAnswered(task, "write_note"));

    const { stopping } = await story.change(taskId, "blocked", { reason: "確認のため" });
    expect(stopping).toHaveLength(1);
    expect(lastAttempt(await story.look(taskId)).status).toBe("stopping");
    if (kills.includes("stopping")) await story.killAndRestart();
    gate.open();
    await story.reach(taskId, (task) => lastAttempt(task).status === "blocked" && isAtRest(task));
    if (kills.includes("blocked")) await story.killAndRestart();

    const blocked = await story.look(taskId);
    expect(blocked).toMatchObject({
      status: "blocked",
      statusReason: "確認のため",
      notifications: [{ status: "cleared" }],
    });
    expect(castOf(blocked)).toMatchObject({ executor: 1 });
    expect(began(story, "send_word")).toBe(false);
    await story.change(taskId, "in_progress");
    if (kills.includes("just unblocked")) await story.killAndRestart();
    expect(endOf(story, await toTheEnd(story, taskId))).toEqual(
      theSameEnd({ executors: 2, attempts: 2 }),
    );
  },
);

test.for(withMore(["blocked"], ["cancelled"]))(
  "kill -9 just after a task with a held call was %s: the interrupt completes",
  async (status) => {
    const story = await aStory();
    const taskId = await story.start(aRequest("check step-2"));
    await story.pending(taskId, "step");
    await story.change(taskId, status);

    await story.killAndRestart();

    const task = await story.reach(
      taskId,
      (seen) => lastAttempt(seen).status === status && isAtRest(seen),
    );
    expect(task).toMatchObject({ status, notifications: [{ type: status, status: "cleared" }] });
    expect(task.approvals.filter((each) => each.status === "pending")).toEqual([]);
    expect(began(story, "write_note")).toBe(false);
  },
);

test("kill -9 during an agent_<role> call: the agent is adopted, not started again", async () => {
  const story = await aStory();
  const gate = aGate(story.place);
  const taskId = await story.start(
    [
      "ノートを直して",
      "#rehearsal steps agent:impl-code, send_word",
      '#rehearsal arg step-2.word "済"',
      `#rehearsal in executor child ${gate.waits}`,
    ].join("\n"),
  );
  await story.reach(taskId, (task) => hasLive(task, "impl-code"));

  await story.killAndRestart();
  gate.open();

  const task = await toTheEnd(story, taskId);
  expect(castOf(task)).toMatchObject({ executor: 1, "impl-code": 1 });
  expect(writesOf(story, "send_word")).toBe(1);
});

test("kill -9 during a cancel: the task stays cancelled, and no agent is left", async () => {
  const story = await aStory();
  const gate = aGate(story.place);
  const taskId = await story.start(aRequest(`before step-2 ${gate.waits}`));
  await story.reach(taskId, (task) => hasAnswered(task, "list_notes"));
  await story.change(taskId, "cancelled");

  await story.killAndRestart();
  gate.open();

  const task = await story.reach(
    taskId,
    (seen) => lastAttempt(seen).status === "cancelled" && isAtRest(seen),
  );
  expect(task.status).toBe("cancelled");
  expect(task.notifications).toMatchObject([{ type: "cancelled", status: "cleared" }]);
  expect(began(story, "write_note")).toBe(false);
});

// npm test has thirteen chosen moments, above.
const RANDOM_KILLS = 12;

test.runIf(HAS_ALL_ROUNDS)(
  `kill -9 at ${RANDOM_KILLS} random moments of one task: the task ends as without the kills`,
  async () => {
    const story = await aStory();
    const taskId = await story.create(aRequest("check step-2"));

    for (let kills = 0; kills < RANDOM_KILLS; kills++) {
      await approveWhatWaits(story, await story.look(taskId));
      await sleep(Math.random() * 700);
      await story.killAndRestart();
    }

    expect(endOf(story, await approvingAll(story, taskId))).toEqual(theSameEnd());
  },
);

/** Waits for the end of the task. A person approves everything meanwhile. */
function approvingAll(story: Story, taskId: string): Promise<SeenTask> {
  return story.reach(taskId, (task) => {
    void approveWhatWaits(story, task);
    return task.status === "completed";
  });
}

async function approveWhatWaits(story: Story, { approvals }: SeenTask): Promise<void> {
  for (const each of approvals) if (each.status === "pending") await approve(story, each);
}

/** A person approves, answers, and checks whether a lost call took effect. */
async function approve(story: Story, approval: SeenApproval): Promise<void> {
  const { approvalId, kind, version, shown } = approval;
  const tool = String(shown["tool"]).replace("notes/", "");
  const hasHappened = tool !== "list_notes" && writesOf(story, tool) > 0;
  const answer = {
    ...(kind === "question" && { answer: "青" }),
    ...(kind === "outcome" && { answer: hasHappened ? "done" : "repeat" }),
  };
  const said = { decision: "approve", version, ...answer };
  // Another decision, perhaps of this same person, was faster.
  await story.ask("POST", `/api/approvals/${approvalId}/decision`, said);
}
