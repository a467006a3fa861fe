import { expect, test } from "vitest";
import { aRunningExecution, aStep, call, callOnce, decide, pendingApproval, pendingApprovals, refusalOf, stepStatuses, theExecution, WRITE, agent } from "../../test/kit/execution.ts";
import { failing, held, saying } from "../../test/kit/fake-upstream.ts";
import { EXECUTOR, aTaskAgent } from "../../test/kit/running-task.ts";
import { expireApprovals } from "./expire-approvals.ts";
import { askHuman } from "./ask-human.ts";
import { reportProgress } from "./report-progress.ts";
import { decideApproval } from "./decide-approval.ts";
import { LOCAL_USER } from "./core.ts";

const steps = [aStep(1, { tool: WRITE })];
const tick = async () => { for (let i = 0; i < 50; i++) await new Promise((d) => setImmediate(d)); };

test("R1 two identical waiting calls, outcome repeat: one repeat", async () => {
  const { core, upstream } = await aRunningExecution({}, { steps });
  upstream.on(WRITE, failing("lost"));
  await refusalOf(call(core, WRITE, { rows: [1] }));
  upstream.on(WRITE, saying("ok"));
  const a = call(core, WRITE, { rows: [1] });
  const b = call(core, WRITE, { rows: [1] });
  await tick();
  await decide(core, "approve", { answer: "repeat" });
  await Promise.allSettled([a, b]);
  expect(upstream.sent).toHaveLength(2);
});
test("R1b two identical waiting calls, outcome done, step named: none sent", async () => {
  const { core, upstream } = await aRunningExecution({}, { steps });
  await reportProgress(core, agent(EXECUTOR), { stepId: "step-1" });
  upstream.on(WRITE, failing("lost"));
  await refusalOf(call(core, WRITE, { rows: [1] }));
  upstream.on(WRITE, saying("ok"));
  const a = call(core, WRITE, { rows: [1] });
  const b = call(core, WRITE, { rows: [1] });
  await tick();
  await decide(core, "approve", { answer: "done" });
  await Promise.race([Promise.allSettled([a, b]), tick()]);
  expect(upstream.sent).toHaveLength(1);
});
test("R1c outcome done, named step, the agent asks a second time sequentially", async () => {
  const { core, upstream } = await aRunningExecution({}, { steps });
  await reportProgress(core, agent(EXECUTOR), { stepId: "step-1" });
  upstream.on(WRITE, failing("lost"));
  await refusalOf(call(core, WRITE, { rows: [1] }));
  upstream.on(WRITE, saying("ok"));
  await decide(core, "approve", { answer: "done" });
  await callOnce(core, WRITE, { rows: [1] }).catch(() => {});
  await callOnce(core, WRITE, { rows: [1] }).catch(() => {});
  expect(upstream.sent).toHaveLength(1);
});
test("R2 same call while the first is in flight", async () => {
  const { core, upstream } = await aRunningExecution({}, { steps });
  const slow = held();
  upstream.on(WRITE, slow.reply);
  const a = call(core, WRITE, { rows: [1] });
  await tick();
  const b = call(core, WRITE, { rows: [1] });
  await tick();
  const n = upstream.sent.length;
  slow.letGo();
  await Promise.allSettled([a, b]);
  expect(n).toBe(1);
});
test("R2b client goes away from the first (signal abort), upstream slow to confirm cancel, same call again", async () => {
  const { core, upstream } = await aRunningExecution({}, { steps });
  const never = Promise.withResolvers<void>();
  upstream.on(WRITE, async (c) => { await never.promise; return saying("ok")(c); });
  const gone = new AbortController();
  const a = call(core, WRITE, { rows: [1] }, { signal: gone.signal });
  await tick();
  gone.abort();
  await tick();
  const b = call(core, WRITE, { rows: [1] });
  await tick();
  const n = upstream.sent.length;
  never.resolve();
  await Promise.allSettled([a, b]);
  expect(n).toBe(1);
});
test("R3 outcome expired, other arguments: asked, not sent", async () => {
  const { core, upstream } = await aRunningExecution({}, { steps });
  Object.assign(core.settings.tasks, { approvalExpiryMs: 1000 });
  upstream.on(WRITE, failing("lost"));
  await refusalOf(call(core, WRITE, { rows: [1] }));
  upstream.on(WRITE, saying("ok"));
  core.advance(2000);
  await expireApprovals(core);
  console.log("R3", await stepStatuses(core), (await theExecution(core)).status, (await core.store.listToolCalls("exe-01")).map((c) => c.status));
  const r = await callOnce(core, WRITE, { rows: [1], note: "second try" }).then(() => "SENT", (e) => e.code);
  console.log("R3 ->", r);
  expect(upstream.sent).toHaveLength(1);
});
test("R4 a tool quarantined while its call is held is not forwarded", async () => {
  const { core, upstream } = await aRunningExecution({}, { steps: [aStep(1, { tool: WRITE, requiresHumanCheck: true })] });
  const a = call(core, WRITE, { rows: [1] });
  await pendingApproval(core);
  // the server changes the definition
  const servers = upstream.servers().map((s) => ({ ...s, tools: s.tools.map((t) => t.name === WRITE ? { ...t, hash: "changed" } : t) }));
  Object.assign(upstream, { servers: () => servers });
  const again = await refusalOf(callOnce(core, WRITE, { rows: [2] }));
  expect(again.code).toBe("TOOL_QUARANTINED");
  await decide(core, "approve");
  await a.catch(() => {});
  expect(upstream.sent).toHaveLength(0);
});
test("R5 question of an agent on no execution is closed when the agent ends", async () => {
  const { core } = await aRunningExecution();
  const id = await aTaskAgent(core, { taskId: null, executionId: null });
  const a = askHuman(core, agent(id, "impl-code"), { question: "?", choices: [], signal: new AbortController().signal, patienceMs: 0, beat: () => {} });
  await a.catch(() => {});
  await core.observe({ kind: "ended", agentId: id, attempt: 1, exitCode: 0, signal: null } as never).catch((e) => console.log(String(e)));
  await core.quiet();
  console.log("R5", (await core.store.getAgent(id))?.status, (await pendingApprovals(core)).map((a) => a.kind));
  expect(await pendingApprovals(core)).toEqual([]);
});
