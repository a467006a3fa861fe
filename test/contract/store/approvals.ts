import { expect, test } from "vitest";
import type { Store } from "../../../src/app/ports/store.ts";
import type { ApprovalQuery } from "../../../src/app/ports/task-store.ts";
import {
  type Approval,
  APPROVAL_STATUSES,
  type ApprovalPolicy,
} from "../../../src/domain/approvals/approval.ts";
import { anApproval, aTask, NOON } from "../../kit/builders.ts";
import { expectOneWinner, type Open, range } from "./kit.ts";

export function approvals(aStore: Open): void {
  test("an approval comes back with every field, whatever its policy", async () => {
    const store = await aStore();
    const policies: readonly ApprovalPolicy[] = [
      { who: "requester" },
      { who: "not-requester" },
      { who: "approvers", users: ["suzuki", "田中"] },
      { who: "quorum", count: 2, users: null },
      { who: "quorum", count: 3, users: ["a", "b", "c"] },
    ];
    const all = [
      fullApproval(),
      anApproval({ id: "apr-bare", taskId: null }),
      ...policies.map((policy, n) => anApproval({ id: `apr-${n}`, policy })),
    ];

    await insertApprovals(store, all);

    for (const each of all) expect(await store.getApproval(each.id)).toEqual(each);
    expect(await store.getApproval("no-such")).toBeUndefined();
  });

  test("one of ten concurrent decisions wins, and the others get a version conflict", async () => {
    const store = await aStore();
    await insertApprovals(store, [anApproval()]);
    const decide = (n: number) =>
      store.transaction((unit) =>
        unit.updateApproval(
          anApproval({ status: "approved", decidedBy: `p${n}`, decidedAt: NOON }),
          anApproval(),
        ),
      );

    const outcomes = await Promise.allSettled(range(1, 10).map(decide));

    const winner = expectOneWinner(outcomes);
    expect(winner).toMatchObject({ version: 1, revision: 2 });
    expect(await store.getApproval(anApproval().id)).toEqual(winner);
  });

  test("every write of an approval has a new revision; the version is the writer's", async () => {
    const store = await aStore();
    await insertApprovals(store, [anApproval()]);
    const vote = { by: "a", decision: "approve", reason: null, at: NOON } as const;

    const voted = await store.transaction((unit) =>
      unit.updateApproval(anApproval({ votes: [vote] }), anApproval()),
    );
    const extended = await store.transaction((unit) =>
      unit.updateApproval({ ...voted, expiresAt: NOON + 9, version: 2 }, voted),
    );

    expect(voted).toMatchObject({ version: 1, revision: 2, votes: [vote] });
    expect(extended).toMatchObject({ version: 2, revision: 3 });
    expect(await store.getApproval(extended.id)).toEqual(extended);
  });

  test.each([
    ["one after the other", (n: number) => NOON + n],
    ["in the same millisecond", () => NOON],
  ])("60 pending, asked %s, are paged oldest first while some are decided", async (_, at) => {
    const store = await aStore();
    const asked = (n: number) => approval(n, { createdAt: at(n) });
    await insertApprovals(store, range(1, 60).map(asked));

    const seen = await allPages(store, { statuses: ["pending"], limit: 7 }, async (page) => {
      // Decides the approvals of the page, as a person who works through the list does.
      for (const n of range(page * 7 - 6, Math.min(page * 7, 60))) {
        await store.transaction((unit) =>
          unit.updateApproval({ ...asked(n), status: "rejected" }, asked(n)),
        );
      }
    });

    expect(seen).toEqual(range(1, 60).map(asked));
    expect(await store.countPendingApprovals()).toBe(0);
    const decided = await allPages(store, { statuses: ["rejected"], limit: 7 });
    expect(decided.map(({ id }) => id)).toEqual(seen.map(({ id }) => id).toReversed());
  });

  test("filters of a list combine, also across pages", async () => {
    const store = await aStore();
    const all = range(0, 95).map((n) =>
      approval(n, {
        kind: n % 2 ? "step" : "question",
        status: APPROVAL_STATUSES[n % APPROVAL_STATUSES.length] ?? "pending",
        taskId: n % 3 ? "task-01" : "task-02",
        executionId: n % 4 ? "exe-1" : null,
      }),
    );
    await insertApprovals(store, all);
    const filters: readonly [Partial<ApprovalQuery>, (each: Approval) => boolean][] = [
      [{ kind: "step" }, ({ kind }) => kind === "step"],
      [{ taskId: "task-02" }, ({ taskId }) => taskId === "task-02"],
      [{ executionId: "exe-1" }, ({ executionId }) => executionId === "exe-1"],
      [
        { statuses: ["approved", "pending", "expired"] },
        ({ status }) => ["approved", "pending", "expired"].includes(status),
      ],
    ];

    for (const chosen of subsetsOf(filters)) {
      const query = Object.assign({}, ...chosen.map(([filter]) => filter));
      const expected = all.filter((each) => chosen.every(([, fits]) => fits(each)));
      const found = await allPages(store, { ...query, limit: 5 });
      expect(found).toEqual(expected.toReversed());
      const pending = await allPages(store, { ...query, statuses: ["pending"], limit: 5 });
      const open = all.filter(
        (each) => each.status === "pending" && chosen.every(([, fits]) => fits(each)),
      );
      expect(pending).toEqual(open);
    }
    expect(await allPages(store, { statuses: [], limit: 5 })).toEqual([]);
    expect(await allPages(store, { taskId: "'; drop", limit: 5 })).toEqual([]);
  });

  test("an invalid cursor is refused", async () => {
    const store = await aStore();

    const page = store.listApprovals({ limit: 5, cursor: "x" });

    await expect(page).rejects.toMatchObject({ code: "INVALID_CURSOR" });
  });

  test("approvals of one binding are listed newest first, whatever their status", async () => {
    const store = await aStore();
    const mine = (n: number, over: Partial<Approval> = {}) =>
      approval(n, { binding: "b", ...over });
    const all = [mine(3, { status: "approved" }), mine(1), approval(4), mine(2)];
    await insertApprovals(store, [...all, approval(5, { binding: "other" })]);

    const found = await store.listApprovalsByBinding("b");

    expect(found).toEqual([all[3], all[1], all[0]]);
    expect(await store.listApprovalsByBinding("none")).toEqual([]);
  });

  test("due approvals are pending ones whose reminder or expiry has come, the longest due first", async () => {
    const store = await aStore();
    const due = [
      approval(1, { expiresAt: NOON + 30 }),
      approval(2, { remindAt: NOON + 20, expiresAt: NOON + 900 }),
      approval(3, { remindAt: NOON + 900, expiresAt: NOON + 10 }),
    ];
    const others = [
      approval(4),
      approval(5, { remindAt: NOON + 31 }),
      approval(6, { status: "approved", expiresAt: NOON }),
    ];
    await insertApprovals(store, [...due, ...others]);

    expect(await store.listDueApprovals(NOON + 30, 10)).toEqual(due.toReversed());
    expect(await store.listDueApprovals(NOON + 30, 2)).toEqual([due[2], due[1]]);
    expect(await store.listDueApprovals(NOON + 9, 10)).toEqual([]);
    expect(await store.nextApprovalDue()).toBe(NOON + 10);
  });

  test("the due time of an approval moves with a change and is cleared by a decision", async () => {
    const store = await aStore();
    const asked = anApproval({ remindAt: NOON + 10, expiresAt: NOON + 20 });
    expect(await store.nextApprovalDue()).toBeUndefined();
    await insertApprovals(store, [asked]);

    const reminded = await store.transaction((unit) =>
      unit.updateApproval({ ...asked, remindAt: null }, asked),
    );
    expect(await store.nextApprovalDue()).toBe(NOON + 20);

    await store.transaction((unit) =>
      unit.updateApproval({ ...reminded, status: "expired" }, reminded),
    );
    expect(await store.nextApprovalDue()).toBeUndefined();
    expect(await store.listDueApprovals(NOON + 99, 10)).toEqual([]);
  });

  test("an approval of an unknown task is an error, and nothing is stored", async () => {
    const store = await aStore();

    const attempt = store.transaction((unit) => unit.insertApproval(anApproval()));

    await expect(attempt).rejects.toThrow(/foreign key/i);
    expect(await store.getApproval(anApproval().id)).toBeUndefined();
    await insertApprovals(store, [anApproval()]);
    expect(await store.countPendingApprovals()).toBe(1);
  });
}

