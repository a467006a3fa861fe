import { expect, test } from "vitest";
import { aGroup } from "../../../test/kit/builders.ts";
import { ended } from "../../../test/kit/core.ts";
import {
  aGateway,
  agent,
  aRunningExecution,
  decide,
  pendingApproval,
  pendingApprovals,
  refusalOf,
  theExecution,
} from "../../../test/kit/execution.ts";
import { aTaskAgent, EXECUTOR } from "../../../test/kit/running-task.ts";
import { LOCAL_USER, type Core, type Identity } from "../core.ts";
import { resumeGroups } from "../groups/resume-groups.ts";
import { changeTaskStatus } from "../tasks/change-task-status.ts";
import { askHuman, type AskHuman } from "./ask-human.ts";

function ask(core: Core, over: Partial<AskHuman> = {}, identity: Identity = agent(EXECUTOR)) {
  return askHuman(core, identity, {
    question: "どの月を集計しますか？",
    choices: [],
    signal: new AbortController().signal,
    patienceMs: 600_000,
    beat: () => {},
    ...over,
  });
}

test("an agent asks, waits, and gets the answer and who gave it", async () => {
  const { core } = await aRunningExecution();

  const asking = ask(core);
  expect(await pendingApproval(core)).toMatchObject({
    kind: "question",
    title: "どの月を集計しますか？",
    executionId: "exe-01",
    requester: "local",
    shown: { question: "どの月を集計しますか？", choices: [], askedBy: EXECUTOR },
  });
  expect(await theExecution(core)).toMatchObject({ status: "waiting_for_human" });
  await decide(core, "approve", { answer: "9月" });

  expect(await asking).toEqual({ answer: "9月", answeredBy: "local" });
  expect(await theExecution(core)).toMatchObject({ status: "running" });
});

test("one of the choices is the answer", async () => {
  const { core } = await aRunningExecution();
  const asking = ask(core, { choices: ["8月", "9月"] });
  await pendingApproval(core);

  expect(await refusalOf(decide(core, "approve", { answer: "10月" }))).toMatchObject({
    code: "INVALID_ARGUMENTS",
  });
  await decide(core, "approve", { answer: "8月" });

  expect(await asking).toMatchObject({ answer: "8月" });
});

test("the same question finds its answer again, whichever executor asks", async () => {
  const { core } = await aRunningExecution();
  expect(await refusalOf(ask(core, { patienceMs: 0 }))).toMatchObject({ code: "APPROVAL_PENDING" });
  await decide(core, "approve", { answer: "9月" });
  const other = await aTaskAgent(core);

  expect(await ask(core, { patienceMs: 0 })).toMatchObject({ answer: "9月" });
  expect(await ask(core, { patienceMs: 0 }, agent(other))).toMatchObject({ answer: "9月" });
  expect(await pendingApprovals(core)).toEqual([]);
});

test("without an answer for long, the agent is parked", async () => {
  const { core } = await aRunningExecution();
  await refusalOf(ask(core, { patienceMs: 0 }));
  core.advance(core.settings.tasks.holdForMs);

  expect(await refusalOf(ask(core))).toMatchObject({ code: "PARKED" });
  expect(await theExecution(core)).toMatchObject({ agentId: null });
});

test("an agent on no execution may ask too, and is never parked", async () => {
  const { core } = await aGateway();
  await core.store.transaction((unit) => unit.insertGroup(aGroup()));
  const free = await aTaskAgent(core, { taskId: null, executionId: null });
  const identity = agent(free, "impl-code");
  await refusalOf(ask(core, { patienceMs: 0 }, identity));
  core.advance(core.settings.tasks.holdForMs);

  expect(await refusalOf(ask(core, { patienceMs: 0 }, identity))).toMatchObject({
    code: "APPROVAL_PENDING",
  });
  expect(await pendingApproval(core)).toMatchObject({ taskId: null, requester: `agent:${free}` });
  await decide(core, "approve", { answer: "はい" });
  expect(await ask(core, {}, identity)).toMatchObject({ answer: "はい" });
});

test("an agent whose question is rejected gets the reason", async () => {
  const { core } = await aRunningExecution();
  await refusalOf(ask(core, { patienceMs: 0 }));
  await decide(core, "reject", { reason: "自分で決めて" });

  expect(await refusalOf(ask(core))).toMatchObject({
    code: "STEP_REJECTED",
    message: expect.stringContaining("自分で決めて"),
  });
});

