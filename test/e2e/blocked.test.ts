import { expect, test, vi } from "vitest";
import { z } from "zod";
import { anHttpClient, until, type TestClient } from "../kit/daemon.ts";
import { processesWith } from "../kit/processes.ts";
import { withMore } from "../kit/rounds.ts";
import {
  aRequest,
  aSharedStory,
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
  type SeenTask,
  type Story,
} from "../kit/story.ts";

vi.setConfig({ testTimeout: LONG_MS });

const LINE = "通知があります。get_notificationsを呼び出して確認してください。";
/** An idle process ends soon after its signal. */
const SOON = { agent: { runner: "rehearsal", lingerAfterEnd_ms: 300, hardKillAfter_ms: 300 } };
const PRESENT = ["pending", "announced", "read"];

const aDefaultStory = aSharedStory();
const aSoonStory = aSharedStory({ ...SOON, roles: [{ id: "impl-code", mcpServers: ["*"] }] });
const aHardStory = aSharedStory({ ...SOON, interrupt: { hardStopAfter_ms: 600 } });

/** The current executor of the task. */
function executorOf(task: SeenTask): string {
  const { agentId } = lastAttempt(task);
  if (agentId === null) throw new Error("nobody works on it");
  return agentId;
}

/** A running execution whose executor does nothing, and a client that acts as this executor. */
async function anActedExecutor(makeStory = aSoonStory) {
  const story = await makeStory();
  const taskId = await story.start(aRequest("first in executor hang"));
  const agentId = executorOf(await story.reach(taskId, hasLive));
  return { story, taskId, agentId, agent: await story.as(agentId) };
}

const textBlock = z.object({ type: z.literal("text"), text: z.string() });

/** Everything of an answer that a client may show to its model. */
async function whole({ client }: TestClient, name: string, args: Record<string, unknown> = {}) {
  const { structuredContent, content, isError } = await client.callTool({ name, arguments: args });
  const texts = content.map((block) => textBlock.parse(block).text);
  return { structuredContent, texts, isError: isError === true };
}

async function isOver(story: Story, taskId: string, status: string): Promise<SeenTask> {
  return story.reach(taskId, (task) => lastAttempt(task).status === status && isAtRest(task));
}

/** Whether no process of the agent is left. */
function isGone(agentId: string): Promise<void> {
  return until(() => processesWith(`KUROMAJUTSU_AGENT_ID=${agentId}`).length === 0);
}

function told(taskId: string, action: string) {
  return {
    type: "status_change",
    action,
    task_id: taskId,
    message: `タスクのステータスが${action}に変更されました`,
    instruction: `作業を中断し、report_completedをresult='${action}'で呼び出してください`,
  };
}

test("blocking a task follows the use case row by row, with its exact texts", async () => {
  const { story, taskId, agentId, agent } = await anActedExecutor();
  expect((await story.look(taskId)).status).toBe("in_progress");
  expect(await agent.call("report_progress", { stepId: "step-1" })).not.toHaveProperty(
    "notification",
  );

  // 1 ユーザー: ステータスを blocked に変更
  const changed = await story.change(taskId, "blocked");
  expect(changed.stopping).toEqual([agentId]);
  // 2 システム: タスクのステータスを更新
  expect(changed.task.status).toBe("blocked");
  const after = await story.look(taskId);
  expect(after.status).toBe("blocked");
  // 3 システム: 対象エージェントへの通知レコードを作成
  expect(after.notifications).toMatchObject([
    { agentId, taskId, type: "blocked", status: "pending" },
  ]);

  // 4 エージェント: 任意の MCP ツールを呼び出す, 5 システム: レスポンスに通知ありのメッセージを含める
  const answer = await whole(agent, "report_progress", { stepId: "step-1" });
  expect(answer.structuredContent).toHaveProperty("notification", LINE);
  expect(JSON.parse(answer.texts[0] ?? "")).toHaveProperty("notification", LINE);
  expect((await story.look(taskId)).notifications).toMatchObject([{ status: "announced" }]);

  // 6 エージェント: get_notifications を呼び出す, 7 システム: 通知詳細を返却
  const notices = await whole(agent, "get_notifications");
  const words = {
    notifications: [
      {
        type: "status_change",
        action: "blocked",
        task_id: taskId,
        message: "タスクのステータスがblockedに変更されました",
        instruction: "作業を中断し、report_completedをresult='blocked'で呼び出してください",
      },
    ],
  };
  expect(notices.structuredContent).toEqual(words);
  expect(notices.texts.map((text): unknown => JSON.parse(text))).toEqual([words]);

  // 8 エージェント: 作業を中断。それでも続けようとすると、何も転送されない
  expect(await agent.call("write_note", { text: "まだ" })).toMatchObject({
    error: true,
    code: "STOP_REQUESTED",
  });
  expect(story.notes()).toEqual([]);

  // 9 エージェント: report_completed を result='blocked' で呼び出す
  expect(await agent.call("report_completed", { result: "blocked" })).toEqual({
    registered: true,
    agentId,
    executionStatus: "blocked",
  });

  // 10 システム: タスク完了を記録、通知をクリア。事後条件
  const blocked = await isOver(story, taskId, "blocked");
  expect(blocked.status).toBe("blocked");
  expect(blocked.agents.find((each) => each.agentId === agentId)?.status).toBe("resultReported");
  expect(blocked.notifications).toMatchObject([{ agentId, status: "cleared" }]);
  await isGone(agentId);
  const main = await anHttpClient(story.url());
  expect(await main.call("get_agent_status", { agentId })).toMatchObject({
    status: "resultReported",
    result: { status: "cancelled", outcome: "blocked" },
  });
});

