import { expect, test } from "vitest";
import { aPerson, ask, audited, decidedBy } from "../../../test/kit/approvals.ts";
import { NOON } from "../../../test/kit/builders.ts";
import { aCore } from "../../../test/kit/core.ts";
import { aCoreWithPeople } from "../../../test/kit/people.ts";
import { canonicalJson } from "../../domain/text/canonical.ts";
import { decideApproval } from "./decide-approval.ts";
import { extendApproval } from "./extend-approval.ts";
import { listApprovals } from "./list-approvals.ts";
import { closeApprovals, remindAt, requestApproval } from "./request-approval.ts";

const HOUR = 3_600_000;

test("an approval has the policy of its kind, its times, and the hash of what is shown", async () => {
  const tasks = decidedBy({ who: "anyone" }, { approvalExpiryMs: 8 * HOUR, remindAfterMs: HOUR });
  const core = await aCore({
    settings: {
      tasks: { ...tasks, approvals: { ...tasks.approvals, step: { who: "not-requester" } } },
    },
  });

  const approval = await ask(core, { shown: { z: 1, a: "あ" } });

  expect(approval).toMatchObject({
    status: "pending",
    policy: { who: "not-requester" },
    shownHash: core.tokens.hash(canonicalJson({ a: "あ", z: 1 })),
    expiresAt: NOON + 8 * HOUR,
    remindAt: NOON + HOUR,
    version: 1,
  });
  expect(await core.store.getApproval(approval.id)).toEqual(approval);
  expect((await ask(core, { kind: "question" })).policy).toEqual({ who: "anyone" });
});

test("a reminder that would come after the expiry comes half-way to it", () => {
  expect(remindAt(NOON, HOUR, null)).toBe(NOON + HOUR);
  expect(remindAt(NOON, HOUR, NOON + 2 * HOUR)).toBe(NOON + HOUR);
  expect(remindAt(NOON, 24 * HOUR, NOON + 2 * HOUR)).toBe(NOON + HOUR);
  expect(remindAt(NOON, null, NOON + HOUR)).toBeNull();
});

test("closing the approvals of an execution leaves its outcome approvals pending", async () => {
  const core = await aCore();
  const step = await ask(core, { kind: "step", executionId: "exe-1" });
  const question = await ask(core, { kind: "question", executionId: "exe-1" });
  const unplanned = await ask(core, { kind: "unplanned_tool", executionId: "exe-1" });
  const outcome = await ask(core, { kind: "outcome", executionId: "exe-1" });
  const other = await ask(core, { kind: "step", executionId: "exe-2" });
  await decideApproval(core, aPerson("ben"), {
    approvalId: step.id,
    version: 1,
    decision: "approve",
  });

  const closed: unknown[] = [];
  core.events.on(["approval:closed"], ({ data }) => closed.push([data.approvalId, data.status]));
  await core.store.transaction((unit) =>
    closeApprovals(core, unit, { executionId: "exe-1" }, "superseded"),
  );

  expect(closed).toEqual([
    [question.id, "superseded"],
    [unplanned.id, "superseded"],
  ]);
  const open = await listApprovals(core, { statuses: ["pending"], limit: 10 });
  expect(open.approvals.map(({ id }) => id)).toEqual([outcome.id, other.id]);
  expect((await core.store.getApproval(step.id))?.status).toBe("approved");
});

test("closeApprovals closes more approvals than one page", async () => {
  const core = await aCore();
  await core.store.transaction(async (unit) => {
    for (let n = 0; n < 1_200; n++) {
      await requestApproval(core, unit, {
        kind: "question",
        taskId: null,
        executionId: "exe-1",
        requester: "aoi",
        title: `質問 ${n}`,
        shown: { n },
      });
    }
  });

  await core.store.transaction((unit) =>
    closeApprovals(core, unit, { executionId: "exe-1" }, "cancelled"),
  );

  expect(await core.store.countPendingApprovals()).toBe(0);
});

