import { expect, test } from "vitest";
import {
  aFreeAgent,
  callsOf,
  DELETE,
  startAgent,
  type FreeAgent,
} from "../../../test/kit/agent-call.ts";
import { aPerson, decidedBy } from "../../../test/kit/approvals.ts";
import { NOON } from "../../../test/kit/builders.ts";
import { ended } from "../../../test/kit/core.ts";
import { aRole } from "../../../test/kit/core.ts";
import {
  aGateway,
  aRunningExecution,
  aStep,
  call,
  decide,
  pendingApproval,
  pendingApprovals,
  refusalOf,
  textOf,
} from "../../../test/kit/execution.ts";
import { aFakeUpstream, aTool, failing, held, saying } from "../../../test/kit/fake-upstream.ts";
import { aCoreWithPeople } from "../../../test/kit/people.ts";
import { cancelAgent } from "../agents/cancel-agent.ts";
import { decideApproval } from "../approvals/decide-approval.ts";
import { expireApprovals } from "../approvals/expire-approvals.ts";
import { LOCAL_USER } from "../core.ts";
import { resumeGroups } from "../groups/resume-groups.ts";
import { createCallsInFlight } from "./calls-in-flight.ts";
import { pinTools } from "./pin-tools.ts";
import { recoverCalls } from "./recover-calls.ts";

async function audited({ core, agentId }: Pick<FreeAgent, "core" | "agentId">) {
  const { entries } = await core.store.listAudit({ actor: `agent:${agentId}`, limit: 50 });
  return entries;
}

test("a tool a person must always check is held for an agent without a task, and sent once", async () => {
  const free = await aFreeAgent();
  const { core, upstream, agentId } = free;

  const calling = free.callTool(DELETE, { b: 2, a: 1 });
  const approval = await pendingApproval(core);
  expect(upstream.sent).toEqual([]);
  expect(approval).toMatchObject({
    kind: "call",
    taskId: null,
    executionId: null,
    agentId,
    requester: "local",
    shown: { tool: `hr/${DELETE}`, args: { a: 1, b: 2 }, askedBy: agentId, role: "impl-code" },
  });
  await decide(core, "approve");

  expect(textOf(await calling)).toBe("ok");
  expect(upstream.sent).toMatchObject([{ tool: DELETE, args: { a: 1, b: 2 } }]);
  expect((await core.store.getApproval(approval.id))?.usedAt).not.toBeNull();
  expect(await audited(free)).toMatchObject([
    { action: "tool.forwarded", data: { server: "hr", tool: DELETE, approvalId: approval.id } },
  ]);
});

test("every forwarded call is in the audit before it is sent, also one that is not checked", async () => {
  const free = await aFreeAgent();
  const seen: unknown[] = [];
  free.upstream.on("list", async () => {
    seen.push(...(await audited(free)));
    return { content: [], isError: false };
  });

  await free.callTool("list", { page: 2 });

  expect(seen).toMatchObject([
    {
      action: "tool.forwarded",
      data: {
        server: "hr",
        tool: "list",
        approvalId: null,
        argsHash: free.core.tokens.hash('{"page":2}'),
      },
    },
  ]);
});

test("outside a task a tool is checked that calls itself destructive, unless the configuration says never", async () => {
  const tools = [
    aTool("purge", { annotations: { destructiveHint: true } }),
    aTool("trusted", { annotations: { destructiveHint: true }, humanCheck: "never" }),
    aTool("harmless", { annotations: { destructiveHint: true }, isReadOnly: true }),
    aTool("reader", { annotations: { destructiveHint: true, readOnlyHint: true } }),
    aTool("silent"),
    aTool("watched", { isReadOnly: true, humanCheck: "always" }),
  ];
  const { callOnce } = await aFreeAgent({ tools });

  const codes = [];
  for (const { name } of tools) {
    codes.push(
      await callOnce(name).then(
        () => "sent",
        ({ code }: { code: string }) => code,
      ),
    );
  }

  const pending = "APPROVAL_PENDING";
  expect(codes).toEqual([pending, "sent", "sent", "sent", "sent", pending]);
});

test("an approval is for this agent and these arguments, once", async () => {
  const free = await aFreeAgent();
  const { core, upstream, callOnce } = free;
  await refusalOf(callOnce(DELETE, { id: 1 }));
  await decide(core, "approve");

  expect(await refusalOf(callOnce(DELETE, { id: 2 }))).toMatchObject({ code: "APPROVAL_PENDING" });
  const other = callsOf(core, await startAgent(core, LOCAL_USER));
  expect(await refusalOf(other.callOnce(DELETE, { id: 1 }))).toMatchObject({
    code: "APPROVAL_PENDING",
  });
  expect(upstream.sent).toEqual([]);
  expect(textOf(await callOnce(DELETE, { id: 1 }))).toBe("ok");
  expect(await refusalOf(callOnce(DELETE, { id: 1 }))).toMatchObject({ code: "APPROVAL_PENDING" });
  expect(upstream.sent).toHaveLength(1);
});