test("4a: an agent that calls no tool gets the stop notification with its next call, however late", async () => {
  const { story, taskId, agentId, agent } = await anActedExecutor(() => aStory(SOON));
  await story.change(taskId, "blocked", { reason: "月末のため" });
  await story.killAndRestart();

  expect((await story.look(taskId)).notifications).toMatchObject([{ status: "pending" }]);
  expect(await agent.call("report_progress", { stepId: "step-1" })).toMatchObject({
    notification: LINE,
  });
  expect(await agent.call("get_notifications")).toEqual({
    notifications: [{ ...told(taskId, "blocked"), reason: "月末のため" }],
  });
  await agent.call("report_completed", { result: "blocked" });
  expect(await isOver(story, taskId, "blocked")).toMatchObject({
    notifications: [{ agentId, status: "cleared" }],
  });
});

test("6a: until the agent calls get_notifications every answer carries the line, gateway and refusals included", async () => {
  const { story, taskId, agent } = await anActedExecutor();
  await story.change(taskId, "blocked");

  for (const name of [
    "report_progress",
    "write_note",
    "list_notes",
    "no_such_tool",
    "run_agents",
  ]) {
    const { texts, structuredContent } = await whole(agent, name, { stepId: "step-1" });
    const said = structuredContent ? JSON.stringify(structuredContent) : texts.join("\n");
    expect([name, said]).toEqual([name, expect.stringContaining(LINE)]);
  }
  expect(story.notes()).toEqual([]);

  // After the first read the line is gone; get_notifications returns the stop notification every time.
  const words = { notifications: [told(taskId, "blocked")] };
  expect(await agent.call("get_notifications")).toEqual(words);
  expect(await agent.call("report_progress", { stepId: "step-1" })).not.toHaveProperty(
    "notification",
  );
  expect(await agent.call("get_notifications")).toEqual(words);
});

test("a dry run of a block names the agents and changes nothing; two blocks interrupt once", async () => {
  const { story, taskId, agentId } = await anActedExecutor();
  const before = await story.look(taskId);

  const would = await story.dryRun(taskId, "blocked");

  expect(would).toMatchObject({ dryRun: true, stopping: [agentId], cancelledCalls: [] });
  expect(await story.look(taskId)).toMatchObject({
    status: "in_progress",
    version: before.version,
    notifications: [],
  });
  const did = await story.change(taskId, "blocked", { version: would.task.version });
  expect(did).toMatchObject({ dryRun: false, stopping: [agentId] });
  expect((await story.change(taskId, "blocked")).stopping).toEqual([agentId]);
  expect((await story.look(taskId)).notifications).toHaveLength(1);

  const stale = { status: "in_progress", version: before.version };
  expect(await story.ask("PATCH", `/api/tasks/${taskId}`, stale)).toMatchObject({
    status: 409,
    body: { code: "VERSION_CONFLICT" },
  });
});

