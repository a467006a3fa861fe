import { expect, test } from "vitest";
import { aPerson, ask, audited, decidedBy } from "../../../test/kit/approvals.ts";
import { aCore, type ACore, type TestCore } from "../../../test/kit/core.ts";
import type { Approval, ApprovalPolicy } from "../../domain/approvals/approval.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { Core, Identity } from "../core.ts";
import type { UnitOfWork } from "../ports/store.ts";
import { decideApproval, type DecideApproval } from "./decide-approval.ts";
import { closeApprovals } from "./request-approval.ts";

const PEOPLE = ["aoi", "ben", "chie", "dai", "emi", "fumi", "gen", "hana", "iku", "jun"];

async function aCoreWhere(policy: ApprovalPolicy, over: ACore = {}): Promise<TestCore> {
  return aCore({ ...over, settings: { tasks: decidedBy(policy), ...over.settings } });
}

function yes({ id, version }: Approval, over: Partial<DecideApproval> = {}): DecideApproval {
  return { approvalId: id, version, decision: "approve", ...over };
}

async function refusal(attempt: Promise<unknown>): Promise<Refusal> {
  const error: unknown = await attempt.then(
    () => new Error("was not refused"),
    (reason: unknown) => reason,
  );
  if (error instanceof Refusal) return error;
  throw error;
}

/** All stored state except the audit. */
async function stateOf(core: Core, { id }: Approval) {
  return { approval: await core.store.getApproval(id), events: await core.store.lastEventSeq() };
}

/** Expects a refusal that is audited for that person and changes nothing else. */
async function expectRefused(
  core: Core,
  who: Identity,
  approval: Approval,
  input: DecideApproval,
): Promise<Refusal> {
  const before = await stateOf(core, approval);
  const rows = (await audited(core)).length;

  const refused = await refusal(decideApproval(core, who, input));

  expect(await stateOf(core, approval)).toEqual(before);
  const entries = await audited(core);
  expect(entries).toHaveLength(rows + 1);
  expect(entries.at(-1)).toMatchObject({
    action: "approval.refused",
    subject: input.approvalId,
    data: { code: refused.code, decision: input.decision, version: input.version },
  });
  return refused;
}

test("a decision is stored with the person, the choice and the hash of what was shown", async () => {
  const core = await aCoreWhere({ who: "anyone" });
  const seen: string[] = [];
  core.live.subscribe(({ type }) => seen.push(type));
  const approval = await ask(core);

  const decided = await decideApproval(core, aPerson("ben"), yes(approval, { reason: "よい" }));

  expect(decided).toMatchObject({
    status: "approved",
    decidedBy: "ben",
    reason: "よい",
    choice: { scope: "once", onReject: "fail", answer: null },
    version: approval.version,
  });
  expect(await core.store.getApproval(approval.id)).toEqual(decided);
  expect(await audited(core)).toMatchObject([
    {
      actor: "ben",
      action: "approval.decided",
      subject: approval.id,
      data: { decision: "approve", status: "approved", shownHash: approval.shownHash },
    },
  ]);
  expect(seen).toEqual(["approval:requested", "approval:decided"]);
});

test("when ten people decide at once, one wins and the other nine are refused with the winner's decision", async () => {
  const core = await aCoreWhere({ who: "anyone" });
  const approval = await ask(core);

  const answers = await Promise.allSettled(
    PEOPLE.map((id, index) =>
      decideApproval(
        core,
        aPerson(id),
        yes(approval, index % 2 === 0 ? {} : { decision: "reject", reason: "まだ" }),
      ),
    ),
  );

  const won = answers.filter(({ status }) => status === "fulfilled");
  expect(won).toHaveLength(1);
  const stored = await core.store.getApproval(approval.id);
  for (const answer of answers) {
    if (answer.status === "fulfilled") continue;
    expect(answer.reason).toMatchObject({ code: "APPROVAL_ALREADY_DECIDED" });
    expect(String(answer.reason)).toContain(`${stored?.decidedBy} ${stored?.status}`);
  }
  const actions = (await audited(core)).map(({ action }) => action);
  expect(actions.filter((action) => action === "approval.decided")).toHaveLength(1);
  expect(actions.filter((action) => action === "approval.refused")).toHaveLength(9);
});

