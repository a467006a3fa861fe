import { expect, test } from "vitest";
import { audited } from "../../../test/kit/approvals.ts";
import { aFreeRepository, aMergeCore, OPERATOR, type MergeCore } from "../../../test/kit/merges.ts";
import { git } from "../../../test/kit/repository.ts";
import { HAS_ALL_ROUNDS } from "../../../test/kit/rounds.ts";
import { Refusal } from "../../domain/refusal.ts";
import { cancelMerge } from "./cancel-merge.ts";
import { retryMerge } from "./retry-merge.ts";

const NO_BAD_FILE = 'test -z "$(ls | grep bad)"';

function fileOn(it: MergeCore, path: string, branch = "main"): string {
  return git(it.repository.root, "show", `${branch}:${path}`);
}

test("an approved change lands on its branch, and the change is merged", async () => {
  const it = await aMergeCore();
  const before = it.tip();
  const events: unknown[] = [];
  it.core.events.on(["merge:updated", "workspace:updated"], ({ type, data }) =>
    events.push([type, "outcome" in data ? data.outcome : data.status]),
  );
  const workspace = await it.change("aa-01", { "a.txt": "ONE\ntwo\nthree\n" });

  const { id } = await it.approved(workspace, { message: "挨拶を大きくする" });
  await it.settle();

  const merge = await it.merge(id);
  expect(merge).toMatchObject({ status: "landed", from: before, result: it.tip(), problem: null });
  expect(fileOn(it, "a.txt")).toBe("ONE\ntwo\nthree");
  expect(git(it.repository.root, "log", "-1", "--format=%s|%P", "main")).toBe(
    `挨拶を大きくする|${before}`,
  );
  expect(await it.core.store.getWorkspace(workspace.id)).toMatchObject({
    outcome: "merged",
    closedAt: it.core.clock.now(),
  });
  expect(events).toEqual([
    ["merge:updated", "awaiting_approval"],
    ["merge:updated", "queued"],
    ["merge:updated", "queued"],
    ["merge:updated", "landed"],
    ["workspace:updated", "merged"],
  ]);
  expect((await audited(it.core)).map(({ actor, action }) => [actor, action])).toEqual([
    ["aoi", "merge.requested"],
    ["aoi", "approval.decided"],
    ["system", "merge.landed"],
  ]);
});

test("merge keeps the commits of the change as a second parent, rebase puts them on top", async () => {
  const it = await aMergeCore();
  const first = await it.change("aa-01", { "new-1.txt": "1\n" });
  const second = await it.change("aa-02", { "new-2.txt": "2\n" });

  const merged = await it.approved(first, { mode: "merge", message: "1 つ目" });
  const rebased = await it.approved(second, { mode: "rebase" });
  await it.settle();

  const [one, two] = [await it.merge(merged.id), await it.merge(rebased.id)];
  const parents = (oid: string | null) =>
    git(it.repository.root, "log", "-1", "--format=%P", oid ?? "").split(" ");
  expect(parents(one.result)).toEqual([one.from, first.head]);
  expect(parents(two.result)).toEqual([one.result]);
  expect(it.tip()).toBe(two.result);
});

test.each(["check", "moveBranch"] as const)(
  "a leader that loses the leadership at %s moves no branch, and the next leader lands the merge",
  async (step) => {
    let isLeader = true;
    const lose = (at: typeof step) => void (isLeader &&= at !== step);
    const repository = aFreeRepository();
    const it = await aMergeCore({
      repository,
      isLeader: () => isLeader,
      workspace: { check: "true" },
      tools: {
        async run() {
          if (it.checked.length === 1) lose("check");
          return { exitCode: 0, timedOut: false, output: "" };
        },
      },
    });
    const before = it.tip();
    const updated = it.core.events.on(["merge:updated"], ({ data }) => {
      // Its intent is stored, and the branch would be moved next.
      if (data.status === "queued" && it.checked.length > 0) lose("moveBranch");
    });
    const { id } = await it.approved(await it.change("aa-01", { "new.txt": "1\n" }));
    await it.settle();
    expect(it.checked).toHaveLength(1);
    expect(isLeader).toBe(false);
    expect(it.tip()).toBe(before);

    updated();
    isLeader = true;
    await it.settle();

    expect(await it.merge(id)).toMatchObject({ status: "landed", result: it.tip() });
    expect(it.tip()).not.toBe(before);
  },
);

