import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { aCore, aRole, dyingAtCommit, ended, type TestCore } from "../../../test/kit/core.ts";
import { launched, settled } from "../../../test/kit/isolated-agents.ts";
import { aRepository, write, type TestRepository } from "../../../test/kit/repository.ts";
import { aTempDir } from "../../../test/kit/tmp-dir.ts";
import { openStore } from "../../adapters/store/open-store.ts";
import type { Agent } from "../../domain/agents/agent.ts";
import type { Approval } from "../../domain/approvals/approval.ts";
import { decideApproval } from "../approvals/decide-approval.ts";
import { listAllApprovals } from "../approvals/list-all-approvals.ts";
import { type Core, LOCAL_USER } from "../core.ts";
import { createGroup } from "../groups/create-group.ts";
import { resumeGroups } from "../groups/resume-groups.ts";
import { runSequential } from "../groups/run-sequential.ts";
import { stopGroup } from "../groups/stop-group.ts";
import type { Git } from "../ports/git.ts";
import type { Store } from "../ports/store.ts";
import { withoutWorktreesElsewhere } from "./worktrees-elsewhere.ts";

const ROLES = [aRole({ isolation: "auto" })];

async function plan(core: TestCore, { root }: TestRepository, ...stages: readonly number[]) {
  const group = await createGroup(core, LOCAL_USER, {
    description: "x",
    mode: "sequential",
    parentGroupId: null,
  });
  const request = {
    role: "impl-code",
    prompt: "やって",
    workingDirectory: root,
    timeoutMs: null,
  };
  const { agents } = await runSequential(core, LOCAL_USER, {
    groupId: group.id,
    onFailure: "continue",
    stages: stages.map((count) => Array.from({ length: count }, () => request)),
  });
  return agents;
}

/** Two agents of the first stage that write the same file; then a person is asked. */
async function aConflict(
  core: TestCore,
  repository: TestRepository,
  ...more: readonly number[]
): Promise<{ readonly agents: readonly Agent[]; readonly question: Approval }> {
  const agents = await plan(core, repository, 2, ...more);
  const [one, two] = agents;
  if (!one || !two) throw new Error("two");
  await launched(core, [one, two]);
  write(one.workingDirectory, { "a.txt": "left\n" });
  write(two.workingDirectory, { "a.txt": "right\n" });
  await settled(core, one, two);
  const question = await vi.waitFor(async () => {
    const [found] = await core.store.listOpenApprovals(10);
    if (!found) throw new Error("not asked yet");
    return found;
  }, 30_000);
  return { agents, question };
}

/** Calls `hook` after each merge in conflict, before the result is used. */
function afterConflicts(core: TestCore, hook: (count: number) => Promise<void>): void {
  let count = 0;
  const buildMerge: Git["buildMerge"] = async (...input) => {
    const merged = await git.buildMerge(...input);
    if (!merged.built) await hook(++count);
    return merged;
  };
  const { git } = core;
  Object.assign(core, { git: { ...git, buildMerge } });
}

async function answer(core: Core, { id: approvalId, version }: Approval, chosen: string) {
  await decideApproval(core, LOCAL_USER, {
    approvalId,
    version,
    decision: "approve",
    answer: chosen,
  });
}

async function untilEnded(core: TestCore, ...agents: readonly (Agent | undefined)[]) {
  await vi.waitFor(async () => {
    for (const agent of agents) {
      expect(await core.store.getAgent(agent?.id ?? "")).toMatchObject({ process: "ended" });
    }
  }, 30_000);
}

test("a later stage takes no work of an agent that failed, and goes on after one that changed nothing", async () => {
  const core = await aCore({ roles: ROLES });
  const [good, bad, idle, last] = await plan(core, aRepository(), 2, 1, 1);
  if (!good || !bad || !idle || !last) throw new Error("four");
  await launched(core, [good, bad]);
  write(good.workingDirectory, { "good.txt": "1\n" });
  write(bad.workingDirectory, { "bad.txt": "1\n" });
  await settled(core, good);
  await core.observe(ended(bad.id, { exitCode: 1 }));
  await launched(core, [idle]);
  await settled(core, idle);
  await launched(core, [last]);

  expect(readFileSync(join(last.workingDirectory, "good.txt"), "utf8")).toBe("1\n");
  expect(existsSync(join(last.workingDirectory, "bad.txt"))).toBe(false);
}, 60_000);