test("a quorum is reached once, by different people, when ten people vote at once", async () => {
  const core = await aCoreWhere({ who: "quorum", count: 4, users: null });
  const approval = await ask(core);

  const twice = [...PEOPLE, ...PEOPLE];
  await Promise.allSettled(twice.map((id) => decideApproval(core, aPerson(id), yes(approval))));

  const stored = await core.store.getApproval(approval.id);
  expect(stored?.status).toBe("approved");
  expect(new Set(stored?.votes.map(({ by }) => by)).size).toBe(4);
  expect(stored?.votes).toHaveLength(4);
  const actions = (await audited(core)).map(({ action }) => action);
  expect(actions.filter((action) => action === "approval.voted")).toHaveLength(3);
  expect(actions.filter((action) => action === "approval.decided")).toHaveLength(1);
});

test("each vote emits an event, and one rejection overrules any number of approvals", async () => {
  const core = await aCoreWhere({ who: "quorum", count: 3, users: null });
  const approval = await ask(core);
  const seen: unknown[] = [];
  core.events.on(["approval:voted", "approval:decided"], ({ type, data }) =>
    seen.push([type, data.by, data.status]),
  );

  await decideApproval(core, aPerson("aoi"), yes(approval));
  await decideApproval(core, aPerson("ben"), yes(approval));
  const decided = await decideApproval(
    core,
    aPerson("chie"),
    yes(approval, { decision: "reject", reason: "危ない" }),
  );

  expect(decided).toMatchObject({ status: "rejected", decidedBy: "chie", reason: "危ない" });
  expect(seen).toEqual([
    ["approval:voted", "aoi", "pending"],
    ["approval:voted", "ben", "pending"],
    ["approval:decided", "chie", "rejected"],
  ]);
});

test("two votes of the same person are no quorum", async () => {
  const core = await aCoreWhere({ who: "quorum", count: 2, users: null });
  const approval = await ask(core);
  await decideApproval(core, aPerson("aoi"), yes(approval));

  const { code } = await expectRefused(core, aPerson("aoi"), approval, yes(approval));

  expect(code).toBe("APPROVAL_NOT_YOURS");
});

test.each<[string, ApprovalPolicy, string]>([
  ["the requester only", { who: "requester" }, "ben"],
  ["anyone but the requester", { who: "not-requester" }, "aoi"],
  ["listed people", { who: "approvers", users: ["chie"] }, "ben"],
  ["a quorum of listed people", { who: "quorum", count: 2, users: ["ben", "chie"] }, "aoi"],
])("where %s may decide, another person may not", async (_, policy, person) => {
  const core = await aCoreWhere(policy);
  const approval = await ask(core);

  const { code } = await expectRefused(core, aPerson(person), approval, yes(approval));

  expect(code).toBe("APPROVAL_NOT_YOURS");
});

test("a decision about an older version is refused", async () => {
  const core = await aCoreWhere({ who: "anyone" });
  const approval = await ask(core);

  const stale = yes(approval, { version: approval.version - 1 });

  expect((await expectRefused(core, aPerson("ben"), approval, stale)).code).toBe(
    "VERSION_CONFLICT",
  );
});

test("an approval that is decided, closed or expired cannot be decided again", async () => {
  const tasks = decidedBy({ who: "anyone" }, { approvalExpiryMs: 1_000 });
  const core = await aCore({ settings: { tasks } });
  const decided = await ask(core);
  await decideApproval(core, aPerson("aoi"), yes(decided));
  const closed = await ask(core, { executionId: "exe-1" });
  await core.store.transaction((unit) =>
    closeApprovals(core, unit, { executionId: "exe-1" }, "cancelled"),
  );
  const expired = await ask(core);
  core.advance(1_000);

  for (const [approval, code] of [
    [decided, "APPROVAL_ALREADY_DECIDED"],
    [closed, "APPROVAL_ALREADY_DECIDED"],
    [expired, "APPROVAL_EXPIRED"],
  ] as const) {
    expect((await expectRefused(core, aPerson("ben"), approval, yes(approval))).code).toBe(code);
  }
});