test("the check runs once for all approved merges", async () => {
  const it = await aMergeCore({ closed: true, workspace: { check: NO_BAD_FILE } });
  const ids: string[] = [];
  for (const name of ["aa-01", "aa-02", "aa-03"]) {
    ids.push((await it.approved(await it.change(name, { [`${name}.txt`]: name }))).id);
  }

  it.queue.open();
  await it.settle();

  for (const id of ids)
    expect(await it.merge(id)).toMatchObject({ status: "landed", checkExit: 0 });
  expect(it.checked).toEqual([it.tip()]);
  expect(git(it.repository.root, "ls-tree", "--name-only", "main").split("\n")).toEqual(
    expect.arrayContaining(["aa-01.txt", "aa-02.txt", "aa-03.txt"]),
  );
});

test.runIf(HAS_ALL_ROUNDS)(
  "14 of 16 merges land after at most 11 checks if 2 are bad",
  async () => {
    const bad = [0, 15];
    const it = await aMergeCore({ closed: true, workspace: { check: NO_BAD_FILE } });
    const ids: string[] = [];
    for (let n = 0; n < 16; n++) {
      const name = `aa-${String(n).padStart(2, "0")}`;
      const change = await it.change(name, {
        [`${bad.includes(n) ? "bad" : "good"}-${n}.txt`]: name,
      });
      ids.push((await it.approved(change)).id);
    }

    it.queue.open();
    await it.settle();

    for (const [n, id] of ids.entries()) {
      const { status, problem } = await it.merge(id);
      const failed = ["check_failed", { type: "check_failed", exitCode: 1 }];
      expect([n, status, problem]).toEqual([n, ...(bad.includes(n) ? failed : ["landed", null])]);
    }
    expect(it.checked.length).toBeLessThanOrEqual(11);
    const trees = it.checked.map((oid) => git(it.repository.root, "rev-parse", `${oid}^{tree}`));
    expect(new Set(trees).size).toBe(trees.length);
  },
);

test("if the branch itself fails the check, no change is blamed and nothing lands", async () => {
  const repository = aFreeRepository({ "bad.txt": "x\n" });
  const check = `echo 'line one'; ${NO_BAD_FILE}`;
  const it = await aMergeCore({ repository, closed: true, workspace: { check } });
  const before = it.tip();
  const one = await it.approved(await it.change("aa-01", { "1.txt": "1" }));
  const two = await it.approved(await it.change("aa-02", { "2.txt": "2" }));

  it.queue.open();
  await it.settle();

  for (const { id } of [one, two]) {
    expect(await it.merge(id)).toMatchObject({
      status: "check_failed",
      problem: { type: "branch_fails_check", target: "main" },
      checkExit: 1,
      checkOutput: "line one",
    });
  }
  expect(it.tip()).toBe(before);
});

test("a merge that repairs a branch that fails the check lands", async () => {
  const repository = aFreeRepository({ "a.txt": "broken\n" });
  const it = await aMergeCore({ repository, workspace: { check: "! grep -q broken a.txt" } });

  const { id } = await it.approved(await it.change("aa-01", { "a.txt": "mended\n" }));
  await it.settle();

  expect((await it.merge(id)).status).toBe("landed");
});

test("a conflicting merge goes out before the check, and the others land", async () => {
  const it = await aMergeCore({ closed: true, workspace: { check: NO_BAD_FILE } });
  const conflicting = await it.change("aa-01", { "a.txt": "theirs\n" });
  git(it.repository.root, "checkout", "-q", "main");
  const tip = it.repository.commit({ "a.txt": "ours\n" });
  git(it.repository.root, "checkout", "-q", "--detach");
  const bad = await it.approved(conflicting);
  const good = await it.approved(await it.change("aa-02", { "2.txt": "2" }));

  it.queue.open();
  await it.settle();

  expect(await it.merge(bad.id)).toMatchObject({
    status: "conflicted",
    conflicts: ["a.txt"],
    problem: { type: "conflicts", target: "main", onto: tip },
    checkExit: null,
  });
  expect((await it.merge(good.id)).status).toBe("landed");
  expect(it.checked).toHaveLength(1);
});

