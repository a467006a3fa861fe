import { expect, onTestFinished, test } from "vitest";
import { aPerson, ask, audited, decidedBy } from "../../../test/kit/approvals.ts";
import { aCore, type TestCore } from "../../../test/kit/core.ts";
import type { Core } from "../core.ts";
import { startApprovalClock } from "./approval-clock.ts";
import { decideApproval } from "./decide-approval.ts";
import { expireApprovals } from "./expire-approvals.ts";

const HOUR = 3_600_000;

async function aCoreWithTimes(approvalExpiryMs: number | null, remindAfterMs: number | null) {
  const tasks = decidedBy({ who: "anyone" }, { approvalExpiryMs, remindAfterMs });
  return aCore({ settings: { tasks } });
}

const APPROVAL_EVENTS = [
  "approval:requested",
  "approval:decided",
  "approval:extended",
  "approval:reminded",
  "approval:expired",
  "approval:closed",
] as const;

function approvalEvents(core: Core): [string, unknown][] {
  const seen: [string, unknown][] = [];
  core.events.on(APPROVAL_EVENTS, ({ type, data }) => seen.push([type, data.approvalId]));
  return seen;
}

function running(core: Core): void {
  const clock = startApprovalClock(core);
  onTestFinished(() => clock.stop());
}

/** Resolves at the next event of this type. */
function next(core: Core, wanted: (typeof APPROVAL_EVENTS)[number]): Promise<unknown> {
  return new Promise((resolve) => {
    const stop = core.events.on([wanted], ({ data }) => {
      stop();
      resolve(data.approvalId);
    });
  });
}

test("an approval is reminded once and expires later, and the audit records the expiry", async () => {
  const core = await aCoreWithTimes(8 * HOUR, HOUR);
  const approval = await ask(core);
  const seen = approvalEvents(core);

  await expireApprovals(core);
  expect(seen).toEqual([]);

  core.advance(HOUR);
  await expireApprovals(core);
  await expireApprovals(core);
  expect(seen).toEqual([["approval:reminded", approval.id]]);

  core.advance(7 * HOUR);
  await expireApprovals(core);
  await expireApprovals(core);
  expect(seen.slice(1)).toEqual([["approval:expired", approval.id]]);
  expect(await core.store.getApproval(approval.id)).toMatchObject({
    status: "expired",
    decidedBy: null,
  });
  expect(await audited(core)).toMatchObject([
    {
      actor: "system",
      action: "approval.expired",
      subject: approval.id,
      data: { shownHash: approval.shownHash },
    },
  ]);
});

test("an approval that became overdue without a daemon expires without a reminder", async () => {
  const core = await aCoreWithTimes(8 * HOUR, HOUR);
  const approval = await ask(core);
  core.advance(72 * HOUR);
  const seen = approvalEvents(core);

  await expireApprovals(core);

  expect(seen).toEqual([["approval:expired", approval.id]]);
});

test("expireApprovals handles more approvals than one batch", async () => {
  const core = await aCoreWithTimes(HOUR, null);
  for (let n = 0; n < 250; n++) await ask(core);
  core.advance(HOUR);

  expect(await expireApprovals(core)).toBe(0);

  expect(await core.store.countPendingApprovals()).toBe(0);
});

test("a decision and a concurrent expiry: exactly one takes effect", async () => {
  const core = await aCoreWithTimes(HOUR, null);
  const approvals = await Promise.all(Array.from({ length: 20 }, () => ask(core)));
  core.advance(HOUR - 1);

  const decisions = approvals.map(({ id }) =>
    decideApproval(core, aPerson("ben"), { approvalId: id, version: 1, decision: "approve" }).then(
      () => "approved",
      (error: { code: string }) => error.code,
    ),
  );
  core.advance(1);
  const [answers] = await Promise.all([Promise.all(decisions), expireApprovals(core)]);
  await expireApprovals(core);

  for (const [index, { id }] of approvals.entries()) {
    const stored = await core.store.getApproval(id);
    expect(stored?.status).toBe(answers[index] === "approved" ? "approved" : "expired");
  }
});

test("an approval that fails to expire stays due and does not delay the others", async () => {
  const core = await aCoreWithTimes(HOUR, null);
  const [stuck, other] = [await ask(core), await ask(core)];
  core.advance(HOUR);
  const broken = failsFor(core, stuck.id);

  expect(await expireApprovals(broken)).toBe(1);

  expect((await core.store.getApproval(other.id))?.status).toBe("expired");
  expect((await core.store.getApproval(stuck.id))?.status).toBe("pending");
  expect(await core.store.nextApprovalDue()).toBe(stuck.expiresAt);
});

function failsFor(core: TestCore, id: string): Core {
  const transaction: Core["store"]["transaction"] = (work) =>
    core.store.transaction((unit) =>
      work({
        ...unit,
        async getApproval(wanted) {
          if (wanted === id) throw new Error("broken");
          return unit.getApproval(wanted);
        },
      }),
    );
  return { ...core, store: { ...core.store, transaction } };
}

test("the approval clock handles at its start what became due without a daemon", async () => {
  const core = await aCoreWithTimes(HOUR, null);
  const approval = await ask(core);
  core.advance(2 * HOUR);
  const expired = next(core, "approval:expired");

  running(core);

  expect(await expired).toBe(approval.id);
});

test("a new approval wakes an approval clock that had nothing to wait for", async () => {
  const core = await aCoreWithTimes(20, null);
  running(core);
  const expired = next(core, "approval:expired");

  const approval = await ask(core);
  core.advance(20);

  expect(await expired).toBe(approval.id);
});

test("the approval clock expires later if the wall clock is set back, and catches up if it jumps ahead", async () => {
  const core = await aCoreWithTimes(20, null);
  running(core);
  const seen = approvalEvents(core);
  const approval = await ask(core);
  core.advance(-HOUR);
  await core.quiet();
  expect(seen).toEqual([["approval:requested", approval.id]]);
  const expired = next(core, "approval:expired");

  core.advance(3 * HOUR);
  // Another request wakes the clock; otherwise its safety poll would.
  await ask(core);

  expect(await expired).toBe(approval.id);
});