test("any arguments: later calls of the same tool by the same agent pass", async () => {
  const { core, upstream, callOnce } = await aFreeAgent();
  await refusalOf(callOnce(DELETE, { id: 1 }));
  await decide(core, "approve", { scope: "any_arguments" });

  await callOnce(DELETE, { id: 1 });
  await callOnce(DELETE, { id: 2 });
  expect(await refusalOf(callOnce("purge"))).toMatchObject({ code: "APPROVAL_PENDING" });

  expect(upstream.sent).toHaveLength(2);
});

test("identical calls at once share one approval and one answer", async () => {
  const { core, upstream, callTool } = await aFreeAgent();

  const calling = Array.from({ length: 10 }, () => callTool(DELETE, { id: 1 }));
  await pendingApproval(core);
  await core.quiet();
  expect(await pendingApprovals(core)).toHaveLength(1);
  await decide(core, "approve");

  for (const answer of await Promise.all(calling)) expect(textOf(answer)).toBe("ok");
  expect(upstream.sent).toHaveLength(1);
});

test("a rejection is a refusal with the reason, and stays one", async () => {
  const { core, upstream, callOnce } = await aFreeAgent();
  await refusalOf(callOnce(DELETE, { id: 1 }));
  await decide(core, "reject", { reason: "まだ早い" });

  const refused = await refusalOf(callOnce(DELETE, { id: 1 }));

  expect(refused).toMatchObject({ code: "STEP_REJECTED" });
  expect(refused.message).toContain("まだ早い");
  expect(refused.hint).not.toContain("report_completed");
  expect(upstream.sent).toEqual([]);
});

test("a call whose approval expires is refused", async () => {
  const { core, callOnce } = await aFreeAgent({
    settings: { tasks: decidedBy({ who: "anyone" }, { approvalExpiryMs: 1_000 }) },
  });
  await refusalOf(callOnce(DELETE));
  core.advance(1_000);
  await expireApprovals(core);

  expect(await refusalOf(callOnce(DELETE))).toMatchObject({ code: "APPROVAL_EXPIRED" });
});

test("after the longest hold the refusal asks the agent to call again; it is never parked", async () => {
  const { core, callOnce } = await aFreeAgent();
  await refusalOf(callOnce(DELETE));
  core.advance(core.settings.tasks.holdForMs * 10);

  expect(await refusalOf(callOnce(DELETE))).toMatchObject({
    code: "APPROVAL_PENDING",
    hint: expect.stringContaining("exactly the same arguments"),
  });
  expect(await pendingApprovals(core)).toHaveLength(1);
});

test.each(["ended", "timed out"])("an agent that %s takes its open checks with it", async (how) => {
  const { core, agentId, callOnce } = await aFreeAgent();
  await refusalOf(callOnce(DELETE));
  const [asked] = await pendingApprovals(core);

  await core.observe(ended(agentId, how === "timed out" ? { exitCode: null } : {}));
  await core.quiet();

  expect(await core.store.getApproval(asked?.id ?? "")).toMatchObject({ status: "cancelled" });
});

test("a cancelled agent's call is not sent, whatever a person says afterwards", async () => {
  const { core, upstream, agentId, callTool } = await aFreeAgent();
  const calling = refusalOf(callTool(DELETE));
  await pendingApproval(core);

  await cancelAgent(core, LOCAL_USER, agentId);
  await decide(core, "approve");

  expect(await calling).toMatchObject({ code: "STOP_REQUESTED" });
  expect(upstream.sent).toEqual([]);
});

test("an approval whose agent ended while no daemon ran is closed at the next start", async () => {
  const free = await aFreeAgent();
  await refusalOf(free.callOnce(DELETE));
  const agent = await free.core.store.getAgent(free.agentId);
  if (!agent) throw new Error("it is there");
  // The agent's end was committed; what follows from it was not done any more.
  await free.core.store.transaction((unit) =>
    unit.updateAgent({ ...agent, process: "ended", status: "lost", endedAt: NOON }, agent),
  );

  await resumeGroups(free.core);

  expect(await pendingApprovals(free.core)).toEqual([]);
});

