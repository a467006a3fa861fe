import { expect, test } from "vitest";
import { aPerson, audited, decidedBy } from "../../../test/kit/approvals.ts";
import { aTask } from "../../../test/kit/builders.ts";
import { aMergeCore, OPERATOR, type MergeCore } from "../../../test/kit/merges.ts";
import { git } from "../../../test/kit/repository.ts";
import type { Workspace } from "../../domain/workspaces/workspace.ts";
import { decideApproval } from "../approvals/decide-approval.ts";
import { expireApprovals } from "../approvals/expire-approvals.ts";
import { closeApprovals } from "../approvals/request-approval.ts";
import { cancelMerge } from "./cancel-merge.ts";
import { discardChange } from "./discard-change.ts";
import { openPullRequest } from "./open-pull-request.ts";
import { requestMerge } from "./request-merge.ts";
import { supersedeMerges } from "./supersede-merges.ts";

const ask = (it: MergeCore, { id }: Workspace, over = {}) =>
  requestMerge(it.core, OPERATOR, { id, version: 1, ...over });

test("people are shown exactly what will land", async () => {
  const it = await aMergeCore({ workspace: { check: "npm test" } });
  const workspace = await it.change("aa-01", { "a.txt": "ONE\ntwo\nthree\n", "new.txt": "1\n2\n" });

  const merge = await ask(it, workspace, { message: "挨拶" });

  const approval = await it.core.store.getApproval(merge.approvalId ?? "");
  expect(approval).toMatchObject({
    kind: "merge",
    status: "pending",
    requester: "aoi",
    subjectId: merge.id,
    agentId: workspace.agentId,
    title: `${workspace.agentId} の変更を main に取り込みますか？`,
  });
  expect(approval?.shown).toEqual({
    mergeId: merge.id,
    agentId: workspace.agentId,
    workspaceId: workspace.id,
    version: 1,
    change: workspace.head,
    target: "main",
    targetCommit: it.tip(),
    mode: "squash",
    message: "挨拶",
    intoCheckout: false,
    isClean: true,
    tree: expect.stringMatching(/^[0-9a-f]{40}$/),
    conflicts: [],
    check: "npm test",
    fileCount: 2,
    added: 3,
    removed: 1,
    files: [
      { path: "a.txt", status: "modified", added: 1, removed: 1 },
      { path: "new.txt", status: "added", added: 2, removed: 0 },
    ],
    attention: [],
  });
  expect(merge).toMatchObject({ status: "awaiting_approval", queuedAt: null, from: null });
});

test("a conflict with the branch is shown before people decide", async () => {
  const it = await aMergeCore();
  const workspace = await it.change("aa-01", { "a.txt": "theirs\n" });
  git(it.repository.root, "checkout", "-q", "main");
  it.repository.commit({ "a.txt": "ours\n" });

  const { approvalId } = await ask(it, workspace);

  expect((await it.core.store.getApproval(approvalId ?? ""))?.shown).toMatchObject({
    isClean: false,
    tree: null,
    conflicts: [{ path: "a.txt", type: "contents" }],
    fileCount: 1,
  });
});

test("the branch is the named one, else the configured one, else the one it began from", async () => {
  const it = await aMergeCore({ workspace: { mergeTarget: "configured" } });
  for (const name of ["configured", "named"]) git(it.repository.root, "branch", name, "main");

  const named = await ask(it, await it.change("aa-01", { "1.txt": "1" }), { target: "named" });
  const configured = await ask(it, await it.change("aa-02", { "2.txt": "2" }));

  expect([named.target, configured.target]).toEqual(["named", "configured"]);
});

function refused(attempt: Promise<unknown>, code: string): Promise<void> {
  return expect(attempt).rejects.toMatchObject({ code });
}

