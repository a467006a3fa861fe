import { expect, test, vi } from "vitest";
import { aGroup } from "../../../test/kit/builders.ts";
import { aRole } from "../../../test/kit/core.ts";
import {
  agent,
  aGateway,
  aRunningExecution,
  aStep,
  call,
  callOnce,
  decide,
  pendingApproval,
  pendingApprovals,
  refusalOf,
  stepStatuses,
  textOf,
  theExecution,
  WRITE,
} from "../../../test/kit/execution.ts";
import { failing, held, saying } from "../../../test/kit/fake-upstream.ts";
import { aTaskAgent, EXECUTOR } from "../../../test/kit/running-task.ts";
import { NOTIFICATION_LINE } from "../../domain/notifications/notification.ts";
import { Refusal } from "../../domain/refusal.ts";
import { decideApproval } from "../approvals/decide-approval.ts";
import { expireApprovals } from "../approvals/expire-approvals.ts";
import { LOCAL_USER, type Core } from "../core.ts";
import { notifyAgent } from "../notifications/notify-agent.ts";
import { reportProgress } from "../tasks/execution/report-progress.ts";

async function withTasks(over: Partial<Core["settings"]["tasks"]>) {
  const running = await aRunningExecution();
  Object.assign(running.core.settings.tasks, over);
  return running;
}

test("a call that belongs to an approved step passes, is counted and written down", async () => {
  const { core, upstream } = await aRunningExecution();

  const answer = await call(core, "list_employees", { month: 9 });

  expect(textOf(answer)).toBe("ok");
  expect(upstream.sent).toMatchObject([
    { server: "hr", tool: "list_employees", args: { month: 9 } },
  ]);
  expect(await core.store.listToolCalls("exe-01")).toMatchObject([
    { stepId: "step-1", status: "done", args: '{"month":9}', agentId: EXECUTOR, error: null },
  ]);
  expect((await theExecution(core)).steps[0]).toMatchObject({ status: "done", calls: 1 });
});

test("with several servers, an intended repeat waits until it is stored that the last answer was delivered, and is made", async () => {
  const { core, upstream } = await aRunningExecution({ serverId: "a" });
  const marks: ((isDelivered: boolean) => void)[] = [];
  const write = () =>
    call(core, "list_employees", {}, { onDelivery: (mark) => void marks.push(mark) });
  const deliveryNow = async () => (await core.store.listToolCalls("exe-01"))[0]?.delivery;
  await write();
  // The connection was cut, and a repeat gets the answer.
  marks.shift()?.(false);
  await expect.poll(deliveryNow).toBe("cut");
  await write();
  expect(upstream.sent).toHaveLength(1);

  const next = write();
  await new Promise((resolve) => setTimeout(resolve, 100));
  marks.shift()?.(true);
  await next;

  expect(upstream.sent).toHaveLength(2);
  expect(await deliveryNow()).toBe("delivered");
});

test("the intent is committed, and audited, before anything is sent", async () => {
  const { core, upstream } = await aRunningExecution();
  const seen: unknown[] = [];
  upstream.on("list_employees", async (sent) => {
    seen.push(await core.store.listForwardedToolCalls(), sent.idempotencyKey);
    return saying("ok")(sent);
  });

  await call(core, "list_employees");

  const [row] = await core.store.listToolCalls("exe-01");
  expect(seen).toMatchObject([[{ id: row?.id, status: "forwarded" }], row?.id]);
  const { entries } = await core.store.listAudit({ subject: row?.id ?? "", limit: 10 });
  expect(entries).toMatchObject([{ action: "tool.forwarded", actor: `agent:${EXECUTOR}` }]);
});

test("a step runs while its call is under way and is done when the call is answered", async () => {
  const { core, upstream } = await aRunningExecution();
  const during: unknown[] = [];
  upstream.on("list_employees", async (sent) => {
    during.push(await stepStatuses(core));
    return saying("ok")(sent);
  });

  await call(core, "list_employees");

  expect(during).toEqual([["running", "waiting", "waiting"]]);
  expect(await stepStatuses(core)).toEqual(["done", "waiting", "waiting"]);
});