/** A higher number means a newer approval. */
function approval(n: number, over: Partial<Approval> = {}): Approval {
  return anApproval({ id: `apr-${n}`, createdAt: NOON + n, ...over });
}

function fullApproval(): Approval {
  return anApproval({
    id: "apr-full",
    kind: "step",
    status: "approved",
    executionId: "exe-1",
    stepId: "step-3",
    agentId: "executor-1-aaaa",
    subjectId: "prc-1",
    binding: "b".repeat(64),
    requester: "agent:a-b-c",
    policy: { who: "quorum", count: 2, users: ["a", "b"] },
    title: "シートに書く '; --",
    shown: { z: 1, args: { rows: [["田中", 12.5, null, true]] }, a: "👩‍👩‍👧‍👦" },
    shownHash: "f".repeat(64),
    choices: ["はい", "いいえ"],
    votes: [
      { by: "a", decision: "approve", reason: null, at: NOON + 1 },
      { by: "b", decision: "approve", reason: "よい", at: NOON + 2 },
    ],
    decidedBy: "b",
    decidedAt: NOON + 2,
    reason: "よい",
    choice: { scope: "any_arguments", onReject: "skip", answer: "はい" },
    usedAt: NOON + 3,
    expiresAt: NOON + 100,
    remindAt: NOON + 50,
    version: 4,
    revision: 9,
  });
}

/** Inserts the approvals with their tasks. */
async function insertApprovals(store: Store, list: readonly Approval[]): Promise<void> {
  await store.transaction(async (unit) => {
    for (const taskId of new Set(list.flatMap((each) => each.taskId ?? []))) {
      await unit.insertTask(aTask({ id: taskId }));
    }
    for (const each of list) await unit.insertApproval(each);
  });
}

async function allPages(
  store: Store,
  query: ApprovalQuery,
  between: (page: number) => Promise<void> = async () => {},
): Promise<readonly Approval[]> {
  const seen: Approval[] = [];
  let cursor: string | null = null;
  for (let page = 1; page === 1 || cursor !== null; page += 1) {
    const { approvals: some, nextCursor } = await store.listApprovals({
      ...query,
      ...(cursor !== null && { cursor }),
    });
    seen.push(...some);
    cursor = nextCursor;
    await between(page);
  }
  return seen;
}

function subsetsOf<T>(items: readonly T[]): readonly (readonly T[])[] {
  return items.reduce<readonly (readonly T[])[]>(
    (sets, item) => [...sets, ...sets.map((set) => [...set, item])],
    [[]],
  );
}