test("block while the agent is between calls: it stops, and the next attempt continues from the done steps", async () => {
  const story = await aDefaultStory();
  const taskId = await story.start(aRequest("first after step-2 listen 60000"));
  await story.reach(taskId, (task) => hasAnswered(task, "write_note"));

  await story.change(taskId, "blocked");

  const blocked = await isOver(story, taskId, "blocked");
  expect(blocked).toMatchObject({ status: "blocked", notifications: [{ status: "cleared" }] });
  expect(lastAttempt(blocked).summary).toContain("ブロックされたため、ここで止めました");
  expect(writesOf(story, "send_word")).toBe(0);

  await story.change(taskId, "in_progress");
  const done = await story.reach(taskId, ({ status }) => status === "completed");
  expect(done.executions.map(({ status }) => status)).toEqual(["blocked", "completed"]);
  expect([writesOf(story), writesOf(story, "send_word")]).toEqual([1, 1]);
  expect(story.notes().filter(({ tool }) => tool === "list_notes")).toHaveLength(1);
});

test("block inside a held gateway call: the call ends at once, and its approval is closed", async () => {
  const story = await aDefaultStory();
  const taskId = await story.start(aRequest("check step-2"));
  const held = await story.pending(taskId, "step");

  await story.change(taskId, "blocked");

  const blocked = await isOver(story, taskId, "blocked");
  expect(stepOf(blocked, "step-2")).toBe("stopped");
  expect(blocked.approvals.find(({ kind }) => kind === "step")?.status).toBe("cancelled");
  const late = { decision: "approve", version: held.version };
  const path = `/api/approvals/${held.approvalId}/decision`;
  expect(await story.ask("POST", path, late)).toMatchObject({ status: 409 });

  await story.change(taskId, "in_progress");
  await story.decide(await story.pending(taskId, "step"));
  await story.reach(taskId, ({ status }) => status === "completed");
  expect(writesOf(story)).toBe(1);
});

test("block while the agent waits for the answer to a question: the question is closed, and asked again after the unblock", async () => {
  const story = await aDefaultStory();
  const taskId = await story.start(aRequest('before step-2 tool ask_human {"question":"何色?"}'));
  await story.pending(taskId, "question");

  await story.change(taskId, "blocked");

  const blocked = await isOver(story, taskId, "blocked");
  expect(blocked.approvals.find(({ kind }) => kind === "question")?.status).toBe("cancelled");
  await story.change(taskId, "in_progress");
  await story.decide(await story.pending(taskId, "question"), "approve", { answer: "青" });
  await story.reach(taskId, ({ status }) => status === "completed");
  expect(writesOf(story)).toBe(1);
});

test.for(withMore([{ writes: "first", answer: "done" }], [{ writes: "last", answer: "repeat" }]))(
  "block inside a forwarded call ($answer): the call is named, cancelled upstream, asked about, and made once",
  async (how) => {
    const story = await aDefaultStory();
    const taskId = await story.start(
      aRequest("arg step-2.pauseMs 60000", `arg step-2.writes "${how.writes}"`),
    );
    await story.reach(taskId, () => began(story, "write_note"));
    const agentId = executorOf(await story.look(taskId));
    const calls = [{ server: "notes", tool: "write_note", agentId }];
    expect((await story.dryRun(taskId, "blocked")).cancelledCalls).toEqual(calls);

    const changed = await story.change(taskId, "blocked");

    expect(changed.cancelledCalls).toEqual(calls);
    await until(() => story.notes().some(({ what }) => what === "cancelled"));
    const blocked = await isOver(story, taskId, "blocked");
    expect(stepOf(blocked, "step-2")).toBe("outcome_unknown");
    await story.change(taskId, "in_progress");
    await story.decide(await story.pending(taskId, "outcome"), "approve", { answer: how.answer });
    await story.reach(taskId, ({ status }) => status === "completed");
    expect([writesOf(story), writesOf(story, "send_word")]).toEqual([1, 1]);
  },
);