test("an approval survives a restart: the same call finds it and passes", async () => {
  const free = await aFreeAgent();
  await refusalOf(free.callOnce(DELETE, { id: 1 }));

  const upstream = aFakeUpstream([aTool(DELETE, { humanCheck: "always" })]);
  const roles = [aRole({ mcpServers: ["hr"] })];
  const { core } = await aGateway({ store: free.core.store, now: NOON + 60_000, upstream, roles });
  await resumeGroups(core);
  await decide(core, "approve");

  expect(textOf(await callsOf(core, free.agentId).callOnce(DELETE, { id: 1 }))).toBe("ok");
  expect(upstream.sent).toHaveLength(1);
});

test("a checked call whose answer was lost is asked about and never repeated by itself", async () => {
  const { core, upstream, callOnce } = await aFreeAgent();
  await refusalOf(callOnce(DELETE, { id: 1 }));
  await decide(core, "approve");
  upstream.on(DELETE, failing("lost"));

  expect(await refusalOf(callOnce(DELETE, { id: 1 }))).toMatchObject({ code: "OUTCOME_UNKNOWN" });
  expect(await pendingApprovals(core)).toMatchObject([
    { kind: "outcome", executionId: null, shown: { tool: `hr/${DELETE}`, args: { id: 1 } } },
  ]);
  expect(await refusalOf(callOnce(DELETE, { id: 1 }))).toMatchObject({ code: "OUTCOME_UNKNOWN" });
  expect(upstream.sent).toHaveLength(1);
  await decide(core, "approve", { answer: "done" });

  expect(textOf(await callOnce(DELETE, { id: 1 }))).toContain("took effect");
  expect(upstream.sent).toHaveLength(1);
});

test("repeat: the lost call is sent once more, with the key of the first", async () => {
  const { core, upstream, callOnce } = await aFreeAgent();
  await refusalOf(callOnce(DELETE));
  await decide(core, "approve");
  upstream.on(DELETE, failing("timeout"));
  await refusalOf(callOnce(DELETE));
  upstream.on(DELETE, async () => ({ content: [{ type: "text", text: "ok" }], isError: false }));
  await decide(core, "approve", { answer: "repeat" });

  expect(textOf(await callOnce(DELETE))).toBe("ok");

  const [first, second] = upstream.sent;
  expect(second?.idempotencyKey).toBe(first?.idempotencyKey);
  expect(upstream.sent).toHaveLength(2);
  expect(await refusalOf(callOnce(DELETE))).toMatchObject({ code: "APPROVAL_PENDING" });
});

test("a checked call that was under way when the daemon died is asked about", async () => {
  const free = await aFreeAgent();
  const slow = held();
  free.upstream.on(DELETE, slow.reply);
  await refusalOf(free.callOnce(DELETE));
  await decide(free.core, "approve");
  const lost = free.callTool(DELETE);
  await free.core.quiet();

  const upstream = aFakeUpstream([aTool(DELETE, { humanCheck: "always" })]);
  const roles = [aRole({ mcpServers: ["hr"] })];
  const { core } = await aGateway({ store: free.core.store, now: NOON + 60_000, upstream, roles });
  await recoverCalls(core, () => false);

  expect(await pendingApprovals(core)).toMatchObject([{ kind: "outcome" }]);
  expect(await refusalOf(callsOf(core, free.agentId).callOnce(DELETE))).toMatchObject({
    code: "OUTCOME_UNKNOWN",
  });
  expect(upstream.sent).toEqual([]);
  slow.letGo();
  await lost;
});

test("an answer that did not reach its agent is given again, not made again", async () => {
  const { core, upstream, callTool, callOnce } = await aFreeAgent();
  await refusalOf(callOnce(DELETE));
  await decide(core, "approve");
  const client = new AbortController();
  upstream.on(DELETE, async () => {
    client.abort();
    return { content: [{ type: "text", text: "deleted" }], isError: false };
  });
  await callTool(DELETE, {}, { signal: client.signal });

  expect(textOf(await callOnce(DELETE))).toBe("deleted");
  expect(upstream.sent).toHaveLength(1);
});

/** A checked call that was answered; then the daemon restarts and knows only what is stored. */
async function answeredBeforeRestart() {
  const free = await aFreeAgent();
  const calling = free.callTool(DELETE, { a: 1 });
  await decide(free.core, "approve");
  await calling;
  const core = { ...free.core, calls: createCallsInFlight() };
  return { ...free, ...callsOf(core, free.agentId), core };
}

test.each([
  ["answered", saying("rows")],
  ["cancelled by its client", failing("cancelled")],
])(
  "a checked call, made again after another call that was %s, is a new one",
  async (_how, reply) => {
    const { core, upstream, callTool, callOnce } = await answeredBeforeRestart();
    upstream.on("list", reply);
    await callTool("list").catch(() => {});

    expect(await refusalOf(callOnce(DELETE, { a: 1 }))).toMatchObject({ code: "APPROVAL_PENDING" });
    expect(await pendingApprovals(core)).toMatchObject([{ kind: "call" }]);
  },
);

