import { existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { aPerson } from "../../../test/kit/approvals.ts";
import { aCore, aRole, ended, type ACore } from "../../../test/kit/core.ts";
import {
  anIsolatedAgent,
  isolatedAgents,
  launched,
  settled,
  workspaceOf,
} from "../../../test/kit/isolated-agents.ts";
import { aRepository, git, write } from "../../../test/kit/repository.ts";
import type { Agent } from "../../domain/agents/agent.ts";
import { NO_PROGRESS } from "../../domain/agents/progress.ts";
import { savedRef } from "../../domain/workspaces/workspace.ts";
import { decideApproval } from "../approvals/decide-approval.ts";
import { sendBack } from "../changes/send-back.ts";
import { createGroup } from "../groups/create-group.ts";
import { runAgents } from "../groups/run-agents.ts";
import { requestMerge } from "../merges/request-merge.ts";
import type { Git } from "../ports/git.ts";
import { refreshOverlaps } from "./refresh-overlaps.ts";
import { retireWorkspace } from "./retire-workspace.ts";
import { sweepWorkspaces } from "./sweep-workspaces.ts";
import { watchWorkspaces } from "./watch-workspaces.ts";

const OPERATOR = aPerson("aoi");
const anIsolatingCore = (over: ACore = {}) =>
  aCore({ roles: [aRole({ isolation: "auto" })], ...over });

test("an agent that a limit of its runner ended waits, and goes on in the same worktree", async () => {
  const repository = aRepository();
  const core = await anIsolatingCore({
    runners: ["claude"],
    roles: [aRole({ runner: "claude", isolation: "auto" })],
  });
  core.installed.add("claude");
  const { agent, workspace } = await anIsolatedAgent(core, repository);
  const failure = { kind: "quota", resetsAt: core.clock.now() + 60_000 } as const;
  const end = { ok: false, text: "", durationMs: null, error: "limit", failure };
  await core.observe(ended(agent.id, { exitCode: 1, progress: { ...NO_PROGRESS, end } }));
  await vi.waitFor(
    async () => expect(await core.store.getAgent(agent.id)).toMatchObject({ process: "waiting" }),
    30_000,
  );

  core.advance(120_000);
  core.dispatchSoon();
  await launched(core, [agent], 2);

  write(workspace.path, { "new.txt": "1\n" });
  await settled(core, agent);
  expect(await workspaceOf(core, agent)).toMatchObject({ status: "captured", version: 1 });
}, 60_000);

test("a change that was sent back does not land meanwhile, and its next version can be merged", async () => {
  const repository = aRepository();
  git(repository.root, "checkout", "-q", "-b", "mine");
  const core = await anIsolatingCore();
  const { agent, workspace } = await anIsolatedAgent(core, repository);
  write(workspace.path, { "new.txt": "1\n" });
  await settled(core, agent);
  const asked = await requestMerge(core, OPERATOR, { id: agent.id, version: 1, target: "main" });

  const { agentId } = await sendBack(core, OPERATOR, {
    id: agent.id,
    version: 1,
    message: "もう一度",
  });
  await expect(
    decideApproval(core, OPERATOR, {
      approvalId: asked.approvalId ?? "",
      version: 1,
      decision: "approve",
    }),
  ).rejects.toMatchObject({ code: expect.any(String) });

  await launched(core, [{ id: agentId }]);
  write(workspace.path, { "new.txt": "2\n" });
  await settled(core, { id: agentId });
  expect(git(repository.root, "rev-parse", "main")).toBe(repository.head);
  expect(await workspaceOf(core, agent)).toMatchObject({ outcome: "open", version: 2 });
  await requestMerge(core, OPERATOR, { id: agentId, version: 2, target: "main" });
}, 60_000);

test("one of two that send the same change back at once is refused, and so is one without its role", async () => {
  const repository = aRepository();
  const core = await anIsolatingCore();
  const { agent, workspace } = await anIsolatedAgent(core, repository);
  write(workspace.path, { "new.txt": "1\n" });
  await settled(core, agent);
  const back = { id: agent.id, version: 1, message: "再" };

  const sent = await Promise.allSettled([
    sendBack(core, OPERATOR, back),
    sendBack(core, OPERATOR, back),
  ]);

  expect(sent.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(sent.find(({ status }) => status === "rejected")).toMatchObject({
    reason: { code: "WORKSPACE_IN_USE" },
  });
  const next = { id: (await workspaceOf(core, agent)).agentId };
  await launched(core, [next]);
  await settled(core, next);
  await expect(sendBack({ ...core, roles: new Map() }, OPERATOR, back)).rejects.toMatchObject({
    code: "ROLE_NOT_FOUND",
  });
}, 60_000);

test("an agent cannot begin from the change of an agent that it may not see", async () => {
  const repository = aRepository();
  const core = await anIsolatingCore();
  const { agent: other, workspace } = await anIsolatedAgent(core, repository);
  write(workspace.path, { "secret.txt": "1\n" });
  await settled(core, other);
  const { agent: caller } = await anIsolatedAgent(core, repository);
  const requested = {
    groupId: caller.groupId,
    agents: [
      {
        role: "impl-code",
        prompt: "x",
        workingDirectory: repository.root,
        timeoutMs: null,
        base: other.id,
      },
    ],
  };

  await expect(
    runAgents(core, { kind: "agent", agentId: caller.id, role: caller.role }, requested),
  ).rejects.toMatchObject({ code: "BASE_NOT_FOUND" });
}, 60_000);

test("a worktree that is removed a second time keeps what it held both times", async () => {
  const repository = aRepository();
  const core = await anIsolatingCore();
  const { agent, workspace } = await anIsolatedAgent(core, repository);
  const large = "x".repeat(core.settings.workspace.maxFileBytes + 1);
  write(workspace.path, { "new.txt": "1\n", "first.bin": large });
  await settled(core, agent);
  await retireWorkspace(core, OPERATOR, workspace.id);
  const { agentId } = await sendBack(core, OPERATOR, { id: agent.id, version: 1, message: "再" });
  await launched(core, [{ id: agentId }]);
  write(workspace.path, { "new.txt": "2\n", "second.bin": large });
  await settled(core, { id: agentId });
  await retireWorkspace(core, OPERATOR, workspace.id);

  expect(existsSync(workspace.path)).toBe(false);
  const saved = git(
    repository.root,
    "log",
    "-m",
    "--format=",
    "--name-only",
    savedRef(workspace.id),
  );
  expect(saved.split("\n")).toEqual(expect.arrayContaining(["first.bin", "second.bin"]));
}, 60_000);

test("a branch that a person deleted while the agent worked is made again", async () => {
  const repository = aRepository();
  const core = await anIsolatingCore();
  const { agent, workspace } = await anIsolatedAgent(core, repository);
  write(workspace.path, { "new.txt": "1\n" });
  git(repository.root, "update-ref", "-d", `refs/heads/${workspace.branch}`);

  await settled(core, agent);

  expect(await workspaceOf(core, agent)).toMatchObject({ status: "captured", version: 1 });
  expect(git(repository.root, "show", `${workspace.branch}:new.txt`)).toBe("1");
}, 60_000);

test("a branch that a person moved while the agent worked loses no commit", async () => {
  const repository = aRepository();
  const core = await anIsolatingCore();
  const { agent, workspace } = await anIsolatedAgent(core, repository);
  write(workspace.path, { "new.txt": "1\n" });
  const moved = git(repository.root, "commit-tree", "-m", "p", "-p", "HEAD", "HEAD^{tree}");
  git(repository.root, "update-ref", `refs/heads/${workspace.branch}`, moved);

  await settled(core, agent);

  expect(await workspaceOf(core, agent)).toMatchObject({ status: "captured", version: 1 });
  expect(git(repository.root, "show", `${workspace.branch}:new.txt`)).toBe("1");
  expect(git(repository.root, "merge-base", "--is-ancestor", moved, workspace.branch)).toBe("");
}, 60_000);

test("a worktree that git refuses does not hide the overlaps of the others", async () => {
  const repository = aRepository();
  const core = await anIsolatingCore();
  const [broken, one, two] = await isolatedAgents(core, repository, {}, {}, {});
  if (!broken || !one || !two) throw new Error("three");
  rmSync(join(broken.workspace.path, ".git"));
  write(one.workspace.path, { "a.txt": "1\n" });
  write(two.workspace.path, { "a.txt": "2\n" });

  await refreshOverlaps(core, repository.common);

  expect(await core.store.listOverlapsOf([one.workspace.id])).toMatchObject([
    { level: "same_file", paths: ["a.txt"] },
  ]);
}, 60_000);

test("an agent that writes into the checkout is reported while it works and in its result", async () => {
  const repository = aRepository();
  const core = await anIsolatingCore();
  const { agent } = await anIsolatedAgent(core, repository);
  const path = join(repository.root, "a.txt");
  const progress = { ...NO_PROGRESS, editedFiles: [path] };
  const watching = watchWorkspaces(core);
  onTestFinished(watching.close);

  await core.observe({ type: "progress", agentId: agent.id, attempt: 1, progress });

  const outside = { type: "wrote_outside", path };
  await vi.waitFor(
    async () => expect((await workspaceOf(core, agent)).attention).toEqual([outside]),
    { timeout: 20_000 },
  );
  await core.observe(ended(agent.id, { progress }));
  await vi.waitFor(
    async () =>
      expect(await core.store.getResult(agent.id)).toMatchObject({
        change: { attention: [outside] },
      }),
    { timeout: 20_000 },
  );
}, 60_000);

test.each(["before", "after"])(
  "a change that is sent back %s the files are removed has its worktree",
  async (moment) => {
    const repository = aRepository();
    const core = await anIsolatingCore();
    const { agent, workspace } = await anIsolatedAgent(core, repository);
    write(workspace.path, { "new.txt": "1\n" });
    await settled(core, agent);
    let next: Pick<Agent, "id"> | undefined;
    const sendNow = async () => {
      const back = { id: agent.id, version: 1, message: "再" };
      next = { id: (await sendBack(core, OPERATOR, back)).agentId };
    };
    const removeWorktree: Git["removeWorktree"] = async (...args) => {
      if (moment === "before") {
        await sendNow();
        await core.quiet();
      }
      await core.git.removeWorktree(...args);
      if (moment === "after") await sendNow();
    };

    await expect(
      retireWorkspace({ ...core, git: { ...core.git, removeWorktree } }, OPERATOR, workspace.id),
    ).rejects.toMatchObject({ code: "WORKSPACE_IN_USE" });

    if (!next) throw new Error("It was not sent back.");
    await launched(core, [next]);
    expect(existsSync(join(workspace.path, "new.txt"))).toBe(true);
    expect(await workspaceOf(core, agent)).toMatchObject({ status: "ready" });
  },
  60_000,
);

test("a change whose repository was away when its agent ended is captured once it is back", async () => {
  const repository = aRepository();
  const core = await anIsolatingCore();
  const { agent, workspace } = await anIsolatedAgent(core, repository);
  write(workspace.path, { "late.txt": "kept\n" });
  renameSync(repository.root, `${repository.root}-away`);
  await settled(core, agent);
  expect(await workspaceOf(core, agent)).toMatchObject({ status: "damaged" });

  await sweepWorkspaces(core);
  expect(await workspaceOf(core, agent)).toMatchObject({ status: "damaged" });
  renameSync(`${repository.root}-away`, repository.root);
  await sweepWorkspaces(core);

  expect(await workspaceOf(core, agent)).toMatchObject({
    status: "captured",
    version: 1,
    attention: [],
  });
}, 60_000);

test("a single writer that is not isolated leaves no snapshot of the working tree", async () => {
  const repository = aRepository();
  write(repository.root, { "dirty.txt": "mine\n" });
  const { settings } = await anIsolatingCore();
  const core = await anIsolatingCore({
    settings: { workspace: { ...settings.workspace, base: "working-tree" } },
  });
  const before = repository.refs();
  const group = await createGroup(core, OPERATOR, {
    description: "x",
    mode: "concurrent",
    parentGroupId: null,
  });
  const request = { role: "impl-code", prompt: "x", timeoutMs: null };
  const agents = [{ ...request, workingDirectory: repository.root }];
  const run = () => runAgents(core, OPERATOR, { groupId: group.id, agents });

  const [first] = await run();
  expect(first?.workspaceId).toBeNull();
  expect(repository.refs()).toEqual(before);

  const [second] = await run();
  if (!second) throw new Error("one");
  await launched(core, [second]);
  expect(existsSync(join(second.workingDirectory, "dirty.txt"))).toBe(true);
}, 60_000);