test("no call is forwarded after a block was acknowledged, however many calls arrive at that moment", async () => {
  const { story, taskId, agent } = await anActedExecutor();
  let made = 0;
  async function callUntilStopped(): Promise<void> {
    for (;;) {
      const answer = await agent.call("write_note", { text: `#${made++}` });
      if (answer["code"] === "STOP_REQUESTED") return;
    }
  }
  const workers = Array.from({ length: 8 }, callUntilStopped);
  await until(() => writesOf(story) > 20);

  await story.change(taskId, "blocked");
  await Promise.all(workers);

  for (let more = 0; more < 20; more++) {
    const answer = await agent.call("write_note", { text: `more ${more}` });
    expect(answer).toMatchObject({ code: "STOP_REQUESTED" });
  }
  // A call that was forwarded before the block may still reach the upstream server now.
  expect(story.notes().filter(({ text }) => text?.startsWith("more"))).toEqual([]);
  const entries = await story.audit();
  const stop = entries.find(
    ({ action, subject }) => action === "task.blocked" && subject === taskId,
  );
  const forwarded = entries.filter(
    ({ action, data }) => action === "tool.forwarded" && data["taskId"] === taskId,
  );
  expect(forwarded.length).toBeGreaterThanOrEqual(writesOf(story));
  expect(forwarded.filter(({ seq }) => seq > (stop?.seq ?? 0))).toEqual([]);
});

test("block an executor that waits for its agents: all agents stop, also the deepest", async () => {
  const story = await aSoonStory();
  const taskId = await story.start(
    [
      "ノートを直して",
      "#rehearsal steps agent:impl-code, send_word",
      '#rehearsal arg step-2.word "済"',
      "#rehearsal first in executor child listen 60000",
    ].join("\n"),
  );
  const running = await story.reach(taskId, (task) => hasLive(task, "impl-code"));
  const all = running.agents
    .filter(({ status }) => status === "running")
    .map(({ agentId }) => agentId);
  const child = await story.as(
    running.agents.find(({ role }) => role === "impl-code")?.agentId ?? "",
  );

  const { stopping } = await story.change(taskId, "blocked");
  expect(stopping.toSorted()).toEqual(all.toSorted());
  expect(stopping).toHaveLength(2);
  expect(await child.call("write_note", { text: "まだ" })).toMatchObject({
    code: "STOP_REQUESTED",
  });

  const blocked = await isOver(story, taskId, "blocked");
  expect(blocked.status).toBe("blocked");
  expect(blocked.notifications.map(({ status }) => status)).toEqual(["cleared", "cleared"]);
  expect(story.notes()).toEqual([]);
  for (const id of all) await isGone(id);

  await story.change(taskId, "in_progress");
  const done = await story.reach(taskId, ({ status }) => status === "completed");
  expect(castOf(done)).toMatchObject({ executor: 2, "impl-code": 2 });
  expect(writesOf(story, "send_word")).toBe(1);
});

test("block an executor whose agent calls no tool: the hard stop also ends its leftover processes", async () => {
  const story = await aHardStory();
  const taskId = await story.start(
    [
      "ノートを直して",
      "#rehearsal steps agent:impl-code",
      "#rehearsal in executor ignore-term",
      "#rehearsal in executor child hang",
    ].join("\n"),
  );
  const running = await story.reach(taskId, (task) => hasLive(task, "impl-code"));
  const child = running.agents.find(({ role }) => role === "impl-code")?.agentId ?? "";

  await story.change(taskId, "blocked");

  const blocked = await isOver(story, taskId, "blocked");
  expect(blocked).toMatchObject({ status: "blocked" });
  expect(blocked.notifications.filter(({ status }) => PRESENT.includes(status))).toEqual([]);
  await isGone(child);
});

test("block an executor that hangs: hard stop at the deadline, and the next attempt is not disturbed", async () => {
  const { story, taskId, agentId } = await anActedExecutor(aHardStory);

  await story.change(taskId, "blocked");
  // Unblock at once: the next attempt waits until the one before is over.
  await story.change(taskId, "in_progress");

  const done = await story.reach(taskId, ({ status }) => status === "completed");
  expect(done.executions.map(({ status }) => status)).toEqual(["blocked", "completed"]);
  expect(done.executions[0]?.error).toBeTruthy();
  expect(done.notifications).toMatchObject([{ agentId, status: "cleared" }]);
  expect(done.agents.find((each) => each.agentId === agentId)?.status).toBe("cancelled");
  expect(writesOf(story)).toBe(1);
  const stops = (await story.audit()).filter(({ action }) => action === "agent.hard_stopped");
  expect(stops).toContainEqual(
    expect.objectContaining({
      actor: "system",
      subject: agentId,
      data: expect.objectContaining({ taskId }),
    }),
  );
});