test("a merge that conflicts only with another one waits for what happens to that one", async () => {
  const it = await aMergeCore({ closed: true, workspace: { check: NO_BAD_FILE } });
  const failing = await it.approved(
    await it.change("aa-01", { "a.txt": "first\n", "bad.txt": "x" }),
  );
  const waiting = await it.approved(await it.change("aa-02", { "a.txt": "second\n" }));
  const late = await it.approved(await it.change("aa-03", { "a.txt": "third\n" }));

  it.queue.open();
  await it.settle();

  expect((await it.merge(failing.id)).status).toBe("check_failed");
  expect((await it.merge(waiting.id)).status).toBe("landed");
  expect((await it.merge(late.id)).status).toBe("conflicted");
  expect(fileOn(it, "a.txt")).toBe("second");
});

test("a change that the branch has already lands without a new commit", async () => {
  const it = await aMergeCore({ closed: true, workspace: { check: "false" } });
  const workspace = await it.change("aa-01", { "a.txt": "same\n" });
  git(it.repository.root, "checkout", "-q", "main");
  const tip = it.repository.commit({ "a.txt": "same\n" });
  const { id } = await it.approved(workspace);

  it.queue.open();
  await it.settle();

  expect(await it.merge(id)).toMatchObject({ status: "landed", result: tip });
  expect(it.tip()).toBe(tip);
});

test("a branch that moved before the landing gets the change on its new tip", async () => {
  const repository = aFreeRepository();
  let moves = 0;
  const it = await aMergeCore({
    repository,
    git: {
      async moveBranch(...args) {
        if (moves++ === 0) elsewhere(repository, { "b.txt": "by a person\n" });
        return repository.git.moveBranch(...args);
      },
    },
  });

  const { id } = await it.approved(await it.change("aa-01", { "a.txt": "ONE\n" }));
  await it.settle();

  expect((await it.merge(id)).status).toBe("landed");
  expect([fileOn(it, "a.txt"), fileOn(it, "b.txt")]).toEqual(["ONE", "by a person"]);
});

test("a branch that moved to something that conflicts makes the merge conflicted", async () => {
  const repository = aFreeRepository();
  const it = await aMergeCore({
    repository,
    git: {
      async moveBranch(...args) {
        elsewhere(repository, { "a.txt": "by a person\n" });
        return repository.git.moveBranch(...args);
      },
    },
  });

  const { id } = await it.approved(await it.change("aa-01", { "a.txt": "ONE\n" }));
  await it.settle();

  expect(await it.merge(id)).toMatchObject({ status: "conflicted", from: null, result: null });
  expect(fileOn(it, "a.txt")).toBe("by a person");
});

/** A person commits on main from a worktree of their own and leaves. */
function elsewhere(repository: MergeCore["repository"], files: Record<string, string>): void {
  git(repository.root, "checkout", "-q", "main");
  repository.commit(files);
  git(repository.root, "checkout", "-q", "--detach");
}

test("two daemons on one repository: each merge lands once, on top of the other", async () => {
  const repository = aFreeRepository();
  const [one, two] = [await aMergeCore({ repository }), await aMergeCore({ repository })];
  const changes = await Promise.all(
    [one, two].map((it, n) =>
      Promise.all([1, 2, 3].map((m) => it.change(`d${n}-0${m}`, { [`${n}-${m}.txt`]: "x\n" }))),
    ),
  );

  const ids = await Promise.all(
    [one, two].map(async (it, n) => {
      const merges = [];
      for (const change of changes[n] ?? []) merges.push(await it.approved(change));
      return merges.map(({ id }) => id);
    }),
  );
  await Promise.all([one.settle(), two.settle()]);
  await Promise.all([one.settle(), two.settle()]);

  for (const [n, it] of [one, two].entries()) {
    for (const id of ids[n] ?? []) expect((await it.merge(id)).status).toBe("landed");
  }
  const names = git(repository.root, "ls-tree", "--name-only", "main").split("\n");
  expect(names.filter((name) => /^\d-\d\.txt$/.test(name))).toHaveLength(6);
  expect(git(repository.root, "rev-list", "--count", `${repository.head}..main`)).toBe("6");
});