test("a block ends the wait at once", async () => {
  const { core } = await aRunningExecution();
  const refused = refusalOf(ask(core));
  await pendingApproval(core);

  await changeTaskStatus(core, LOCAL_USER, { taskId: "task-01", status: "blocked" });

  expect(await refused).toMatchObject({ code: "STOP_REQUESTED" });
  expect(await pendingApprovals(core)).toEqual([]);
});

test.each([
  [{ question: "  " }],
  [{ question: "あ".repeat(4_001) }],
  [{ choices: ["一つだけ"] }],
  [{ choices: ["はい", ""] }],
  [{ choices: Array.from({ length: 21 }, (_each, index) => `${index}`) }],
])("a question that cannot be answered is refused: %j", async (over) => {
  const { core } = await aRunningExecution();

  expect(await refusalOf(ask(core, over))).toMatchObject({ code: "INVALID_ARGUMENTS" });
  expect(await pendingApprovals(core)).toEqual([]);
});

test("a client that is no agent asks its own person", async () => {
  const { core } = await aRunningExecution();

  expect(await refusalOf(ask(core, {}, LOCAL_USER))).toMatchObject({ code: "NOT_ALLOWED" });
});

test("without sign-in the local person also answers agents on no task if the requester decides", async () => {
  const { core } = await aRunningExecution();
  Object.assign(core.settings.tasks.approvals, { question: { who: "requester" } });
  const id = await aTaskAgent(core, { taskId: null, executionId: null });

  const asking = ask(core, {}, agent(id, "impl-code"));
  await decide(core, "approve", { answer: "9月" });

  expect(await asking).toMatchObject({ answer: "9月", answeredBy: "local" });
});

test("a question of an agent on no task is closed when the agent ends", async () => {
  const { core } = await aRunningExecution();
  const id = await aTaskAgent(core, { taskId: null, executionId: null });
  await refusalOf(ask(core, { patienceMs: 0 }, agent(id, "impl-code")));
  expect(await pendingApprovals(core)).toHaveLength(1);

  const attempt = (await core.store.getAgent(id))?.attempt ?? 0;
  await core.observe(ended(id, { attempt }));
  await core.quiet();

  expect(await pendingApprovals(core)).toEqual([]);
});

test("a question is also closed if the daemon crashed between the agent's end and the closing", async () => {
  const { core } = await aRunningExecution();
  const [gone, there] = [
    await aTaskAgent(core, { taskId: null, executionId: null }),
    await aTaskAgent(core, { id: "impl-code-2-y", taskId: null, executionId: null }),
  ];
  for (const id of [gone, there]) {
    await refusalOf(ask(core, { patienceMs: 0 }, agent(id, "impl-code")));
  }
  await endUnheard(core, gone);

  await resumeGroups(core);

  expect(await pendingApprovals(core)).toMatchObject([{ agentId: there }]);
});

test("a question that was on its way when its agent ended is not put to people", async () => {
  const { core } = await aRunningExecution();
  const id = await aTaskAgent(core, { taskId: null, executionId: null });
  await endUnheard(core, id);

  expect(await refusalOf(ask(core, {}, agent(id, "impl-code")))).toMatchObject({
    code: "AGENT_ALREADY_ENDED",
  });
  expect(await pendingApprovals(core)).toEqual([]);
});

/** Its end is stored, and nothing has followed from it yet. */
async function endUnheard(core: Core, id: string): Promise<void> {
  await core.store.transaction(async (unit) => {
    const before = await unit.getAgent(id);
    if (before)
      await unit.updateAgent({ ...before, process: "ended", status: "completed" }, before);
  });
}

test("one agent has only a few questions open: more are refused, an identical one is the same", async () => {
  const { core } = await aRunningExecution();
  const codes = [];
  for (let n = 0; n < 260; n++) {
    codes.push((await refusalOf(ask(core, { question: `質問 ${n}`, patienceMs: 0 }))).code);
  }

  expect(await pendingApprovals(core)).toHaveLength(5);
  expect(new Set(codes)).toEqual(new Set(["APPROVAL_PENDING", "TOO_MANY_OPEN"]));
  expect((await refusalOf(ask(core, { question: "質問 0", patienceMs: 0 }))).code).toBe(
    "APPROVAL_PENDING",
  );
  await decide(core, "approve", { answer: "はい" });
  expect((await refusalOf(ask(core, { question: "質問 259", patienceMs: 0 }))).code).toBe(
    "APPROVAL_PENDING",
  );
  expect(await pendingApprovals(core)).toHaveLength(5);
});