test("a repeat stays with its step and starts it again, until a later step begins", async () => {
  const { core, upstream } = await aRunningExecution();
  const during: unknown[] = [];
  await call(core, "list_employees");
  upstream.on("list_employees", async (sent) => {
    during.push(await stepStatuses(core));
    return saying("ok")(sent);
  });

  await call(core, "list_employees");
  expect(during).toEqual([["running", "waiting", "waiting"]]);
  expect((await theExecution(core)).steps[0]).toMatchObject({ status: "done", calls: 2 });

  await call(core, "calculate_overtime");
  expect(await stepStatuses(core)).toEqual(["done", "done", "waiting"]);
  await expect(callOnce(core, "list_employees")).rejects.toBeInstanceOf(Refusal);
  expect(await pendingApproval(core)).toMatchObject({ kind: "unplanned_tool" });
});

test("with concurrent calls of a step only the last answer completes the step", async () => {
  const { core, upstream } = await aRunningExecution();
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  upstream.on("list_employees", async (sent) => {
    await gates[Number(sent.args["n"])]?.promise;
    return saying("ok")(sent);
  });
  const calls = gates.map((_, n) => call(core, "list_employees", { n }));
  await vi.waitFor(
    async () => expect(await core.store.listForwardedToolCalls()).toHaveLength(2),
    60_000,
  );

  gates[0]?.resolve();
  await calls[0];
  expect(await stepStatuses(core)).toEqual(["running", "waiting", "waiting"]);
  gates[1]?.resolve();
  await calls[1];

  expect(await stepStatuses(core)).toEqual(["done", "waiting", "waiting"]);
});

test("two steps with one tool are distinguished by the step that the executor names", async () => {
  const steps = [aStep(1), aStep(2, { tool: "calculate_overtime" }), aStep(3)];
  const { core } = await aRunningExecution({}, { steps });

  await call(core, "list_employees");
  await call(core, "calculate_overtime");
  await call(core, "list_employees");
  const calls = await core.store.listToolCalls("exe-01");

  expect(calls.map(({ stepId }) => stepId)).toEqual(["step-1", "step-2", "step-3"]);
});

test("a step that was named keeps its calls until a later one starts", async () => {
  const steps = [aStep(1), aStep(2), aStep(3, { tool: "calculate_overtime" }), aStep(4)];
  const { core } = await aRunningExecution({}, { steps });

  await reportProgress(core, agent(EXECUTOR), { stepId: "step-2" });
  await call(core, "list_employees");
  await call(core, "calculate_overtime");
  await call(core, "list_employees");
  const calls = await core.store.listToolCalls("exe-01");

  // The first was left out by the executor: it comes before the last one.
  expect(calls.map(({ stepId }) => stepId)).toEqual(["step-2", "step-3", "step-1"]);
});

test("a call a person must check is held until it is approved, and then sent once", async () => {
  const { core, upstream } = await aRunningExecution();

  const calling = call(core, WRITE, { rows: [1, 2] });
  const approval = await pendingApproval(core);
  expect(upstream.sent).toEqual([]);
  expect(approval).toMatchObject({
    kind: "step",
    stepId: "step-3",
    executionId: "exe-01",
    agentId: EXECUTOR,
    requester: "local",
    shown: { tool: `hr/${WRITE}`, args: { rows: [1, 2] } },
  });
  expect(await theExecution(core)).toMatchObject({ status: "waiting_for_human" });
  expect(await stepStatuses(core)).toEqual(["waiting", "waiting", "waiting_for_human"]);
  await decide(core, "approve");

  expect(textOf(await calling)).toBe("ok");
  expect(upstream.sent).toHaveLength(1);
  expect(await theExecution(core)).toMatchObject({ status: "running" });
  expect(await core.store.listToolCalls("exe-01")).toMatchObject([{ approvalId: approval.id }]);
  expect((await core.store.getApproval(approval.id))?.usedAt).not.toBeNull();
});

