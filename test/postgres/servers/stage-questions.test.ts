import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { openPostgresStore } from "../../../src/adapters/store/postgres/postgres-store.ts";
import { systemRandom } from "../../../src/adapters/world.ts";
import { decideApproval } from "../../../src/app/approvals/decide-approval.ts";
import { listAllApprovals } from "../../../src/app/approvals/list-all-approvals.ts";
import { LOCAL_USER } from "../../../src/app/core.ts";
import { createGroup } from "../../../src/app/groups/create-group.ts";
import { runSequential } from "../../../src/app/groups/run-sequential.ts";
import type { Git } from "../../../src/app/ports/git.ts";
import type { Store } from "../../../src/app/ports/store.ts";
import { releaseStage } from "../../../src/app/workspaces/ask-about-stage.ts";
import type { Approval } from "../../../src/domain/approvals/approval.ts";
import { aCore, aRole, type TestCore } from "../../kit/core.ts";
import { launched, settled } from "../../kit/isolated-agents.ts";
import { aMigratedUrl } from "../../kit/postgres/daemon-place.ts";
import { aRepository, write } from "../../kit/repository.ts";

/** Longer than the transactions that this must overlap with. */
const OVERLAP_MS = 500;

async function aServerCore(): Promise<TestCore> {
  const store = await openPostgresStore({ url: await aMigratedUrl() });
  onTestFinished(() => store.close());
  const core = await aCore({ store, serverId: "a", roles: [aRole({ isolation: "auto" })] });
  Object.assign(core, { random: systemRandom });
  return core;
}

/** Two stages of two agents; the changes of the first stage conflict. `hook` runs after each conflict. */
async function aConflict(core: TestCore, hook: (count: number) => Promise<void>) {
  const { git } = core;
  let count = 0;
  const buildMerge: Git["buildMerge"] = async (...input) => {
    const merged = await git.buildMerge(...input);
    if (!merged.built) await hook(++count);
    return merged;
  };
  Object.assign(core, { git: { ...git, buildMerge } });
  const group = await createGroup(core, LOCAL_USER, {
    description: "x",
    mode: "sequential",
    parentGroupId: null,
  });
  const request = {
    role: "impl-code",
    prompt: "やって",
    workingDirectory: aRepository().root,
    timeoutMs: null,
  };
  const { agents } = await runSequential(core, LOCAL_USER, {
    groupId: group.id,
    onFailure: "continue",
    stages: [
      [request, request],
      [request, request],
    ],
  });
  const [one, two, ...later] = agents;
  if (!one || !two) throw new Error("two");
  await launched(core, [one, two]);
  write(one.workingDirectory, { "a.txt": "left\n" });
  write(two.workingDirectory, { "a.txt": "right\n" });
  await settled(core, one, two);
  return { later };
}

function untilAsked(core: TestCore): Promise<Approval> {
  return vi.waitFor(async () => {
    const [found] = await core.store.listOpenApprovals(10);
    if (!found) throw new Error("not asked yet");
    return found;
  }, 30_000);
}

async function answer(core: TestCore, { id: approvalId, version, choices }: Approval) {
  const [chosen = ""] = choices;
  await decideApproval(core, LOCAL_USER, {
    approvalId,
    version,
    decision: "approve",
    answer: chosen,
  });
}

test("two agents of a stage that find its conflict at the same time ask a person once", async () => {
  const core = await aServerCore();
  const { store } = core;
  // Both have looked for a question before one of them is stored.
  const transaction: Store["transaction"] = (work) =>
    store.transaction((unit) =>
      work({
        ...unit,
        async insertApproval(approval) {
          await sleep(OVERLAP_MS);
          return unit.insertApproval(approval);
        },
      }),
    );
  Object.assign(core, { store: { ...store, transaction } });
  const both = Promise.withResolvers<void>();
  const { later } = await aConflict(core, (count) => {
    if (count === 2) both.resolve();
    return both.promise;
  });
  const question = await untilAsked(core);
  await vi.waitFor(async () => {
    for (const { id } of later) {
      expect(await core.store.getAgent(id)).toMatchObject({ held: true });
    }
  }, 30_000);
  expect(await listAllApprovals(core.store, {})).toHaveLength(1);

  await answer(core, question);
  await launched(core, later);
  expect(await listAllApprovals(core.store, {})).toHaveLength(1);
});

test("an agent that is held while the answer releases its stage is released, too", async () => {
  const core = await aServerCore();
  const { store } = core;
  const isHeld = Promise.withResolvers<void>();
  const isCommitted = Promise.withResolvers<void>();
  let holds = 0;
  // The second transaction that holds an agent commits only some time after the answer.
  const transaction: Store["transaction"] = async (work) => {
    let isSecond = false;
    const done = await store.transaction(async (unit) => {
      const updateAgent: typeof unit.updateAgent = async (next, before) => {
        if (next.held && !before.held && ++holds === 2) isSecond = true;
        return unit.updateAgent(next, before);
      };
      const result = await work({ ...unit, updateAgent });
      if (!isSecond) return result;
      isHeld.resolve();
      await sleep(OVERLAP_MS);
      return result;
    });
    if (isSecond) isCommitted.resolve();
    return done;
  };
  Object.assign(core, { store: { ...store, transaction } });
  const release = async () => {
    await isHeld.promise;
    const question = await untilAsked(core);
    await answer(core, question);
    const asker = await core.store.getAgent(question.agentId ?? "");
    if (asker) await releaseStage(core, asker.groupId);
  };
  const released = release();
  const { later } = await aConflict(core, async (count) => {
    if (count === 2) await untilAsked(core);
  });

  await Promise.all([released, isCommitted.promise]);
  for (const { id } of later) expect(await core.store.getAgent(id)).toMatchObject({ held: false });
  await launched(core, later);
});
