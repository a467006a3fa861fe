import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import {
  aCore,
  type ACore,
  aRole,
  dyingAtCommit,
  ended,
  someProgress,
  started,
  type TestCore,
} from "../../../test/kit/core.ts";
import {
  aRepository,
  git,
  hashOfUser,
  write,
  type TestRepository,
} from "../../../test/kit/repository.ts";
import { aWorkerRow, workersOf } from "../../../test/kit/worker-rows.ts";
import type { Agent } from "../../domain/agents/agent.ts";
import type { Workspace } from "../../domain/workspaces/workspace.ts";
import type { AgentRequest } from "../agents/plan-agent.ts";
import { decideApproval } from "../approvals/decide-approval.ts";
import { LOCAL_USER } from "../core.ts";
import { createGroup } from "../groups/create-group.ts";
import { runAgents } from "../groups/run-agents.ts";
import { runSequential } from "../groups/run-sequential.ts";
import { requestMerge } from "../merges/request-merge.ts";

const ROLES = [
  aRole({ isolation: "auto" }),
  aRole({ id: "code-review", access: "read-only", isolation: "auto" }),
];

const anIsolatingCore = (over: ACore = {}) => aCore({ roles: ROLES, ...over });

async function run(
  core: TestCore,
  { root }: Pick<TestRepository, "root">,
  ...requests: Partial<AgentRequest>[]
): Promise<readonly Agent[]> {
  const group = await createGroup(core, LOCAL_USER, {
    description: "x",
    mode: "concurrent",
    parentGroupId: null,
  });
  return runAgents(core, LOCAL_USER, {
    groupId: group.id,
    agents: requests.map((request) => ({ ...aRequest(root), ...request })),
  });
}

const aRequest = (root: string): AgentRequest => ({
  role: "impl-code",
  prompt: "やって",
  workingDirectory: root,
  timeoutMs: null,
});

async function workspaceOf(core: TestCore, { workspaceId }: Agent): Promise<Workspace> {
  const found = await core.store.getWorkspace(workspaceId ?? "");
  if (!found) throw new Error("The agent has no workspace.");
  return found;
}

async function launched(core: TestCore, agents: readonly Agent[]): Promise<void> {
  await vi.waitFor(() => {
    const ids = core.launches.map(({ agentId }) => agentId);
    expect(ids).toEqual(expect.arrayContaining(agents.map(({ id }) => id)));
  }, 30_000);
  await core.observe(...agents.map(({ id }) => started(id)));
}

async function settled(core: TestCore, agents: readonly Agent[]): Promise<void> {
  await core.observe(...agents.map(({ id }) => ended(id)));
  await vi.waitFor(async () => {
    for (const { id } of agents) {
      expect(await core.store.getAgent(id)).toMatchObject({ process: "ended" });
    }
  }, 30_000);
}

const contentOf = ({ root }: TestRepository, commit: string | null, path: string) =>
  git(root, "show", `${commit}:${path}`);

test("a single writer works in the caller's checkout", async () => {
  const core = await anIsolatingCore();
  const repository = aRepository();

  const [agent] = await run(core, repository, {});

  expect(agent).toMatchObject({
    workspaceId: null,
    workingDirectory: repository.root,
    tree: repository.root,
  });
});

test("two writers in one repository get worktrees and branches of their own, and the checkout stays as it is", async () => {
  const core = await anIsolatingCore();
  const repository = aRepository();
  write(repository.root, { "dirty.txt": "mine\n" });
  const before = hashOfUser(repository);

  const agents = await run(core, repository, {}, {}, { role: "code-review" });
  const [one, two, reader] = agents;
  if (!one || !two || !reader) throw new Error("three");
  await launched(core, agents);
  write(one.workingDirectory, { "a.txt": "changed\n", "new.txt": "untracked\n" });
  write(two.workingDirectory, { "a.txt": "otherwise\n" });
  await settled(core, agents);

  expect(reader).toMatchObject({ workspaceId: null, tree: null });
  const first = await workspaceOf(core, one);
  expect(first).toMatchObject({
    status: "captured",
    branch: `kuromajutsu/${one.groupId}/${one.id}`,
    base: repository.head,
    target: "main",
    version: 1,
    files: 2,
    outcome: "open",
  });
  expect(contentOf(repository, first.head, "new.txt")).toBe("untracked");
  expect(git(repository.root, "rev-parse", first.branch)).toBe(first.head);
  expect(await core.store.getResult(one.id)).toMatchObject({
    change: { branch: first.branch, base: repository.head, paths: ["a.txt", "new.txt"] },
  });
  expect(hashOfUser(repository)).toBe(before);
});