test("a checked call that is repeated beside another call after a restart gets its answer", async () => {
  const { upstream, callTool } = await answeredBeforeRestart();
  const other = held();
  upstream.on("list", other.reply);

  const listing = callTool("list");
  expect(textOf(await callTool(DELETE, { a: 1 }))).toBe("ok");
  other.letGo();
  await listing;
  expect(upstream.sent.filter(({ tool }) => tool === DELETE)).toHaveLength(1);
});

test("a call that was never sent leaves its approval usable", async () => {
  const { core, upstream, callOnce } = await aFreeAgent();
  await refusalOf(callOnce(DELETE));
  await decide(core, "approve");
  upstream.on(DELETE, failing("unavailable"));
  expect(await refusalOf(callOnce(DELETE))).toMatchObject({ code: "UPSTREAM_UNAVAILABLE" });
  upstream.on(DELETE, async () => ({ content: [{ type: "text", text: "ok" }], isError: false }));

  expect(textOf(await callOnce(DELETE))).toBe("ok");
});

test("a lost answer of a call that is not checked is not promised to be asked about", async () => {
  const { upstream, core, callOnce } = await aFreeAgent();
  upstream.on("list", failing("lost"));

  const refused = await refusalOf(callOnce("list"));

  expect(refused).toMatchObject({ code: "OUTCOME_UNKNOWN" });
  expect(refused.hint).toContain("Find out");
  expect(refused.hint).not.toContain("person");
  expect(await pendingApprovals(core)).toEqual([]);
});

test("a tool that changed while a person thought is not sent", async () => {
  const { core, upstream, callTool } = await aFreeAgent();
  const calling = refusalOf(callTool(DELETE));
  await pendingApproval(core);
  const [server] = upstream.servers();
  Object.assign(server?.tools[0] ?? {}, { hash: "another" });
  Object.assign(upstream, { servers: () => [{ ...server, tools: [...(server?.tools ?? [])] }] });
  await pinTools(core);
  await decide(core, "approve");

  expect(await calling).toMatchObject({ code: "TOOL_QUARANTINED" });
  expect(upstream.sent).toEqual([]);
});

test("not-requester: the person who started the agent may not let its call through", async () => {
  const people = await aCoreWithPeople({ aoi: "admin", ben: "operator" });
  const free = await aFreeAgent({
    settings: { tasks: decidedBy({ who: "not-requester" }) },
    by: aPerson("aoi"),
  });
  const core = Object.assign(free.core, { people: people.people });
  await refusalOf(free.callOnce(DELETE));
  const { id, version, requester } = await pendingApproval(core);
  const approve = { approvalId: id, version, decision: "approve" } as const;

  expect(requester).toBe("aoi");
  expect(await refusalOf(decideApproval(core, aPerson("aoi"), approve))).toMatchObject({
    code: "APPROVAL_NOT_YOURS",
  });
  await decideApproval(core, aPerson("ben"), approve);
  expect(textOf(await free.callOnce(DELETE))).toBe("ok");
});

test("one agent has only so many checks open at once", async () => {
  const { core, callOnce } = await aFreeAgent();
  const codes = new Set<string>();
  for (let id = 0; id < 50; id++) codes.add((await refusalOf(callOnce(DELETE, { id }))).code);

  expect(await pendingApprovals(core)).toHaveLength(20);
  expect(codes).toEqual(new Set(["APPROVAL_PENDING", "TOO_MANY_OPEN"]));
});

test("in a task `always` asks although the approved step does not", async () => {
  const { core } = await aRunningExecution(
    { upstream: aFakeUpstream([aTool("list_employees", { humanCheck: "always" })]) },
    { steps: [aStep(1)] },
  );

  const calling = call(core, "list_employees");
  expect(await pendingApproval(core)).toMatchObject({ kind: "step", stepId: "step-1" });
  await decide(core, "approve");

  expect(textOf(await calling)).toBe("ok");
});

test("in a task `always` asks about an unplanned tool that would be allowed", async () => {
  const { core } = await aRunningExecution(
    { upstream: aFakeUpstream([aTool("extra", { humanCheck: "always" })]) },
    { steps: [aStep(1)] },
  );
  Object.assign(core.settings.tasks, { unplannedTools: "allow" });

  void call(core, "extra").catch(() => {});

  expect(await pendingApproval(core)).toMatchObject({ kind: "unplanned_tool" });
});