test("decisions by agents, clients without a person and viewers are refused and audited", async () => {
  const core = await aCoreWhere({ who: "anyone" });
  const approval = await ask(core);
  const agent = { kind: "agent", agentId: "executor-1-a", role: "executor" } as const;
  const client = { kind: "client", cwd: null, keys: {} } as const;

  for (const [who, code, actor] of [
    [agent, "PERSON_NEEDED", "agent:executor-1-a"],
    [client, "PERSON_NEEDED", "main"],
    [aPerson("vera", "viewer"), "NOT_ALLOWED", "vera"],
  ] as const) {
    expect((await expectRefused(core, who, approval, yes(approval))).code).toBe(code);
    expect((await audited(core)).at(-1)?.actor).toBe(actor);
  }
});

test("a decision about an unknown approval is refused, and the audit truncates its long id", async () => {
  const core = await aCoreWhere({ who: "anyone" });
  const approvalId = `apr-${"x".repeat(10_000)}`;

  const { code } = await refusal(
    decideApproval(core, aPerson("ben"), { approvalId, version: 1, decision: "approve" }),
  );

  expect(code).toBe("APPROVAL_NOT_FOUND");
  expect((await audited(core)).at(-1)?.subject).toHaveLength(200);
});

test("a rejection without a reason and an approval without a required answer are refused", async () => {
  const core = await aCoreWhere({ who: "anyone" });
  const draft = await ask(core, { kind: "prompt" });
  const question = await ask(core, { kind: "question", choices: ["はい", "いいえ"] });

  const noReason = yes(draft, { decision: "reject" });
  expect((await expectRefused(core, aPerson("ben"), draft, noReason)).code).toBe(
    "INVALID_ARGUMENTS",
  );
  expect((await expectRefused(core, aPerson("ben"), question, yes(question))).code).toBe(
    "INVALID_ARGUMENTS",
  );
  const answered = await decideApproval(core, aPerson("ben"), yes(question, { answer: "はい" }));
  expect(answered.choice?.answer).toBe("はい");
});

test.each(["updateApproval", "appendAudit", "emit"] as const)(
  "a decision is rolled back if the daemon dies at %s, and can be made again",
  async (at) => {
    const core = await aCoreWhere({ who: "anyone" });
    const approval = await ask(core);
    const before = await stateOf(core, approval);
    const dying = diesAfter(core, at);

    await expect(decideApproval(dying, aPerson("ben"), yes(approval))).rejects.toThrow("died");

    expect(await stateOf(core, approval)).toEqual(before);
    expect(await audited(core)).toEqual([]);
    const decided = await decideApproval(core, aPerson("chie"), yes(approval));
    expect(decided.decidedBy).toBe("chie");
  },
);

/** The same store, whose transactions fail after this step. */
function diesAfter(core: TestCore, step: "updateApproval" | "appendAudit" | "emit"): Core {
  const transaction: Core["store"]["transaction"] = (work) =>
    core.store.transaction((unit) => {
      const dying: UnitOfWork = {
        ...unit,
        [step]: async (...args: never[]) => {
          await Reflect.apply(unit[step], unit, args);
          throw new Error("died");
        },
      };
      return work(dying);
    });
  return { ...core, store: { ...core.store, transaction } };
}

test("a decision is refused if the approval expires before its transaction", async () => {
  const tasks = decidedBy({ who: "anyone" }, { approvalExpiryMs: 1_000 });
  const core = await aCore({ settings: { tasks } });
  const approval = await ask(core);
  core.advance(999);
  const inTime = decideApproval(core, aPerson("ben"), yes(approval));
  // The clock advances before the transaction reads it.
  core.advance(1);

  const { code } = await refusal(inTime);

  expect(code).toBe("APPROVAL_EXPIRED");
  expect((await core.store.getApproval(approval.id))?.status).toBe("pending");
});