test("what cannot be merged is refused, and nothing is stored", async () => {
  const it = await aMergeCore();
  const change = await it.change("aa-01", { "a.txt": "ONE\n" });

  await refused(ask(it, change, { version: 2 }), "VERSION_CONFLICT");
  await refused(ask(it, change, { target: "nothing" }), "MERGE_NOT_POSSIBLE");
  for (const target of ["main~0", "main@{0}", "../main", "a b", "-x", "kuromajutsu/x/y"]) {
    await refused(ask(it, change, { target }), "MERGE_NOT_POSSIBLE");
  }
  await refused(ask(it, { ...change, id: "wsp-none" }), "WORKSPACE_NOT_FOUND");
  await refused(
    requestMerge(it.core, aPerson("eva", "viewer"), { id: change.id, version: 1 }),
    "NOT_ALLOWED",
  );
  const nowhere = await it.change("aa-02", { "2.txt": "2" }, { target: null });
  await refused(ask(it, nowhere), "MERGE_NOT_POSSIBLE");
  const empty = await it.change("aa-03", {}, { files: 0 });
  await refused(ask(it, empty), "MERGE_NOT_POSSIBLE");
  const none = await it.change("aa-04", { "4.txt": "4" }, { version: 0 });
  await refused(ask(it, none), "MERGE_NOT_POSSIBLE");
  const done = await it.change("aa-05", { "5.txt": "5" }, { outcome: "discarded" });
  await refused(ask(it, done), "CHANGE_NOT_OPEN");

  expect((await it.core.store.listMerges({ limit: 10 })).merges).toEqual([]);
  expect(await it.core.store.countPendingApprovals()).toBe(0);
});

test("a change whose agent is at work is refused", async () => {
  const it = await aMergeCore();
  const change = await it.change("aa-01", { "a.txt": "ONE\n" });
  await it.core.store.transaction(async (unit) => {
    const agent = await unit.getAgent(change.agentId);
    if (agent) await unit.updateAgent({ ...agent, status: "running", process: "alive" }, agent);
  });

  await expect(ask(it, change)).rejects.toMatchObject({ code: "WORKSPACE_IN_USE" });
});