test("an extension postpones the expiry, and a decision about the earlier version is refused", async () => {
  const tasks = decidedBy({ who: "anyone" }, { approvalExpiryMs: HOUR, remindAfterMs: 2 * HOUR });
  const core = await aCore({ settings: { tasks } });
  const approval = await ask(core);
  const at = { approvalId: approval.id, version: 1 };

  const extended = await extendApproval(core, aPerson("ben"), {
    ...at,
    expiresAt: NOON + 4 * HOUR,
  });

  expect(extended).toMatchObject({
    status: "pending",
    version: 2,
    expiresAt: NOON + 4 * HOUR,
    remindAt: NOON + 2 * HOUR,
  });
  expect(await audited(core)).toMatchObject([
    { actor: "ben", action: "approval.extended", data: { from: NOON + HOUR } },
  ]);
  core.advance(3 * HOUR);
  await expect(
    decideApproval(core, aPerson("ben"), { ...at, decision: "approve" }),
  ).rejects.toMatchObject({ code: "VERSION_CONFLICT" });
  const decided = await decideApproval(core, aPerson("ben"), {
    ...at,
    version: 2,
    decision: "approve",
  });
  expect(decided.status).toBe("approved");
});

test("only a person who may decide can extend a pending approval to a later time; refusals are audited", async () => {
  const tasks = decidedBy({ who: "not-requester" }, { approvalExpiryMs: HOUR });
  const core = await aCore({ settings: { tasks } });
  const approval = await ask(core);
  const later = { approvalId: approval.id, version: 1, expiresAt: NOON + 2 * HOUR };

  for (const [who, input, code] of [
    [aPerson("aoi"), later, "APPROVAL_NOT_YOURS"],
    [aPerson("vera", "viewer"), later, "NOT_ALLOWED"],
    [aPerson("ben"), { ...later, version: 2 }, "VERSION_CONFLICT"],
    [aPerson("ben"), { ...later, expiresAt: NOON }, "INVALID_ARGUMENTS"],
  ] as const) {
    await expect(extendApproval(core, who, input)).rejects.toMatchObject({ code });
  }
  core.advance(HOUR);
  await expect(extendApproval(core, aPerson("ben"), later)).rejects.toMatchObject({
    code: "APPROVAL_EXPIRED",
  });
  expect(await core.store.getApproval(approval.id)).toEqual(approval);
  expect((await audited(core)).map(({ action }) => action)).toEqual(
    Array.from({ length: 5 }, () => "approval.refused"),
  );
});

test("an approval that never expires cannot be extended", async () => {
  const core = await aCore();
  const { id } = await ask(core);

  await expect(
    extendApproval(core, aPerson("ben"), { approvalId: id, version: 1, expiresAt: NOON + HOUR }),
  ).rejects.toMatchObject({ code: "INVALID_ARGUMENTS" });
});

test("the admins decide instead of a requester that is not a known person", async () => {
  const people = [
    { id: "aoi", name: "aoi", role: "admin" },
    { id: "ben", name: "ben", role: "operator" },
  ] as const;
  const base = await aCore();
  const core = {
    ...base,
    people: {
      ...base.people,
      isEnabled: true,
      list: () => people,
      find: (id: string) => people.find((person) => person.id === id),
    },
    settings: {
      ...base.settings,
      tasks: {
        ...base.settings.tasks,
        approvals: { ...base.settings.tasks.approvals, question: { who: "requester" } },
      },
    },
  } as const;
  const policyOf = (requester: string) =>
    core.store.transaction(async (unit) => {
      const question = { kind: "question", taskId: null, title: "?", shown: {} } as const;
      return (await requestApproval(core, unit, { ...question, requester })).policy;
    });

  expect(await policyOf("ben")).toEqual({ who: "requester" });
  expect(await policyOf("unknown")).toEqual({ who: "approvers", users: ["aoi"] });
});

test("not-requester requires two people when the requester is unknown", async () => {
  const core = await aCoreWithPeople(
    { aoi: "admin", ben: "operator" },
    { settings: { tasks: decidedBy({ who: "not-requester" }) } },
  );

  // Requested before sign-in was enabled: either person may be the requester.
  const { id, policy } = await ask(core, { requester: "local" });
  await decideApproval(core, aPerson("aoi"), { approvalId: id, version: 1, decision: "approve" });

  expect(policy).toEqual({ who: "quorum", count: 2, users: null });
  expect((await core.store.getApproval(id))?.status).toBe("pending");
  expect((await ask(core, { requester: "aoi" })).policy).toEqual({ who: "not-requester" });
});