test("an approval is for these arguments: others ask again", async () => {
  const { core, upstream } = await aRunningExecution();
  await expect(callOnce(core, WRITE, { rows: [1] })).rejects.toMatchObject({
    code: "APPROVAL_PENDING",
  });
  await decide(core, "approve");

  await expect(callOnce(core, WRITE, { rows: [2] })).rejects.toMatchObject({
    code: "APPROVAL_PENDING",
  });
  expect(upstream.sent).toEqual([]);
  await callOnce(core, WRITE, { rows: [1] });
  expect(upstream.sent).toMatchObject([{ args: { rows: [1] } }]);
});

test("the order of the arguments does not make another call", async () => {
  const { core } = await aRunningExecution();
  await expect(callOnce(core, WRITE, { a: 1, b: { c: 2, d: 3 } })).rejects.toBeInstanceOf(Refusal);
  await decide(core, "approve");

  await callOnce(core, WRITE, { b: { d: 3, c: 2 }, a: 1 });

  expect(await pendingApprovals(core)).toEqual([]);
});

test("an approval is used once: the same call again asks again", async () => {
  const { core, upstream } = await aRunningExecution();
  await expect(callOnce(core, WRITE)).rejects.toBeInstanceOf(Refusal);
  await decide(core, "approve");
  await callOnce(core, WRITE);

  await expect(callOnce(core, WRITE)).rejects.toMatchObject({ code: "APPROVAL_PENDING" });

  expect(upstream.sent).toHaveLength(1);
});

test("this step with any arguments lets every later call of it through", async () => {
  const { core, upstream } = await aRunningExecution();
  await expect(callOnce(core, WRITE, { rows: 1 })).rejects.toBeInstanceOf(Refusal);
  await decide(core, "approve", { scope: "any_arguments" });

  await callOnce(core, WRITE, { rows: 1 });
  await callOnce(core, WRITE, { rows: 2 });
  await callOnce(core, WRITE, { rows: 1 });

  expect(upstream.sent).toHaveLength(3);
  expect(await pendingApprovals(core)).toEqual([]);
});

test("a second identical call waits for the same approval, and both get the one answer", async () => {
  const { core, upstream } = await aRunningExecution();
  let count = 0;
  upstream.on(WRITE, async (sent) => saying(`sheet ${++count}`)(sent));

  const calls = [call(core, WRITE, { rows: 1 }), call(core, WRITE, { rows: 1 })];
  await pendingApproval(core);
  await core.quiet();
  expect(await pendingApprovals(core)).toHaveLength(1);
  await decide(core, "approve");
  const answers = await Promise.all(calls);

  expect(answers.map(textOf)).toEqual(["sheet 1", "sheet 1"]);
  expect(upstream.sent).toHaveLength(1);
});

