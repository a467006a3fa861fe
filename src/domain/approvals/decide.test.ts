import { expect, test } from "vitest";
import { anApproval } from "../../../test/kit/approvals.ts";
import { NOON } from "../../../test/kit/builders.ts";
import { Refusal } from "../refusal.ts";
import { APPROVAL_KINDS, type Approval, type ApprovalPolicy } from "./approval.ts";
import { decide, mayDecide, shownText, whoDecides, type Decision } from "./decide.ts";

const PEOPLE = ["aoi", "ben", "chie"];
const POLICIES: readonly ApprovalPolicy[] = [
  { who: "anyone" },
  { who: "requester" },
  { who: "not-requester" },
  { who: "approvers", users: ["ben", "chie"] },
  { who: "quorum", count: 2, users: null },
  { who: "quorum", count: 2, users: ["ben", "chie"] },
  { who: "quorum", count: 3, users: PEOPLE },
];

const yes = (over: Partial<Decision> = {}): Decision => ({
  decision: "approve",
  version: 1,
  ...over,
});
const no = (over: Partial<Decision> = {}): Decision => ({
  decision: "reject",
  version: 1,
  reason: "違います",
  ...over,
});

function refused(run: () => unknown): Refusal {
  try {
    run();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  throw new Error("was not refused");
}

/** Every order in which people can approve or reject, each person once. */
function* histories(people: readonly string[]): Generator<readonly [string, Decision][]> {
  yield [];
  for (const person of people) {
    const others = people.filter((each) => each !== person);
    for (const rest of histories(others)) {
      yield [[person, yes()], ...rest];
      yield [[person, no()], ...rest];
    }
  }
}

/** Returns the approval unchanged if the vote is refused. */
function voted(approval: Approval, person: string, decision: Decision): Approval {
  try {
    return decide(approval, person, decision, NOON);
  } catch (error) {
    if (error instanceof Refusal) return approval;
    throw error;
  }
}

/** The same rule, implemented a second time: the expected state after these votes. */
function expected(policy: ApprovalPolicy, votes: readonly (readonly [string, Decision])[]) {
  const may = (person: string) => mayDecide({ policy, requester: "aoi" }, person);
  const needed = policy.who === "quorum" ? policy.count : 1;
  let approvals = 0;
  for (const [person, { decision }] of votes) {
    if (!may(person)) continue;
    if (decision === "reject") return { status: "rejected", by: person };
    approvals++;
    if (approvals === needed) return { status: "approved", by: person };
  }
  return { status: "pending", by: null };
}

test("under every policy and in every order, the first rejection or the last needed approval decides, and later votes change nothing", () => {
  for (const policy of POLICIES) {
    for (const votes of histories(PEOPLE)) {
      let approval: Approval = anApproval({ policy, requester: "aoi" });
      for (const [person, decision] of votes) approval = voted(approval, person, decision);
      const { status, by } = expected(policy, votes);
      expect({ policy, votes, status: approval.status, by: approval.decidedBy }).toEqual({
        policy,
        votes,
        status,
        by,
      });
      expect(approval.votes.every((vote) => mayDecide(approval, vote.by))).toBe(true);
      expect(new Set(approval.votes.map((vote) => vote.by)).size).toBe(approval.votes.length);
    }
  }
});

test("mayDecide follows the policy", () => {
  const deciders = POLICIES.map((policy) =>
    PEOPLE.filter((person) => mayDecide({ policy, requester: "aoi" }, person)),
  );

  expect(deciders).toEqual([
    PEOPLE,
    ["aoi"],
    ["ben", "chie"],
    ["ben", "chie"],
    PEOPLE,
    ["ben", "chie"],
    PEOPLE,
  ]);
});

test("a person who may not decide learns from the refusal who may", () => {
  const approval = anApproval({ policy: { who: "not-requester" }, requester: "aoi" });

  const { code, hint } = refused(() => decide(approval, "aoi", yes(), NOON));

  expect(code).toBe("APPROVAL_NOT_YOURS");
  expect(hint).toContain(whoDecides(approval));
});

test("a late decision is refused, with who decided, how and why", () => {
  const approval = anApproval();
  const decided = decide(approval, "aoi", no({ reason: "期間が違います" }), NOON);

  const { code, message } = refused(() => decide(decided, "ben", yes(), NOON + 1));

  expect(code).toBe("APPROVAL_ALREADY_DECIDED");
  expect(message).toContain("aoi rejected");
  expect(message).toContain("期間が違います");
});

test("a decision about a closed approval is refused", () => {
  for (const status of ["superseded", "cancelled"] as const) {
    const { code, message } = refused(() => decide(anApproval({ status }), "aoi", yes(), NOON));
    expect(code).toBe("APPROVAL_ALREADY_DECIDED");
    expect(message).toContain(status);
  }
});

test("a decision after the expiry is refused, even before the approval has the status expired", () => {
  const approval = anApproval({ expiresAt: NOON + 1_000 });

  expect(decide(approval, "aoi", yes(), NOON + 999).status).toBe("approved");
  expect(refused(() => decide(approval, "aoi", yes(), NOON + 1_000)).code).toBe("APPROVAL_EXPIRED");
  const expired = { ...approval, status: "expired" } as const;
  expect(refused(() => decide(expired, "aoi", yes(), NOON)).code).toBe("APPROVAL_EXPIRED");
});

test("a decision about terms that have changed is refused", () => {
  const approval = anApproval({ version: 2 });

  expect(refused(() => decide(approval, "aoi", yes(), NOON)).code).toBe("VERSION_CONFLICT");
  expect(decide(approval, "aoi", yes({ version: 2 }), NOON).status).toBe("approved");
});

test("a second approval by the same person counts once, but the person may still reject", () => {
  const approval = anApproval({ policy: { who: "quorum", count: 2, users: null } });
  const once = decide(approval, "aoi", yes(), NOON);

  expect(refused(() => decide(once, "aoi", yes(), NOON)).code).toBe("APPROVAL_NOT_YOURS");
  expect(decide(once, "aoi", no(), NOON)).toMatchObject({
    status: "rejected",
    decidedBy: "aoi",
    votes: [{ by: "aoi", decision: "reject" }],
  });
});

const isDraft = (kind: string) => kind === "prompt" || kind === "process";

test("rejecting a draft needs a reason, rejecting anything else does not", () => {
  const withoutReason = { decision: "reject", version: 1, reason: " " } as const;

  for (const kind of APPROVAL_KINDS.filter(isDraft)) {
    const run = () => decide(anApproval({ kind }), "aoi", withoutReason, NOON);
    expect(refused(run).code).toBe("INVALID_ARGUMENTS");
  }
  for (const kind of APPROVAL_KINDS.filter((each) => !isDraft(each))) {
    const decided = decide(anApproval({ kind }), "aoi", withoutReason, NOON);
    expect(decided).toMatchObject({ status: "rejected", reason: null });
  }
});

test("a question needs an answer, and one of the choices if there are any", () => {
  const free = anApproval({ kind: "question" });
  const choices = anApproval({ kind: "question", choices: ["はい", " いいえ "] });

  expect(refused(() => decide(free, "aoi", yes(), NOON)).code).toBe("INVALID_ARGUMENTS");
  expect(decide(free, "aoi", yes({ answer: " 9月 " }), NOON).choice?.answer).toBe("9月");
  const other = refused(() => decide(choices, "aoi", yes({ answer: "たぶん" }), NOON));
  expect(other.hint).toContain("はい");
  expect(decide(choices, "aoi", yes({ answer: "いいえ" }), NOON).choice?.answer).toBe(" いいえ ");
});

test("an unknown outcome is resolved as done or repeat, nothing else", () => {
  const approval = anApproval({ kind: "outcome", choices: [] });

  for (const answer of ["done", "repeat"]) {
    expect(decide(approval, "aoi", yes({ answer }), NOON).choice?.answer).toBe(answer);
  }
  expect(refused(() => decide(approval, "aoi", yes({ answer: "ok" }), NOON)).code).toBe(
    "INVALID_ARGUMENTS",
  );
  expect(decide(approval, "aoi", no(), NOON).status).toBe("rejected");
});

test("people who decide together must give the same answer, and the narrower scope applies", () => {
  const policy = { who: "quorum", count: 2, users: null } as const;
  const question = decide(
    anApproval({ kind: "question", policy }),
    "aoi",
    yes({ answer: "A" }),
    NOON,
  );
  const step = decide(
    anApproval({ kind: "step", policy }),
    "aoi",
    yes({ scope: "any_arguments" }),
    NOON,
  );

  expect(refused(() => decide(question, "ben", yes({ answer: "B" }), NOON)).hint).toContain("same");
  expect(decide(question, "ben", yes({ answer: "A" }), NOON).choice?.answer).toBe("A");
  expect(decide(step, "ben", yes(), NOON).choice?.scope).toBe("once");
  expect(decide(step, "ben", yes({ scope: "any_arguments" }), NOON).choice?.scope).toBe(
    "any_arguments",
  );
});

test("shownText is the same for every order of the keys", () => {
  expect(shownText({ shown: { b: 1, a: { d: [1, 2], c: null } } })).toBe(
    shownText({ shown: { a: { c: null, d: [1, 2] }, b: 1 } }),
  );
  expect(shownText({ shown: { a: 1 } })).not.toBe(shownText({ shown: { a: "1" } }));
});

test("a member of a Slack user group may decide what the group may decide", () => {
  const rules: readonly ApprovalPolicy[] = [
    { who: "approvers", users: ["ben", "S1@slack"] },
    { who: "quorum", count: 2, users: ["S1@slack"] },
  ];
  for (const policy of rules) {
    const approval = anApproval({ policy });
    expect(mayDecide(approval, "aoi", ["S1@slack"])).toBe(true);
    expect(mayDecide(approval, "aoi", ["S2@slack"])).toBe(false);
    expect(mayDecide(approval, "aoi")).toBe(false);
    expect(decide(approval, "aoi", yes(), NOON, ["S1@slack"]).votes).toHaveLength(1);
    expect(refused(() => decide(approval, "aoi", yes(), NOON)).code).toBe("APPROVAL_NOT_YOURS");
  }
});
