import { expect, test } from "vitest";
import { aCore, type TestCore } from "../../../../test/kit/core.ts";
import {
  answer,
  aPlannedTask,
  decide,
  HR,
  pendingApproval,
  reject,
  taskOf,
  upstreamWith,
} from "../../../../test/kit/task-flow.ts";
import type { Approval } from "../../../domain/approvals/approval.ts";
import { applyDraftDecision } from "./apply-draft-decision.ts";

const upstream = upstreamWith(...HR);

function apply(core: TestCore, approval: Approval) {
  return core.store.transaction((unit) => applyDraftDecision(core, unit, approval));
}

test("a decision about a draft that was already decided changes nothing", async () => {
  const core = await aCore({ upstream });
  const id = await aPlannedTask(core);
  const old = await pendingApproval(core, id);
  await decide(core, id);
  const before = await taskOf(core, id);

  const eventsBefore = await core.store.lastEventSeq();
  await apply(core, { ...old, status: "rejected", decidedBy: "aoi" });
  expect(await core.store.lastEventSeq()).toBe(eventsBefore);
  expect(await taskOf(core, id)).toEqual(before);
});

test("a decision about an earlier version has no effect on the current one", async () => {
  const core = await aCore({ upstream });
  const id = await aPlannedTask(core);
  const first = await pendingApproval(core, id);
  await reject(core, id, "短く");
  await answer(core, id, { content: "第二案" });
  const before = await taskOf(core, id);
  expect(before.status).toBe("awaiting_prompt_approval");

  const eventsBefore = await core.store.lastEventSeq();
  await apply(core, { ...first, status: "approved", decidedBy: "aoi" });
  expect(await core.store.lastEventSeq()).toBe(eventsBefore);
  expect(await taskOf(core, id)).toEqual(before);
});

test("an expired approval of a draft fails the task and names its stage", async () => {
  const core = await aCore({ upstream });
  const id = await aPlannedTask(core);

  await apply(core, { ...(await pendingApproval(core, id)), status: "expired" });

  expect(await taskOf(core, id)).toMatchObject({
    status: "failed",
    failure: { stage: "prompt_approval", message: expect.stringMatching(/\S/) },
  });
});
