import { expect, test } from "vitest";
import {
  aCore,
  aRole,
  ended,
  someProgress,
  started,
  type TestCore,
} from "../../../test/kit/core.ts";
import type { ProgressLedger } from "../../domain/groups/ledger.ts";
import { Refusal } from "../../domain/refusal.ts";
import { cancelAgent } from "../agents/cancel-agent.ts";
import type { Identity } from "../core.ts";
import { getNotifications } from "../notifications/get-notifications.ts";
import { sendMessage } from "../notifications/send-message.ts";
import { createGroup } from "./create-group.ts";
import { resumeGroups } from "./resume-groups.ts";
import { runAgents } from "./run-agents.ts";
import { runMagentic, type RunMagentic } from "./run-magentic.ts";
import { updateLedger } from "./update-ledger.ts";

const main = { kind: "client", cwd: "/", keys: {} } as const;
const roles = [aRole(), aRole({ id: "impl-test" }), aRole({ id: "orchestrator" })];

async function aTask(over: Partial<RunMagentic> = {}) {
  const core = await aCore({ roles, settings: { maxConcurrent: 1, maxOrchestrators: 2 } });
  const { group, orchestrator } = await runMagentic(core, main, {
    description: "認証",
    task: "認証を実装する",
    completionCriteria: "テストが通る",
    scope: "src/auth",
    constraints: null,
    context: "docs/auth.md",
    availableRoles: null,
    maxIterations: 10,
    timeoutMs: null,
    workingDirectory: null,
    ...over,
  });
  await core.quiet();
  await core.observe(started(orchestrator.id));
  const identity: Identity = { kind: "agent", agentId: orchestrator.id, role: "orchestrator" };
  return { core, group, orchestrator, identity };
}

async function iterate(core: TestCore, identity: Identity, prompt: string, succeed = true) {
  const group = await createGroup(core, identity, {
    description: "i",
    mode: "concurrent",
    parentGroupId: null,
  });
  const [agent] = await runAgents(core, identity, {
    groupId: group.id,
    agents: [{ role: "impl-code", prompt, workingDirectory: null, timeoutMs: null }],
  });
  if (!agent) throw new Error("one");
  await core.quiet();
  await core.observe(
    started(agent.id),
    ended(agent.id, succeed ? {} : { exitCode: 1, progress: someProgress({ end: null }) }),
  );
  await core.quiet();
  return agent;
}

function progress(over: { made?: boolean; loop?: boolean } = {}): ProgressLedger {
  const reason = "理由";
  return {
    requestSatisfied: { answer: false, reason },
    inLoop: { answer: over.loop ?? false, reason },
    progressMade: { answer: over.made ?? true, reason },
    nextAction: { answer: "続ける", reason },
    instruction: { answer: "やる", reason },
  };
}

test("the orchestrator gets the task, its limits and the roles, in a slot of its own", async () => {
  const { core, group, orchestrator } = await aTask();

  expect(group).toMatchObject({ mode: "magentic", orchestratorAgentId: orchestrator.id });
  const prompt = core.launches[0]?.command.stdin ?? "";
  for (const part of [
    "認証を実装する",
    "テストが通る",
    "src/auth",
    "docs/auth.md",
    "availableRoles: impl-code, impl-test",
    "maxIterations: 10",
  ]) {
    expect(prompt).toContain(part);
  }
  expect(await core.store.countByProcess()).toMatchObject({ live: 0, liveOrchestrators: 1 });
});

test("an orchestrator's groups are below its own group, and its agents do not need its slot", async () => {
  const { core, group, identity } = await aTask();

  await iterate(core, identity, "一");

  const [child] = await core.store.listChildGroups(group.id);
  expect(child?.parentGroupId).toBe(group.id);
  expect((await core.store.getGroup(group.id))?.magentic?.iterations).toBe(1);
});