test("a writer that comes while another one works in the checkout is isolated", async () => {
  const core = await anIsolatingCore();
  const repository = aRepository();
  const [first] = await run(core, repository, {});
  const [second] = await run(core, repository, {});

  expect(first?.workspaceId).toBeNull();
  expect(second?.workspaceId).not.toBeNull();
});

test("the worktree is prepared again if the daemon dies in the middle, and the agent starts once", async () => {
  const repository = aRepository();
  const first = await anIsolatingCore();
  const dying = dyingAtCommit(first);
  const agents = await run(dying, repository, {}, {});
  const [one] = agents;
  if (!one) throw new Error("one");
  const workspace = await workspaceOf(dying, one);
  await first.git.addWorktree(repository.common, {
    id: workspace.id,
    path: workspace.path,
    branch: workspace.branch,
    base: repository.head,
  });

  const core = await anIsolatingCore({
    store: first.store,
    settings: { workspace: first.settings.workspace },
  });
  core.dispatchSoon();
  await launched(core, agents);

  expect(core.launches.filter(({ agentId }) => agentId === one.id)).toHaveLength(1);
  expect(await workspaceOf(core, one)).toMatchObject({ status: "ready" });
});

test("a change is captured by the next daemon if this one dies after the end of the agent", async () => {
  const repository = aRepository();
  const first = await anIsolatingCore();
  const agents = await run(first, repository, {}, {});
  const [one, two] = agents;
  if (!one || !two) throw new Error("two");
  await launched(first, agents);
  write(one.workingDirectory, { "a.txt": "last words\n" });
  await dyingAtCommit(first).observe(ended(one.id));
  expect(await first.store.getAgent(one.id)).toMatchObject({ process: "capturing" });
  expect(await first.store.getResult(one.id)).toBeUndefined();

  const core = await anIsolatingCore({
    store: first.store,
    settings: { workspace: first.settings.workspace },
  });
  for (const { agentId } of await core.store.listCapturing())
    core.provisioning.captureSoon(agentId);
  await core.quiet();

  const { head } = await workspaceOf(core, one);
  expect(contentOf(repository, head, "a.txt")).toBe("last words");
  expect(await core.store.getAgent(one.id)).toMatchObject({
    process: "ended",
    status: "completed",
  });
  expect(await core.store.listCapturing()).toEqual([]);
});

test("an agent that is killed keeps what it had written", async () => {
  const core = await anIsolatingCore();
  const repository = aRepository();
  const agents = await run(core, repository, {}, {});
  const [one] = agents;
  if (!one) throw new Error("one");
  await launched(core, agents);
  write(one.workingDirectory, { "half.txt": "half\n" });

  await core.observe(ended(one.id, { exitCode: 137, progress: someProgress({ end: null }) }));
  await core.quiet();

  expect(await core.store.getAgent(one.id)).toMatchObject({ status: "failed", process: "ended" });
  expect(await workspaceOf(core, one)).toMatchObject({ version: 1, files: 1 });
});

test("isolation that was asked for and is not possible is refused", async () => {
  const core = await anIsolatingCore();
  const repository = aRepository();
  const outside = { ...repository, root: repository.dir };

  await expect(run(core, outside, { isolation: "worktree" })).rejects.toMatchObject({
    code: "ISOLATION_NOT_POSSIBLE",
    message: expect.stringContaining("not inside a git repository"),
  });
  await expect(run(core, repository, { isolation: "none", base: "HEAD" })).rejects.toMatchObject({
    code: "ISOLATION_NOT_POSSIBLE",
  });
  await expect(run(core, repository, { base: "no-such-branch" })).rejects.toMatchObject({
    code: "BASE_NOT_FOUND",
  });
});

test("a worktree can begin with the uncommitted work of the caller, which stays untouched", async () => {
  const core = await anIsolatingCore();
  const repository = aRepository();
  write(repository.root, { "a.txt": "uncommitted\n", "draft.txt": "draft\n" });
  const before = hashOfUser(repository);

  const agents = await run(core, repository, { base: "working-tree" });
  const [one] = agents;
  if (!one) throw new Error("one");
  await launched(core, agents);

  expect(readFileSync(join(one.workingDirectory, "draft.txt"), "utf8")).toBe("draft\n");
  write(one.workingDirectory, { "b.txt": "b2\n" });
  await settled(core, agents);
  expect(await workspaceOf(core, one)).toMatchObject({ files: 1 });
  expect(hashOfUser(repository)).toBe(before);
});