test.each(["stop", "reject"])(
  "after the answer %s to a conflict no later stage begins from the checkout",
  async (how) => {
    const core = await aCore({ roles: ROLES });
    const { agents, question } = await aConflict(core, aRepository(), 1, 1);
    await decideApproval(core, LOCAL_USER, {
      approvalId: question.id,
      version: question.version,
      ...(how === "stop"
        ? { decision: "approve", answer: "stop" }
        : { decision: "reject", reason: "やめる" }),
    });
    await untilEnded(core, ...agents);

    expect(core.launches).toHaveLength(2);
  },
  60_000,
);

test("an answer that was stored when the daemon died starts the stage after the restart", async () => {
  const store: Store = await openStore({ dataDir: aTempDir() });
  onTestFinished(() => store.close());
  const repository = aRepository();
  const first = await aCore({ roles: ROLES, store });
  const { agents, question } = await aConflict(first, repository, 1);
  await decideApproval(dyingAtCommit(first), LOCAL_USER, {
    approvalId: question.id,
    version: question.version,
    decision: "approve",
    answer: agents[1]?.id ?? "",
  });
  const next = await aCore({
    roles: ROLES,
    store,
    settings: { workspace: first.settings.workspace },
  });
  await resumeGroups(next);
  next.dispatchSoon();

  const last = agents[2];
  if (!last) throw new Error("three");
  await launched(next, [last]);
  expect(readFileSync(join(last.workingDirectory, "a.txt"), "utf8")).toBe("right\n");
}, 60_000);

test("a group that is stopped while a person is asked ends its agents and the question", async () => {
  const core = await aCore({ roles: ROLES });
  const { agents, question } = await aConflict(core, aRepository(), 1);
  await stopGroup(core, agents[2]?.groupId ?? "");
  await untilEnded(core, ...agents);

  await vi.waitFor(async () =>
    expect((await core.store.getApproval(question.id))?.status).toBe("cancelled"),
  );
  expect(core.launches).toHaveLength(2);
}, 60_000);

test("one of several servers merges the stage once, and its agent takes no slot while a person is asked", async () => {
  const core = await aCore({ roles: ROLES, serverId: "a" });
  let conflicts = 0;
  afterConflicts(core, async (count) => void (conflicts = count));
  const { agents, question } = await aConflict(core, aRepository(), 1);
  const last = agents[2];
  if (!last) throw new Error("three");
  await core.quiet();
  await sleep(1_000);

  expect(conflicts).toBe(1);
  expect(await core.store.getAgent(last.id)).toMatchObject({ held: true, workerId: null });
  expect(await core.store.countLive()).toMatchObject({ live: 0 });
  // A clone on another server has not got the changes of the stage.
  const waiting = await core.store.getAgents([last.id]);
  const b: Core = { ...core, serverId: "b" };
  const clone: Core = { ...b, git: { ...core.git, resolve: async () => undefined } };
  expect(await withoutWorktreesElsewhere(b, waiting)).toHaveLength(1);
  expect(await withoutWorktreesElsewhere(clone, waiting)).toEqual([]);

  const queued: unknown[] = [];
  core.events.on(["agent:status_update"], ({ agentId, data }) => queued.push([agentId, data]));
  await answer(core, question, agents[1]?.id ?? "");
  await launched(core, [last]);
  expect(readFileSync(join(last.workingDirectory, "a.txt"), "utf8")).toBe("right\n");
  // Wakes the other servers.
  expect(queued).toContainEqual([last.id, { status: "queued" }]);
}, 60_000);

test("an answer that is given while another agent of the stage merges is used, and no person is asked again", async () => {
  const core = await aCore({ roles: ROLES, serverId: "a" });
  afterConflicts(core, async (count) => {
    // The first agent asks; the second one has begun before the question and ends its merges after the answer.
    if (count !== 2) return;
    const question = await vi.waitFor(async () => {
      const [found] = await core.store.listOpenApprovals(10);
      if (!found) throw new Error("not asked yet");
      return found;
    }, 30_000);
    await answer(core, question, question.choices[1] ?? "");
    await vi.waitFor(async () => {
      expect(await core.store.getAgent(question.agentId ?? "")).toMatchObject({ held: false });
    }, 30_000);
  });
  const [one, two, ...later] = await plan(core, aRepository(), 2, 2);
  if (!one || !two) throw new Error("two");
  await launched(core, [one, two]);
  write(one.workingDirectory, { "a.txt": "left\n" });
  write(two.workingDirectory, { "a.txt": "right\n" });
  await settled(core, one, two);

  await launched(core, later);
  expect(await listAllApprovals(core.store, {})).toHaveLength(1);
}, 60_000);