test("an iteration beyond maxIterations is refused and changes nothing", async () => {
  const { core, group, identity } = await aTask({ maxIterations: 2 });
  await iterate(core, identity, "一");
  await iterate(core, identity, "二");
  const before = (await core.store.listAgents({ limit: 100 })).total;

  await expect(iterate(core, identity, "三")).rejects.toMatchObject({
    code: "MAX_ITERATIONS_REACHED",
    hint: expect.stringContaining("report_result"),
  });

  expect((await core.store.listAgents({ limit: 100 })).total).toBe(before);
  expect((await core.store.getGroup(group.id))?.magentic?.iterations).toBe(2);
});

test("an orchestrator may use only its own groups and the roles it was given", async () => {
  const { core, identity } = await aTask({ availableRoles: ["impl-test"] });
  const foreign = await createGroup(core, main, {
    description: "x",
    mode: "concurrent",
    parentGroupId: null,
  });
  const request = { role: "impl-test", prompt: "x", workingDirectory: null, timeoutMs: null };

  await expect(
    runAgents(core, identity, { groupId: foreign.id, agents: [request] }),
  ).rejects.toMatchObject({ code: "NOT_ALLOWED" });
  await expect(iterate(core, identity, "x")).rejects.toMatchObject({ code: "ROLE_UNAVAILABLE" });
});

test("an orchestrator is advised to replan after three stalls in its ledger, and to hand over after two more", async () => {
  const { core, identity, orchestrator } = await aTask();
  const advice: (string | null)[] = [];

  for (let n = 1; n <= 5; n++) {
    await iterate(core, identity, `${n}`);
    advice.push(
      (
        await updateLedger(core, identity, {
          groupId: null,
          ledger: { progress: progress({ made: false }) },
        })
      ).advice,
    );
  }

  expect(advice.map((each) => each !== null)).toEqual([false, false, true, false, true]);
  const notifications = await getNotifications(core, orchestrator.id);
  expect(notifications.map(({ type }) => type)).toEqual(["replan", "replan"]);
  expect(notifications[1]).toMatchObject({ text: expect.stringContaining("report_result") });
});

test("progress in the ledger resets the stalls, and two ledgers of one iteration count once", async () => {
  const { core, identity } = await aTask();
  const write = async (made: boolean) =>
    (
      await updateLedger(core, identity, {
        groupId: null,
        ledger: { progress: progress({ made }) },
      })
    ).magentic.stalls;

  await iterate(core, identity, "一");
  expect(await write(false)).toBe(1);
  expect(await write(false)).toBe(1);
  await iterate(core, identity, "二");
  expect(await write(true)).toBe(0);
});

test("without a ledger, an iteration counts as a stall if all its agents failed or it repeats the last one", async () => {
  const { core, group, identity } = await aTask();
  const stalls = async () => (await core.store.getGroup(group.id))?.magentic?.stalls;

  await iterate(core, identity, "一", false);
  await iterate(core, identity, "二");
  expect(await stalls()).toBe(1);
  await iterate(core, identity, "二");
  expect(await stalls()).toBe(2);
  await iterate(core, identity, "三");
  expect(await stalls()).toBe(0);
});

test("cancelling the orchestrator stops all agents of its groups, nested groups included", async () => {
  const { core, identity, orchestrator } = await aTask();
  const child = await createGroup(core, identity, {
    description: "c",
    mode: "concurrent",
    parentGroupId: null,
  });
  const grandchild = await createGroup(core, identity, {
    description: "g",
    mode: "concurrent",
    parentGroupId: child.id,
  });
  const request = { role: "impl-code", prompt: "x", workingDirectory: null, timeoutMs: null };
  const [running] = await runAgents(core, identity, { groupId: child.id, agents: [request] });
  const [queued] = await runAgents(core, identity, { groupId: grandchild.id, agents: [request] });
  if (!running || !queued) throw new Error("two");
  await core.quiet();
  await core.observe(started(running.id));

  const { descendants } = await cancelAgent(core, main, orchestrator.id);

  expect([...descendants].sort()).toEqual([queued.id, running.id].sort());
  expect(core.stops.map((stop) => stop.agentId).sort()).toEqual(
    [orchestrator.id, running.id].sort(),
  );
  expect((await core.store.getAgent(queued.id))?.status).toBe("cancelled");
});

