import { expect, test } from "vitest";
import { anApproval } from "../../../test/kit/approvals.ts";
import { NOON } from "../../../test/kit/builders.ts";
import {
  aRunningExecution,
  callOnce,
  decide,
  textOf,
  theExecution,
} from "../../../test/kit/execution.ts";
import type { Approval } from "../../domain/approvals/approval.ts";
import type { Core } from "../core.ts";
import { moveOutcomes, pendingOutcome } from "./outcome-approval.ts";

/** More than one page. */
const COUNT = 501;

async function insertMany(core: Core, over: (n: number) => Partial<Approval>): Promise<void> {
  await core.store.transaction(async (unit) => {
    for (let n = 1; n <= COUNT; n++) {
      const createdAt = NOON + 60_000 + n;
      await unit.insertApproval(
        anApproval({ id: `apr-many-${n}`, taskId: "task-01", createdAt, ...over(n) }),
      );
    }
  });
}

test("pendingOutcome finds the approval of a step among more than 500 pending ones", async () => {
  const { core } = await aRunningExecution();
  await insertMany(core, (n) => ({ kind: "outcome", executionId: "exe-01", stepId: `step-${n}` }));
  const execution = await theExecution(core);

  const found = await core.store.transaction((unit) =>
    pendingOutcome(core, unit, execution, `step-${COUNT}`),
  );

  expect(found?.id).toBe(`apr-many-${COUNT}`);
});

test("moveOutcomes moves more than 500 pending approvals to the new execution", async () => {
  const { core } = await aRunningExecution();
  await insertMany(core, () => ({ kind: "outcome", executionId: "exe-01" }));
  const next = { ...(await theExecution(core)), id: "exe-02" as const, attempt: 2 };

  await core.store.transaction(async (unit) => {
    await unit.insertExecution(next);
    await moveOutcomes(unit, next);
  });

  expect((await core.store.getApproval(`apr-many-${COUNT}`))?.executionId).toBe("exe-02");
});

test("an unplanned tool that was approved for any arguments is found after more than 500 approvals", async () => {
  const { core } = await aRunningExecution();
  await expect(callOnce(core, "hr__send_slack_dm", { to: "a" })).rejects.toMatchObject({
    code: "APPROVAL_PENDING",
  });
  await decide(core, "approve", { scope: "any_arguments" });
  await insertMany(core, () => ({
    kind: "unplanned_tool",
    status: "approved",
    executionId: "exe-01",
  }));

  expect(textOf(await callOnce(core, "hr__send_slack_dm", { to: "b" }))).toBe("ok");
});