test("one of two requests at once for the same version is refused", async () => {
  const it = await aMergeCore();
  const change = await it.change("aa-01", { "a.txt": "ONE\n" });

  const ends = await Promise.allSettled([ask(it, change), ask(it, change)]);

  expect(ends.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  expect(await it.core.store.countPendingApprovals()).toBe(1);
});

test("a rejected merge is over, and the same version may be asked for again", async () => {
  const it = await aMergeCore();
  const change = await it.change("aa-01", { "a.txt": "ONE\n" });
  const first = await ask(it, change);

  await decideApproval(it.core, OPERATOR, {
    approvalId: first.approvalId ?? "",
    version: 1,
    decision: "reject",
  });

  expect(await it.merge(first.id)).toMatchObject({ status: "rejected" });
  expect((await ask(it, change)).status).toBe("awaiting_approval");
});

test("with a quorum of two, the merge waits for the second person", async () => {
  const tasks = decidedBy({ who: "quorum", count: 2, users: null });
  const it = await aMergeCore({ settings: { tasks } });
  const merge = await ask(it, await it.change("aa-01", { "a.txt": "ONE\n" }));
  const approvalId = merge.approvalId ?? "";
  const yes = { approvalId, version: 1, decision: "approve" } as const;

  await decideApproval(it.core, aPerson("aoi"), yes);
  await it.settle();
  expect((await it.merge(merge.id)).status).toBe("awaiting_approval");

  await decideApproval(it.core, aPerson("ben"), yes);
  await it.settle();
  expect((await it.merge(merge.id)).status).toBe("landed");
});

test("with not-requester, the person who asked may not approve", async () => {
  const it = await aMergeCore({ settings: { tasks: decidedBy({ who: "not-requester" }) } });
  const merge = await ask(it, await it.change("aa-01", { "a.txt": "ONE\n" }));
  const yes = { approvalId: merge.approvalId ?? "", version: 1, decision: "approve" } as const;

  await expect(decideApproval(it.core, OPERATOR, yes)).rejects.toMatchObject({
    code: "APPROVAL_NOT_YOURS",
  });
  await decideApproval(it.core, aPerson("ben"), yes);
  await it.settle();
  expect((await it.merge(merge.id)).status).toBe("landed");
});

test("an approval that expires cancels the merge", async () => {
  const tasks = decidedBy({ who: "anyone" }, { approvalExpiryMs: 1_000 });
  const it = await aMergeCore({ settings: { tasks } });
  const merge = await ask(it, await it.change("aa-01", { "a.txt": "ONE\n" }));

  it.core.advance(1_000);
  await expireApprovals(it.core);

  expect((await it.merge(merge.id)).status).toBe("cancelled");
});

test("a new version ends the merges of earlier ones and supersedes their approvals", async () => {
  const it = await aMergeCore({ closed: true });
  const change = await it.change("aa-01", { "a.txt": "ONE\n" });
  const asked = await ask(it, change);

  await it.core.store.transaction((unit) =>
    supersedeMerges(it.core, unit, { id: change.id, version: 2 }),
  );

  expect((await it.merge(asked.id)).status).toBe("cancelled");
  expect((await it.core.store.getApproval(asked.approvalId ?? ""))?.status).toBe("superseded");
});

test("discarding a change ends its merges and stays in the audit with the reason", async () => {
  const it = await aMergeCore({ closed: true });
  const change = await it.change("aa-01", { "a.txt": "ONE\n" });
  const asked = await ask(it, change);

  const discarded = await discardChange(it.core, OPERATOR, { id: change.id, reason: "不要" });

  expect(discarded).toMatchObject({ outcome: "discarded", closedAt: it.core.clock.now() });
  expect((await it.merge(asked.id)).status).toBe("cancelled");
  expect((await it.core.store.getApproval(asked.approvalId ?? ""))?.status).toBe("cancelled");
  expect((await audited(it.core)).at(-1)).toMatchObject({
    actor: "aoi",
    action: "change.discarded",
    data: { reason: "不要", head: change.head },
  });
  await expect(discardChange(it.core, OPERATOR, { id: change.id })).rejects.toMatchObject({
    code: "CHANGE_NOT_OPEN",
  });
});

test("a merge that git is landing can be neither cancelled nor discarded", async () => {
  const it = await aMergeCore({ closed: true });
  const change = await it.change("aa-01", { "a.txt": "ONE\n" });
  const merge = await it.approved(change);
  await it.core.store.transaction((unit) =>
    unit.updateMerge({ ...merge, from: it.tip(), result: change.head }, merge),
  );

  await expect(cancelMerge(it.core, OPERATOR, merge.id)).rejects.toMatchObject({
    code: "MERGE_NOT_POSSIBLE",
  });
  await expect(discardChange(it.core, OPERATOR, { id: change.id })).rejects.toMatchObject({
    code: "MERGE_NOT_POSSIBLE",
  });
  expect(await it.core.store.getWorkspace(change.id)).toMatchObject({ outcome: "open" });
});

test("a pull request is refused without a tool, and opened with the newest version", async () => {
  const it = await aMergeCore();
  const change = await it.change("aa-01", { "a.txt": "ONE\n" });
  const open = (version: number) => openPullRequest(it.core, OPERATOR, { id: change.id, version });

  await expect(open(1)).rejects.toMatchObject({ code: "MERGE_NOT_POSSIBLE" });
  await expect(open(2)).rejects.toMatchObject({ code: "VERSION_CONFLICT" });

  const specs: unknown[] = [];
  const core = {
    ...it.core,
    workspaceTools: {
      ...it.core.workspaceTools,
      pullRequestTool: async () => "gh" as const,
      openPullRequest: async (_tool: "gh" | "glab", spec: unknown) => {
        specs.push(spec);
        return { url: "https://example.com/pull/1" };
      },
    },
  };
  expect(await openPullRequest(core, OPERATOR, { id: change.id, version: 1, title: "T" })).toEqual({
    url: "https://example.com/pull/1",
    tool: "gh",
  });
  expect(specs).toMatchObject([{ branch: change.branch, target: "main", title: "T" }]);
});

test("a cancelled task leaves the merges of its changes to people", async () => {
  const it = await aMergeCore({ closed: true });
  await it.core.store.transaction((unit) => unit.insertTask(aTask()));
  const { id: taskId } = aTask();
  const asked = await ask(it, await it.change("aa-01", { "a.txt": "ONE\n" }, { taskId }));

  await it.core.store.transaction((unit) => closeApprovals(it.core, unit, { taskId }, "cancelled"));

  expect(await it.core.store.getApproval(asked.approvalId ?? "")).toMatchObject({
    taskId,
    status: "pending",
  });
});
