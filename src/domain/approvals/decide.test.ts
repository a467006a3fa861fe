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

/** Every order in which people may say yes or no, each once. */
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

/** After a refusal it is as it was. */
function heard(approval: Approval, person: string, word: Decision): Approval {
  try {
    return decide(approval, person, word, NOON);
  } catch (error) {
    if (error instanceof Refusal) return approval;
    throw error;
  }
}

/** The rule in other words: what must be true after these words, whoever came first. */
function expected(policy: ApprovalPolicy, said: readonly (readonly [string, Decision])[]) {
  const may = (person: string) => mayDecide({ policy, requester: "aoi" }, person);
  const needed = policy.who === "quorum" ? policy.count : 1;
  let saidYes = 0;
  for (const [person, { decision }] of said) {
    if (!may(person)) continue;
    if (decision === "reject") return { status: "rejected", by: person };
    saidYes++;
    if (saidYes === needed) return { status: "approved", by: person };
  }
  return { status: "pending", by: null };
}

test("under every policy and in every order: the first no or the last needed yes decides, nobody after it", () => {
  for (const policy of POLICIES) {
    for (const said of histories(PEOPLE)) {
      let approval: Approval = anApproval({ policy, requester: "aoi" });
      for (const [person, word] of said) approval = heard(approval, person, word);
      const { status, by } = expected(policy, said);
      expect({ policy, said, status: approval.status, by: approval.decidedBy }).toEqual({
        policy,
        said,
        status,
        by,
      });
      expect(approval.votes.every((vote) => mayDecide(approval, vote.by))).toBe(true);
      expect(new Set(approval.votes.map((vote) => vote.by)).size).toBe(approval.votes.length);
    }
  }
});

test("who may decide is what the policy says", () => {
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

test("somebody it is not for is told who it is for", () => {
  const approval = anApproval({ policy: { who: "not-requester" }, requester: "aoi" });

  const { code, hint } = refused(() => decide(approval, "aoi", yes(), NOON));

  expect(code).toBe("APPROVAL_NOT_YOURS");
  expect(hint).toContain(whoDecides(approval));
});

test("who comes late is told who decided, how, and why", () => {
  const approval = anApproval();
  const decided = decide(approval, "aoi", no({ reason: "期間が違います" }), NOON);

  const { code, message } = refused(() => decide(decided, "ben", yes(), NOON + 1));

  expect(code).toBe("APPROVAL_ALREADY_DECIDED");
  expect(message).toContain("aoi rejected");
  expect(message).toContain("期間が違います");
});

test("one that nobody needs any more says so", () => {
  for (const status of ["superseded", "cancelled"] as const) {
    const { code, message } = refused(() => decide(anApproval({ status }), "aoi", yes(), NOON));
    expect(code).toBe("APPROVAL_ALREADY_DECIDED");
    expect(message).toContain(status);
  }
});

test("past its time nobody decides, also before the clock has noticed", () => {
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

test("a second yes of the same person is no second person, but it may become a no", () => {
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

test("drafts are rejected with a reason, everything else may go without", () => {
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

test("a question needs an answer, one of the choices where there are any", () => {
  const free = anApproval({ kind: "question" });
  const choices = anApproval({ kind: "question", choices: ["はい", " いいえ "] });

  expect(refused(() => decide(free, "aoi", yes(), NOON)).code).toBe("INVALID_ARGUMENTS");
  expect(decide(free, "aoi", yes({ answer: " 9月 " }), NOON).choice?.answer).toBe("9月");
  const other = refused(() => decide(choices, "aoi", yes({ answer: "たぶん" }), NOON));
  expect(other.hint).toContain("はい");
  expect(decide(choices, "aoi", yes({ answer: "いいえ" }), NOON).choice?.answer).toBe(" いいえ ");
});

test("a lost answer is settled as done or to be repeated, nothing else", () => {
  const approval = anApproval({ kind: "outcome", choices: [] });

  for (const answer of ["done", "repeat"]) {
    expect(decide(approval, "aoi", yes({ answer }), NOON).choice?.answer).toBe(answer);
  }
  expect(refused(() => decide(approval, "aoi", yes({ answer: "ok" }), NOON)).code).toBe(
    "INVALID_ARGUMENTS",
  );
  expect(decide(approval, "aoi", no(), NOON).status).toBe("rejected");
});

test("people who decide together give one answer, and the narrower permission", () => {
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

test("what was shown has one text, however its keys are ordered", () => {
  expect(shownText({ shown: { b: 1, a: { d: [1, 2], c: null } } })).toBe(
    shownText({ shown: { a: { c: null, d: [1, 2] }, b: 1 } }),
  );
  expect(shownText({ shown: { a: 1 } })).not.toBe(shownText({ shown: { a: "1" } }));
});