test("an agent continues from the branch of another one, and its change has both", async () => {
  const core = await anIsolatingCore();
  const repository = aRepository();
  const first = await run(core, repository, { isolation: "worktree" });
  await launched(core, first);
  write(first[0]?.workingDirectory ?? "", { "one.txt": "1\n" });
  await settled(core, first);

  const second = await run(core, repository, { base: first[0]?.id ?? "" });
  await launched(core, second);
  const directory = second[0]?.workingDirectory ?? "";
  expect(readFileSync(join(directory, "one.txt"), "utf8")).toBe("1\n");
  write(directory, { "two.txt": "2\n" });
  await settled(core, second);

  const [agent] = second;
  expect(agent && (await workspaceOf(core, agent))).toMatchObject({
    files: 2,
    base: repository.head,
  });
});

async function plan(core: TestCore, { root }: TestRepository, ...stages: number[]) {
  const group = await createGroup(core, LOCAL_USER, {
    description: "x",
    mode: "sequential",
    parentGroupId: null,
  });
  const { agents } = await runSequential(core, LOCAL_USER, {
    groupId: group.id,
    onFailure: "continue",
    stages: stages.map((count) => Array.from({ length: count }, () => aRequest(root))),
  });
  return agents;
}

test("a later stage begins with the merged result of the stage before", async () => {
  const core = await anIsolatingCore();
  const repository = aRepository();
  const agents = await plan(core, repository, 2, 1);
  const [one, two, last] = agents;
  if (!one || !two || !last) throw new Error("three");
  await launched(core, [one, two]);
  write(one.workingDirectory, { "one.txt": "1\n" });
  write(two.workingDirectory, { "two.txt": "2\n" });
  await settled(core, [one, two]);

  await launched(core, [last]);

  expect(readFileSync(join(last.workingDirectory, "one.txt"), "utf8")).toBe("1\n");
  expect(readFileSync(join(last.workingDirectory, "two.txt"), "utf8")).toBe("2\n");
});

test("when the change of the last stage lands, the changes in it need no decision any more", async () => {
  const core = await anIsolatingCore();
  const repository = aRepository();
  git(repository.root, "checkout", "-q", "-b", "mine");
  const agents = await plan(core, repository, 2, 1);
  const [one, two, last] = agents;
  if (!one || !two || !last) throw new Error("three");
  await launched(core, [one, two]);
  write(one.workingDirectory, { "one.txt": "1\n" });
  write(two.workingDirectory, { "two.txt": "2\n" });
  await settled(core, [one, two]);
  await launched(core, [last]);
  write(last.workingDirectory, { "last.txt": "3\n" });
  await settled(core, [last]);

  const merge = await requestMerge(core, LOCAL_USER, { id: last.id, version: 1, target: "main" });
  await decideApproval(core, LOCAL_USER, {
    approvalId: merge.approvalId ?? "",
    decision: "approve",
    version: 1,
  });

  await vi.waitFor(async () => {
    for (const agent of agents) {
      expect(await workspaceOf(core, agent)).toMatchObject({ outcome: "merged" });
    }
  }, 30_000);
  expect(git(repository.root, "ls-tree", "--name-only", "main").split("\n")).toEqual(
    expect.arrayContaining(["one.txt", "two.txt", "last.txt"]),
  );
});

test("a conflict between the changes of a stage is asked about, and the answer starts the next stage", async () => {
  const core = await anIsolatingCore();
  const repository = aRepository();
  const agents = await plan(core, repository, 2, 1);
  const [one, two, last] = agents;
  if (!one || !two || !last) throw new Error("three");
  await launched(core, [one, two]);
  write(one.workingDirectory, { "a.txt": "left\n" });
  write(two.workingDirectory, { "a.txt": "right\n" });
  await settled(core, [one, two]);

  const question = await vi.waitFor(async () => {
    const [found] = await core.store.listOpenApprovals(10);
    if (!found) throw new Error("not asked yet");
    return found;
  }, 30_000);
  expect(question).toMatchObject({ kind: "question", choices: [one.id, two.id, "stop"] });
  await core.quiet();
  expect(core.launches.map(({ agentId }) => agentId)).not.toContain(last.id);

  await decideApproval(core, LOCAL_USER, {
    approvalId: question.id,
    decision: "approve",
    version: question.version,
    answer: two.id,
  });
  await launched(core, [last]);

  expect(readFileSync(join(last.workingDirectory, "a.txt"), "utf8")).toBe("right\n");
});