test("a deleted branch holds the merge back until it exists again", async () => {
  const it = await aMergeCore({ closed: true });
  const { id } = await it.approved(await it.change("aa-01", { "1.txt": "1" }));
  const before = it.tip();
  git(it.repository.root, "branch", "-D", "main");

  it.queue.open();
  await it.settle();
  expect(await it.merge(id)).toMatchObject({
    status: "ready_to_land",
    problem: { type: "target_gone", target: "main" },
  });

  git(it.repository.root, "branch", "main", before);
  await it.settle();
  expect((await it.merge(id)).status).toBe("landed");
});

test("a full disk leaves the merge queued with the reason, and a later round lands it", async () => {
  const repository = aFreeRepository();
  let isFull = true;
  const it = await aMergeCore({
    repository,
    git: {
      async buildMerge(common, spec) {
        if (isFull && spec.at > 0 && built++ > 0) throw diskFull();
        return repository.git.buildMerge(common, spec);
      },
    },
  });
  let built = 0;
  const { id } = await it.approved(await it.change("aa-01", { "1.txt": "1" }));
  await it.settle();
  expect(await it.merge(id)).toMatchObject({
    status: "queued",
    problem: { type: "refused", en: "The disk is full. Free some space.", ja: "満杯です。" },
  });

  isFull = false;
  await retryMerge(it.core, OPERATOR, { id });
  await it.settle();
  expect(await it.merge(id)).toMatchObject({ status: "landed", problem: null });
});

function diskFull(): Refusal {
  return new Refusal("DISK_FULL", {
    en: ["The disk is full.", "Free some space."],
    ja: ["満杯です。", ""],
  });
}

test("a check that takes too long fails the change, and its output is bounded", async () => {
  const check = "seq 1 600; test -e a.txt || exit 0; ls | grep -q slow && sleep 60; true";
  const it = await aMergeCore({ closed: true, workspace: { check, checkTimeoutMs: 4_000 } });
  const slow = await it.approved(await it.change("aa-01", { slow: "x" }));

  it.queue.open();
  await it.settle();

  const merge = await it.merge(slow.id);
  expect(merge).toMatchObject({
    status: "check_failed",
    checkExit: null,
    problem: { type: "check_timed_out", afterMs: 4_000 },
  });
  expect(merge.checkOutput?.split("\n")).toHaveLength(201);
  expect(merge.checkOutput).toMatch(/^…\n401\n/);
  expect(merge.checkOutput?.endsWith("600")).toBe(true);
});

test("workspace.setup runs before the check, and its failure blames no change", async () => {
  const workspace = { setup: "echo no network; exit 3", check: "true" };
  const it = await aMergeCore({ workspace });

  const { id } = await it.approved(await it.change("aa-01", { "1.txt": "1" }));
  await it.settle();

  expect(await it.merge(id)).toMatchObject({
    status: "check_failed",
    checkExit: 3,
    checkOutput: "no network",
    problem: { type: "setup_failed" },
  });
  expect(it.commands).toHaveLength(1);
});

test("a merge that is cancelled during its check does not land, and the others do", async () => {
  let cancelled = false;
  const it = await aMergeCore({
    closed: true,
    workspace: { check: "true" },
    tools: {
      async run() {
        if (!cancelled) await cancelMerge(it.core, OPERATOR, ids[0] ?? "");
        cancelled = true;
        return { exitCode: 0, timedOut: false, output: "" };
      },
    },
  });
  const ids: string[] = [];
  for (const name of ["aa-01", "aa-02"]) {
    ids.push((await it.approved(await it.change(name, { [name]: "x" }))).id);
  }

  it.queue.open();
  await it.settle();

  expect((await it.merge(ids[0] ?? "")).status).toBe("cancelled");
  expect((await it.merge(ids[1] ?? "")).status).toBe("landed");
  expect(git(it.repository.root, "ls-tree", "--name-only", "main").split("\n")).not.toContain(
    "aa-01",
  );
});

test("a retried merge runs a check that failed again, because it may be flaky", async () => {
  const it = await aMergeCore({
    workspace: { check: "true" },
    tools: {
      run: async () => ({ exitCode: runs++ === 0 ? 1 : 0, timedOut: false, output: "" }),
    },
  });
  let runs = 0;
  const { id } = await it.approved(await it.change("aa-01", { "1.txt": "1" }));
  await it.settle();
  expect((await it.merge(id)).status).toBe("check_failed");

  await retryMerge(it.core, OPERATOR, { id });
  await it.settle();
  expect((await it.merge(id)).status).toBe("landed");
});