test("block a parked execution: there is no agent to stop, and it is blocked at once", async () => {
  const story = await aStory({ tasks: { holdFor_ms: 0 } });
  const taskId = await story.start(aRequest("check step-2"));
  await story.pending(taskId, "step");
  // It has reported that it waits; its process ends a moment later.
  await until(async () => (await story.dryRun(taskId, "blocked")).stopping.length === 0);

  const { stopping, task } = await story.change(taskId, "blocked");

  expect([stopping, task.status]).toEqual([[], "blocked"]);
  const blocked = await story.look(taskId);
  expect(lastAttempt(blocked).status).toBe("blocked");
  expect(blocked).toMatchObject({ notifications: [] });
  expect(blocked.approvals.find(({ kind }) => kind === "step")?.status).toBe("cancelled");

  await story.change(taskId, "in_progress");
  await story.decide(await story.pending(taskId, "step"));
  await story.reach(taskId, ({ status }) => status === "completed");
  expect(writesOf(story)).toBe(1);
});

test("block a task whose executor is still queued: the executor never starts, and other tasks are not disturbed", async () => {
  const story = await aStory({ agent: { runner: "rehearsal", maxOrchestrators: 1 } });
  const first = await story.start(aRequest("in executor listen 60000"));
  await story.reach(first, hasLive);
  const second = await story.start(aRequest());
  const queued = await story.reach(second, ({ agents }) =>
    agents.some(({ role, status }) => role === "executor" && status === "queued"),
  );

  const { stopping } = await story.change(second, "blocked");

  expect(stopping).toEqual([executorOf(queued)]);
  const blocked = await story.look(second);
  expect(lastAttempt(blocked).status).toBe("blocked");
  expect(blocked).toMatchObject({ status: "blocked", notifications: [] });
  expect(isAtRest(blocked)).toBe(true);
  expect(hasLive(await story.look(first))).toBe(true);

  await story.change(second, "in_progress");
  await story.change(first, "cancelled");
  await story.reach(second, ({ status }) => status === "completed");
  expect(writesOf(story)).toBe(1);
});

test("an agent that finishes while it is being stopped: its report is kept, and the task stays blocked", async () => {
  const { story, taskId, agent } = await anActedExecutor();
  await agent.call("write_note", { text: "やあ" });
  await story.change(taskId, "blocked");

  const report = { result: "success", summary: "全部できた" };
  expect(await agent.call("report_completed", report)).toMatchObject({
    executionStatus: "completed",
  });

  const task = await isOver(story, taskId, "completed");
  expect(task).toMatchObject({ status: "blocked", notifications: [{ status: "cleared" }] });
  expect(lastAttempt(task).summary).toBe("全部できた");
});

test("only a task in progress can be blocked; the refusal says what to do instead", async () => {
  const story = await aDefaultStory();
  const taskId = await story.create(aRequest());
  await story.pending(taskId, "prompt");

  for (const query of ["", "?dryRun=true"]) {
    const refused = await story.ask("PATCH", `/api/tasks/${taskId}${query}`, { status: "blocked" });
    expect(refused).toMatchObject({ status: 409, body: { code: "TASK_NOT_IN_PROGRESS" } });
    expect(JSON.stringify(refused.body)).toContain("代わりに中止");
  }
  expect((await story.look(taskId)).status).toBe("awaiting_prompt_approval");
});

test("cancelling a task works like blocking it, with cancelled in every text", async () => {
  const { story, taskId, agentId, agent } = await anActedExecutor();

  const { stopping, task } = await story.change(taskId, "cancelled", { reason: "不要になった" });

  expect([stopping, task.status]).toEqual([[agentId], "cancelled"]);
  expect(await agent.call("write_note", { text: "まだ" })).toMatchObject({
    code: "STOP_REQUESTED",
  });
  expect(await agent.call("report_progress", { stepId: "step-1" })).toMatchObject({
    notification: LINE,
  });
  expect(await agent.call("get_notifications")).toEqual({
    notifications: [{ ...told(taskId, "cancelled"), reason: "不要になった" }],
  });
  await agent.call("report_completed", { result: "cancelled" });
  const cancelled = await isOver(story, taskId, "cancelled");
  expect(cancelled).toMatchObject({ status: "cancelled", notifications: [{ status: "cleared" }] });
  expect(story.notes()).toEqual([]);
  const back = await story.ask("PATCH", `/api/tasks/${taskId}`, { status: "in_progress" });
  expect(back.status).toBe(409);
});