test("a setup command that fails starts no agent and says why", async () => {
  const first = await anIsolatingCore();
  const workspace = { ...first.settings.workspace, setup: "echo no network >&2; exit 3" };
  const core = await anIsolatingCore({ settings: { workspace } });
  const repository = aRepository();

  const [agent] = await run(core, repository, { isolation: "worktree" });
  await core.quiet();

  expect(core.launches).toEqual([]);
  expect(await core.store.getResult(agent?.id ?? "impl-code-0-0")).toMatchObject({
    status: "failure",
    errorMessage: expect.stringContaining("no network"),
  });
  expect(agent && (await workspaceOf(core, agent))).toMatchObject({ status: "failed" });
});

test("what the setup command changes belongs to the base, not to the change", async () => {
  const first = await anIsolatingCore();
  const workspace = { ...first.settings.workspace, setup: "echo lock > package-lock.json" };
  const core = await anIsolatingCore({ settings: { workspace } });
  const repository = aRepository();
  const agents = await run(core, repository, { isolation: "worktree" });
  const [one] = agents;
  if (!one) throw new Error("one");
  await launched(core, agents);
  write(one.workingDirectory, { "b.txt": "b2\n" });
  await settled(core, agents);

  expect(await workspaceOf(core, one)).toMatchObject({ files: 1 });
});

test("a worktree that was deleted under its agent is damaged, and nothing is written elsewhere", async () => {
  const core = await anIsolatingCore();
  const repository = aRepository();
  const before = hashOfUser(repository);
  const agents = await run(core, repository, { isolation: "worktree" });
  const [one] = agents;
  if (!one) throw new Error("one");
  await launched(core, agents);
  rmSync(one.workingDirectory, { recursive: true });

  await settled(core, agents);

  expect(await workspaceOf(core, one)).toMatchObject({
    status: "damaged",
    attention: [{ type: "damaged" }],
  });
  expect(existsSync(one.workingDirectory)).toBe(false);
  expect(hashOfUser(repository)).toBe(before);
});

test("new work is refused while the worktrees use more disk than they may", async () => {
  const first = await anIsolatingCore();
  const workspace = { ...first.settings.workspace, maxTotalBytes: 1 };
  const core = await anIsolatingCore({
    settings: { workspace },
    roles: [aRole({ isolation: "worktree" })],
  });
  const repository = aRepository();
  const agents = await run(core, repository, {});
  await launched(core, agents);

  await expect(run(core, repository, {})).rejects.toMatchObject({ code: "WORKSPACE_DISK_FULL" });
});

const ON_WORKER = "/only/on/the/worker";

/** A server with a worker, which alone has the directory. */
async function aCoreWithWorker(): Promise<TestCore> {
  const core = await anIsolatingCore({ serverId: "here" });
  return {
    ...core,
    workers: workersOf([aWorkerRow("wrk-1")]),
    sessions: { reportOn: async () => [{ id: "wrk-1", hasDirectory: true }] },
    directories: { ...core.directories, exists: async (path) => path !== ON_WORKER },
  };
}

test.each<Partial<AgentRequest>>([
  { isolation: "worktree" },
  { base: "main" },
  { isolation: "worktree", base: "working-tree" },
])("a worktree in a directory that only a worker has is refused (%j)", async (request) => {
  const core = await aCoreWithWorker();

  const asking = run(core, { root: ON_WORKER }, request);

  await expect(asking).rejects.toMatchObject({
    code: "ISOLATION_NOT_POSSIBLE",
    message: `${ON_WORKER} is not on this server, and worktrees need the repository there.`,
    hint: "Clone the repository to the same path on the servers, or set isolation to none.",
  });
  expect((await core.store.listAgents({ limit: 10 })).total).toBe(0);
});

test.each<{ request: Partial<AgentRequest>; says: string }>([
  { request: {}, says: "has a note that it shares the directory" },
  { request: { isolation: "none" }, says: "has no note" },
  { request: { role: "code-review" }, says: "has no note" },
])(
  "an agent in a directory that only a worker has works there without a worktree, and $says ($request)",
  async ({ request, says }) => {
    const core = await aCoreWithWorker();

    const [first, second] = await run(core, { root: ON_WORKER }, request, request);

    const note =
      says === "has no note"
        ? null
        : "It has no worktree of its own: the directory is not on this server. Agents that write there at the same time share it.";
    for (const agent of [first, second]) {
      expect(agent).toMatchObject({
        workingDirectory: ON_WORKER,
        workspaceId: null,
        runnerNote: note,
      });
    }
  },
);