test("the agents of an orchestrator that ends are stopped, even if the daemon crashed in between", async () => {
  const { core, identity, orchestrator } = await aTask();
  const child = await createGroup(core, identity, {
    description: "c",
    mode: "concurrent",
    parentGroupId: null,
  });
  const [worker] = await runAgents(core, identity, {
    groupId: child.id,
    agents: [{ role: "impl-code", prompt: "x", workingDirectory: null, timeoutMs: null }],
  });
  if (!worker) throw new Error("one");
  await core.quiet();
  await core.observe(started(worker.id));
  await core.store.transaction(async (unit) => {
    const agent = await unit.getAgent(orchestrator.id);
    if (agent) await unit.updateAgent({ ...agent, status: "failed", process: "ended" }, agent);
  });

  await resumeGroups(core);

  expect(core.stops.map((stop) => stop.agentId)).toEqual([worker.id]);
});

test.each([
  [{ availableRoles: ["wizard"] }, "ROLE_NOT_FOUND"],
  [{ availableRoles: ["orchestrator"] }, "ROLE_NOT_FOUND"],
  [{ availableRoles: [] }, "ROLE_NOT_FOUND"],
  [{ workingDirectory: "/no/such" }, "WORKING_DIRECTORY_NOT_FOUND"],
])("run_magentic with %j is refused with %s", async (over, code) => {
  await expect(aTask(over)).rejects.toMatchObject({ code });
});

test("an orchestrator that is being stopped, or has ended, gets no more agents", async () => {
  const { core, identity, orchestrator } = await aTask();
  const child = await createGroup(core, identity, {
    description: "c",
    mode: "concurrent",
    parentGroupId: null,
  });
  await cancelAgent(core, main, orchestrator.id);

  const late = runAgents(core, identity, {
    groupId: child.id,
    agents: [{ role: "impl-code", prompt: "x", workingDirectory: null, timeoutMs: null }],
  });

  await expect(late).rejects.toMatchObject({ code: "NOT_ALLOWED" });
  expect((await core.store.listAgents({ limit: 10 })).total).toBe(1);
});

test("the number of an orchestrator's groups is limited, nested groups included", async () => {
  const { core, identity } = await aTask();
  const make = (parentGroupId: string | null) =>
    createGroup(core, identity, { description: "x", mode: "concurrent", parentGroupId });
  const nested = await make((await make(null)).id);
  const codes = new Set<string>();
  for (let n = 0; n < 120; n++) {
    await make(n % 2 === 0 ? nested.id : null).catch((error: unknown) => {
      if (error instanceof Refusal) codes.add(error.code);
    });
  }

  expect(codes).toEqual(new Set(["TOO_MANY_OPEN"]));
  expect((await core.store.listGroups({ view: "active", limit: 500 })).groups).toHaveLength(101);
});

test("the number of unread messages from an orchestrator is limited, from a person it is not", async () => {
  const { core, identity } = await aTask();
  const group = await createGroup(core, identity, {
    description: "c",
    mode: "concurrent",
    parentGroupId: null,
  });
  const [agent] = await runAgents(core, identity, {
    groupId: group.id,
    agents: [{ role: "impl-code", prompt: "y", workingDirectory: null, timeoutMs: null }],
  });
  if (!agent) throw new Error("one");
  const tell = (by: Identity) =>
    sendMessage(core, by, { agentId: agent.id, text: "急いで", from: "x" });
  for (let n = 0; n < 20; n++) await tell(identity);

  await expect(tell(identity)).rejects.toMatchObject({ code: "TOO_MANY_OPEN" });
  await tell(main);
  expect(await core.store.listOpenNotifications(agent.id)).toHaveLength(21);
});