test("a task that is blocked and then cancelled before the agent reads it sends only the last stop notification", async () => {
  const { story, taskId, agent } = await anActedExecutor();
  await story.change(taskId, "blocked");
  await story.change(taskId, "cancelled");

  expect(await agent.call("report_progress", { stepId: "step-1" })).toMatchObject({
    notification: LINE,
  });
  expect(await agent.call("get_notifications")).toEqual({
    notifications: [told(taskId, "cancelled")],
  });
  // The agent may have read the first one; the task stays cancelled.
  await agent.call("report_completed", { result: "blocked" });
  const task = await isOver(story, taskId, "cancelled");
  expect(task.status).toBe("cancelled");
  expect(task.notifications.map(({ status }) => status)).toEqual(["cleared", "cleared"]);
});

test("cancel with a rehearsed executor: it reports and ends, and pending approvals are closed", async () => {
  const story = await aDefaultStory();
  const taskId = await story.start(aRequest("check step-2"));
  await story.pending(taskId, "step");

  await story.change(taskId, "cancelled");

  const task = await isOver(story, taskId, "cancelled");
  expect(task.approvals.filter(({ status }) => status === "pending")).toEqual([]);
  expect(began(story, "write_note")).toBe(false);
});

test("cancel while a task is drafted: the drafting agent is stopped at once, and no approval is requested", async () => {
  const story = await aDefaultStory();
  const taskId = await story.create(aRequest("in planner sleep 60000"));
  await story.reach(taskId, (task) => hasLive(task, "planner"));

  const { stopping } = await story.change(taskId, "cancelled");

  expect(stopping).toHaveLength(1);
  const task = await story.reach(taskId, isAtRest);
  expect(task).toMatchObject({ status: "cancelled", approvals: [] });
  expect(task.agents.find(({ role }) => role === "planner")?.status).toBe("cancelled");
});

test("a message is delivered like a stop notification, stops nothing, and is in the report", async () => {
  const story = await aDefaultStory();
  const taskId = await story.start(aRequest("check step-2"));
  const held = await story.pending(taskId, "step");
  const agentId = executorOf(await story.look(taskId));

  const sent = await story.ask("POST", `/api/agents/${agentId}/message`, { text: "青にして" });

  expect(sent.status).toBe(202);
  await until(async () => {
    const { body } = await story.ask("GET", `/api/notifications?agentId=${agentId}`);
    return JSON.stringify(body).includes('"status":"read"');
  });
  await story.decide(held);
  const task = await story.reach(taskId, ({ status }) => status === "completed");
  expect(lastAttempt(task).response).toContain("青にして");
  expect(lastAttempt(task).agentIds).toEqual([agentId]);
  expect(writesOf(story)).toBe(1);
});

test("a message for an executor is announced with the line, read once, and no call is refused because of it", async () => {
  const { story, agentId, agent } = await anActedExecutor();
  await story.ask("POST", `/api/agents/${agentId}/message`, { text: "青にして" });

  const answer = await agent.call("write_note", { text: "やあ" });
  expect(answer).toMatchObject({ noteId: "note-1", notification: LINE });
  expect(await agent.call("get_notifications")).toMatchObject({
    notifications: [{ type: "message", text: "青にして" }],
  });
  expect(await agent.call("get_notifications")).toEqual({ notifications: [] });
  expect(writesOf(story)).toBe(1);
});

test("a read-only tool is answered after a block, and its answer still carries the line", async () => {
  const story = await aStory(SOON, { readOnly: { list_notes: { readOnly: true } } });
  const taskId = await story.start(aRequest("in executor hang"));
  const agent = await story.as(executorOf(await story.reach(taskId, hasLive)));
  await story.change(taskId, "blocked");

  expect(await agent.call("list_notes")).toMatchObject({ count: 7, notification: LINE });
  expect(await agent.call("send_word", { word: "x" })).toMatchObject({ code: "STOP_REQUESTED" });
});