test("ten people deciding at once let the call through exactly once", async () => {
  const { core, upstream } = await aRunningExecution();
  const calling = call(core, WRITE);
  const { id, version } = await pendingApproval(core);

  const decisions = await Promise.allSettled(
    Array.from({ length: 10 }, () =>
      decideApproval(core, LOCAL_USER, { approvalId: id, version, decision: "approve" }),
    ),
  );
  await calling;

  expect(decisions.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(upstream.sent).toHaveLength(1);
});

test("a rejected call is refused with the reason, and again when it is repeated", async () => {
  const { core, upstream } = await aRunningExecution();
  const refused = refusalOf(call(core, WRITE, { rows: 1 }));
  await decide(core, "reject", { reason: "宛先が違う" });
  expect(await refused).toMatchObject({
    code: "STEP_REJECTED",
    message: expect.stringContaining("宛先が違う"),
    hint: expect.stringContaining("failure"),
  });

  for (const rows of [1, 2]) {
    await expect(callOnce(core, WRITE, { rows })).rejects.toMatchObject({ code: "STEP_REJECTED" });
  }
  expect(upstream.sent).toEqual([]);
  expect((await theExecution(core)).steps[2]).toMatchObject({
    status: "rejected",
    error: "宛先が違う",
  });
});

test("the hint of a rejected step says that the person chose to continue without it", async () => {
  const { core } = await aRunningExecution();
  await expect(callOnce(core, WRITE)).rejects.toBeInstanceOf(Refusal);
  await decide(core, "reject", { reason: "不要", onReject: "skip" });

  await expect(callOnce(core, WRITE)).rejects.toMatchObject({
    code: "STEP_REJECTED",
    hint: expect.stringContaining("このステップなしで続ける"),
  });
});

test("what a person refused does not pass under another step with the same tool", async () => {
  const steps = [aStep(1, { tool: WRITE }), aStep(2, { tool: WRITE, requiresHumanCheck: true })];
  const { core, upstream } = await aRunningExecution({}, { steps });
  await reportProgress(core, agent(EXECUTOR), { stepId: "step-2" });
  await expect(callOnce(core, WRITE)).rejects.toBeInstanceOf(Refusal);
  await decide(core, "reject", { onReject: "skip", reason: "だめ" });

  await reportProgress(core, agent(EXECUTOR), { stepId: "step-1" });
  await expect(callOnce(core, WRITE)).rejects.toMatchObject({ code: "APPROVAL_PENDING" });

  expect(upstream.sent).toEqual([]);
});

test("after holdFor the agent is asked to end, and the execution is parked without an agent", async () => {
  const { core } = await aRunningExecution();
  await expect(callOnce(core, WRITE)).rejects.toMatchObject({ code: "APPROVAL_PENDING" });
  expect(await theExecution(core)).toMatchObject({ agentId: EXECUTOR });

  core.advance(core.settings.tasks.holdForMs);
  await expect(call(core, WRITE)).rejects.toMatchObject({
    code: "PARKED",
    hint: expect.stringContaining("waiting"),
  });

  expect(await theExecution(core)).toMatchObject({ status: "waiting_for_human", agentId: null });
  expect(await pendingApprovals(core)).toHaveLength(1);
});

test("an agent that was parked and calls again after the decision goes on", async () => {
  const { core, upstream } = await aRunningExecution();
  await expect(callOnce(core, WRITE)).rejects.toBeInstanceOf(Refusal);
  core.advance(core.settings.tasks.holdForMs);
  await expect(call(core, WRITE)).rejects.toMatchObject({ code: "PARKED" });
  await decide(core, "approve");

  await call(core, WRITE);

  expect(upstream.sent).toHaveLength(1);
  expect(await theExecution(core)).toMatchObject({ status: "running", agentId: EXECUTOR });
});

test("a held call whose client goes away is not sent when it is approved", async () => {
  const { core, upstream } = await aRunningExecution();
  const client = new AbortController();
  const refused = refusalOf(call(core, WRITE, {}, { signal: client.signal }));
  await pendingApproval(core);

  client.abort();
  expect(await refused).toMatchObject({ code: "APPROVAL_PENDING" });
  await decide(core, "approve");
  await core.quiet();

  expect(upstream.sent).toEqual([]);
});

test("a message ends the wait so that the agent reads it; its next call waits again", async () => {
  const { core } = await aRunningExecution();
  const refused = refusalOf(call(core, WRITE));
  await pendingApproval(core);

  await core.store.transaction((unit) =>
    notifyAgent(core, unit, {
      agentId: EXECUTOR,
      type: "message",
      text: "急いで",
      from: "local",
    }),
  );

  expect(await refused).toMatchObject({ code: "APPROVAL_PENDING" });
  expect(await pendingApprovals(core)).toHaveLength(1);
});

test("an expired approval fails the step", async () => {
  const { core } = await withTasks({ approvalExpiryMs: 1_000 });
  await expect(callOnce(core, WRITE)).rejects.toBeInstanceOf(Refusal);

  core.advance(1_000);
  await expireApprovals(core);

  await expect(callOnce(core, WRITE)).rejects.toMatchObject({ code: "APPROVAL_EXPIRED" });
  expect(await stepStatuses(core)).toEqual(["waiting", "waiting", "failed"]);
  expect(await theExecution(core)).toMatchObject({ status: "running" });
});

test("a tool in no step asks a person, by default", async () => {
  const { core, upstream } = await aRunningExecution();
  const calling = call(core, "send_slack_dm", { to: "U1" });
  expect(await pendingApproval(core)).toMatchObject({ kind: "unplanned_tool", stepId: null });
  await decide(core, "approve");
  await calling;

  expect(upstream.sent).toHaveLength(1);
  await expect(callOnce(core, "send_slack_dm", { to: "U2" })).rejects.toMatchObject({
    code: "APPROVAL_PENDING",
  });
});

test("an unplanned tool a person refuses is refused, and the execution goes on", async () => {
  const { core } = await aRunningExecution();
  await expect(callOnce(core, "send_slack_dm")).rejects.toBeInstanceOf(Refusal);
  await decide(core, "reject", { reason: "送らないで" });

  await expect(callOnce(core, "send_slack_dm")).rejects.toMatchObject({
    code: "TOOL_NOT_IN_PROCESS",
    message: expect.stringContaining("送らないで"),
  });
  expect(await theExecution(core)).toMatchObject({ status: "running" });
});

test("a tool in no step passes or is refused as the configuration says", async () => {
  const allowing = await withTasks({ unplannedTools: "allow" });
  await call(allowing.core, "send_slack_dm");
  expect(await allowing.core.store.listToolCalls("exe-01")).toMatchObject([
    { stepId: null, status: "done" },
  ]);

  const refusing = await withTasks({ unplannedTools: "refuse" });
  await expect(call(refusing.core, "send_slack_dm")).rejects.toMatchObject({
    code: "TOOL_NOT_IN_PROCESS",
  });
  expect(refusing.upstream.sent).toEqual([]);
});

test("an agent of the executor works under the same policy", async () => {
  const { core, upstream } = await aRunningExecution({
    roles: [aRole({ mcpServers: ["hr"] })],
  });
  const child = await aTaskAgent(core);

  await call(core, "list_employees", {}, { identity: agent(child, "impl-code") });
  await expect(
    call(core, WRITE, {}, { identity: agent(child, "impl-code"), patienceMs: 0 }),
  ).rejects.toMatchObject({ code: "APPROVAL_PENDING" });

  expect(upstream.sent).toHaveLength(1);
  expect(await core.store.listToolCalls("exe-01")).toMatchObject([{ agentId: child }]);
});

test("an answer of the server that is an error is given as it is, and the step has failed", async () => {
  const { core, upstream } = await aRunningExecution();
  upstream.on("list_employees", saying("no such month", { isError: true }));

  expect(await call(core, "list_employees")).toMatchObject({ isError: true });
  expect((await theExecution(core)).steps[0]).toMatchObject({
    status: "failed",
    error: "no such month",
  });

  upstream.on("list_employees", saying("ok"));
  await call(core, "list_employees");
  expect(await stepStatuses(core)).toEqual(["done", "waiting", "waiting"]);
});

test.each([
  ["unavailable", "UPSTREAM_UNAVAILABLE", "failed", "failed"],
  ["rejected", "UPSTREAM_FAILED", "failed", "failed"],
  ["too_large", "UPSTREAM_ANSWER_TOO_LARGE", "done", "done"],
  ["timeout", "OUTCOME_UNKNOWN", "outcome_unknown", "outcome_unknown"],
  ["lost", "OUTCOME_UNKNOWN", "outcome_unknown", "outcome_unknown"],
  ["cancelled", "OUTCOME_UNKNOWN", "outcome_unknown", "outcome_unknown"],
] as const)("a call that is %s is refused with %s", async (kind, code, row, step) => {
  const { core, upstream } = await aRunningExecution();
  upstream.on("list_employees", failing(kind));

  await expect(call(core, "list_employees")).rejects.toMatchObject({ code });

  expect(await core.store.listToolCalls("exe-01")).toMatchObject([{ status: row }]);
  expect((await theExecution(core)).steps[0]).toMatchObject({ status: step });
});

test("an approval whose call was never sent is still good", async () => {
  const { core, upstream } = await aRunningExecution();
  upstream.on(WRITE, failing("unavailable"));
  await expect(callOnce(core, WRITE)).rejects.toBeInstanceOf(Refusal);
  await decide(core, "approve");
  await expect(callOnce(core, WRITE)).rejects.toMatchObject({ code: "UPSTREAM_UNAVAILABLE" });

  upstream.on(WRITE, saying("ok"));
  await callOnce(core, WRITE);

  expect(await pendingApprovals(core)).toEqual([]);
});

test("a lost answer is asked about and never repeated by itself", async () => {
  const { core, upstream } = await aRunningExecution();
  upstream.on("list_employees", failing("lost"));
  await expect(call(core, "list_employees", { a: 1 })).rejects.toMatchObject({
    code: "OUTCOME_UNKNOWN",
  });
  expect(await pendingApproval(core)).toMatchObject({
    kind: "outcome",
    stepId: "step-1",
    choices: ["done", "repeat"],
  });
  expect(await theExecution(core)).toMatchObject({ status: "waiting_for_human" });

  upstream.on("list_employees", saying("ok"));
  await expect(callOnce(core, "list_employees", { a: 1 })).rejects.toMatchObject({
    code: "OUTCOME_UNKNOWN",
  });
  await expect(callOnce(core, "list_employees", { a: 2 })).rejects.toMatchObject({
    code: "OUTCOME_UNKNOWN",
  });
  expect(upstream.sent).toHaveLength(1);
  expect(await pendingApprovals(core)).toHaveLength(1);
});

test("done: the repeat is answered without being sent, and the step is done", async () => {
  const { core, upstream } = await aRunningExecution();
  upstream.on("list_employees", failing("lost"));
  await expect(call(core, "list_employees")).rejects.toBeInstanceOf(Refusal);
  const calling = call(core, "list_employees");
  await decide(core, "approve", { answer: "done" });

  expect(textOf(await calling)).toContain("took effect");

  expect(upstream.sent).toHaveLength(1);
  expect(await stepStatuses(core)).toEqual(["done", "waiting", "waiting"]);
  expect(await core.store.listToolCalls("exe-01")).toMatchObject([{ status: "done" }]);
  expect(await theExecution(core)).toMatchObject({ status: "running" });
});

test("repeat: the same call is sent once more, with the key of the first", async () => {
  const { core, upstream } = await aRunningExecution();
  upstream.on(WRITE, failing("lost"));
  await expect(callOnce(core, WRITE)).rejects.toBeInstanceOf(Refusal);
  await decide(core, "approve");
  await expect(callOnce(core, WRITE)).rejects.toMatchObject({ code: "OUTCOME_UNKNOWN" });
  await decide(core, "approve", { answer: "repeat" });
  expect(await stepStatuses(core)).toEqual(["waiting", "waiting", "waiting"]);

  upstream.on(WRITE, saying("ok"));
  await callOnce(core, WRITE);

  expect(upstream.sent).toHaveLength(2);
  expect(upstream.sent[1]?.idempotencyKey).toBe(upstream.sent[0]?.idempotencyKey);
  expect(await core.store.listToolCalls("exe-01")).toMatchObject([
    { status: "failed" },
    { status: "done" },
  ]);
  await expect(callOnce(core, WRITE)).rejects.toMatchObject({ code: "APPROVAL_PENDING" });
});

test("rejected: the step has failed, and the repeat is refused", async () => {
  const { core, upstream } = await aRunningExecution();
  upstream.on("list_employees", failing("lost"));
  await expect(call(core, "list_employees")).rejects.toBeInstanceOf(Refusal);
  await decide(core, "reject", { reason: "半分だけ書かれていた" });

  await expect(callOnce(core, "list_employees")).rejects.toMatchObject({ code: "STEP_REJECTED" });

  expect((await theExecution(core)).steps[0]).toMatchObject({
    status: "failed",
    error: "半分だけ書かれていた",
  });
  expect(upstream.sent).toHaveLength(1);
});

test("a tool that changes nothing is simply called again after its answer was lost", async () => {
  const steps = [aStep(1, { tool: "list_attendance" })];
  const { core, upstream } = await aRunningExecution({}, { steps });
  upstream.on("list_attendance", failing("lost"));
  await expect(call(core, "list_attendance")).rejects.toMatchObject({ code: "UPSTREAM_FAILED" });

  upstream.on("list_attendance", saying("ok"));
  await call(core, "list_attendance");

  expect(await pendingApprovals(core)).toEqual([]);
});

test("an answer that did not reach its agent is given again, not made again", async () => {
  const { core, upstream } = await aRunningExecution();
  const client = new AbortController();
  upstream.on("list_employees", async (sent) => {
    const answer = await saying("first")(sent);
    client.abort();
    return answer;
  });
  await call(core, "list_employees", { a: 1 }, { signal: client.signal });

  const again = await call(core, "list_employees", { a: 1 });
  expect(textOf(again)).toBe("first");
  expect(upstream.sent).toHaveLength(1);

  await call(core, "list_employees", { a: 1 });
  expect(upstream.sent).toHaveLength(2);
});

test("only we can say that there is a notification", async () => {
  const { core, upstream } = await aRunningExecution();
  upstream.on(
    "list_employees",
    saying(NOTIFICATION_LINE, { structuredContent: { a: NOTIFICATION_LINE } }),
  );

  const answer = await call(core, "list_employees");

  expect(JSON.stringify(answer)).not.toContain("get_notifications");
  expect(JSON.stringify(await core.store.listToolCalls("exe-01"))).not.toContain(
    "get_notifications",
  );
});

test("an agent on no execution has its role's list only, and leaves no rows", async () => {
  const { core, upstream } = await aGateway({
    roles: [aRole({ mcpServers: ["hr/list_employees"] })],
  });
  await core.store.transaction((unit) => unit.insertGroup(aGroup()));
  const free = await aTaskAgent(core, { taskId: null, executionId: null });
  const identity = agent(free, "impl-code");

  await call(core, "list_employees", {}, { identity });
  await expect(call(core, WRITE, {}, { identity })).rejects.toMatchObject({ code: "UNKNOWN_TOOL" });

  expect(upstream.sent).toHaveLength(1);
  expect(await core.store.listForwardedToolCalls()).toEqual([]);
  expect(await pendingApprovals(core)).toEqual([]);
});

test("a client that is no agent has no upstream tools", async () => {
  const { core } = await aGateway();

  const act = call(core, "list_employees", {}, { identity: LOCAL_USER });

  await expect(act).rejects.toMatchObject({ code: "UNKNOWN_TOOL" });
});

test("an agent whose execution is over can call nothing any more", async () => {
  const { core, upstream } = await aRunningExecution({}, { execution: { status: "completed" } });

  await expect(call(core, "list_employees")).rejects.toMatchObject({ code: "NOT_IN_AN_EXECUTION" });

  expect(upstream.sent).toEqual([]);
});

test("calls in flight are listed until they are answered", async () => {
  const { core, upstream } = await aRunningExecution();
  const slow = held();
  upstream.on("list_employees", slow.reply);

  const calling = call(core, "list_employees");
  await core.quiet();
  expect(core.calls.ofAgents(new Set([EXECUTOR]))).toMatchObject([{ tool: "list_employees" }]);
  slow.letGo();
  await calling;

  expect(core.calls.size()).toBe(0);
});
