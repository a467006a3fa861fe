import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { aPerson } from "../../../test/kit/approvals.ts";
import { aCore, aRole, type TestCore } from "../../../test/kit/core.ts";
import {
  anIsolatedAgent,
  isolatedAgents,
  launched,
  settled,
  workspaceOf,
} from "../../../test/kit/isolated-agents.ts";
import { aRepository, git, write } from "../../../test/kit/repository.ts";
import { aTempDir } from "../../../test/kit/tmp-dir.ts";
import { Refusal } from "../../domain/refusal.ts";
import { readChangedFile } from "../changes/read-changed-file.ts";
import { sendBack } from "../changes/send-back.ts";
import type { Core } from "../core.ts";
import { discardChange } from "../merges/discard-change.ts";
import type { ServerRow } from "../ports/servers.ts";
import { giveUpRestored } from "./give-up-restored.ts";
import { refreshOverlaps } from "./refresh-overlaps.ts";
import { retireWorkspace } from "./retire-workspace.ts";
import { sweepWorkspaces } from "./sweep-workspaces.ts";
import { withoutWorktreesElsewhere } from "./worktrees-elsewhere.ts";

const OPERATOR = aPerson("aoi");

function aServerRow(id: string): ServerRow {
  return {
    id,
    host: `host-${id}`,
    pid: 1,
    version: "0",
    url: `http://${id}.example.com`,
    configHash: "",
    startedAt: 0,
    seenMsAgo: 0,
    hasLeft: false,
    isLeader: false,
    agents: 0,
  };
}

/** A change that the server `a` has captured. */
async function aChangeOfA() {
  const repository = aRepository();
  const core = await aCore({ serverId: "a", roles: [aRole({ isolation: "auto" })] });
  const { agent, workspace } = await anIsolatedAgent(core, repository);
  write(workspace.path, { "new.txt": "1\n" });
  await settled(core, agent);
  const clone = `${aTempDir()}/clone.git`;
  // Only what people have in their branches, as a clone of the remote has it.
  git(
    repository.root,
    "clone",
    "-q",
    "--bare",
    "--no-local",
    "--single-branch",
    repository.root,
    clone,
  );
  return { repository, core, agent, workspace, clone };
}

type Made = Awaited<ReturnType<typeof aChangeOfA>>;

/** Another server. Without a shared disk it has a clone of the repository at the same path. */
function serverB({ core, workspace, clone }: Made, over: { isShared: boolean; isAThere: boolean }) {
  const rows = [...(over.isAThere ? [aServerRow("a")] : []), aServerRow("b")];
  const b: Core = {
    ...core,
    serverId: "b",
    servers: { id: "b", list: async () => rows },
    ...(!over.isShared && {
      directories: {
        ...core.directories,
        exists: async (path: string) =>
          path !== workspace.path && (await core.directories.exists(path)),
      },
      git: {
        ...core.git,
        resolve: (_repository, name) => core.git.resolve(clone, name),
        // The clone has no entry of the worktree, and its directory is not there.
        removeWorktree: async () => {},
      },
    }),
  };
  return b;
}

async function statusOf(core: TestCore, made: Made): Promise<string | undefined> {
  return (await core.store.getWorkspace(made.workspace.id))?.status;
}

test("a workspace names the server that has it, while the agent works and after it", async () => {
  const { core, agent, workspace } = await aChangeOfA();
  expect(workspace).toMatchObject({ status: "ready", serverId: "a" });
  expect(await workspaceOf(core, agent)).toMatchObject({ serverId: "a", workerId: null });
}, 60_000);

test("a sweep leaves the worktree of another server alone, and on a shared disk removes it when that server is gone", async () => {
  const made = await aChangeOfA();
  const { core, workspace } = made;
  core.advance(core.settings.workspace.keepOpenMs);

  await sweepWorkspaces(serverB(made, { isShared: false, isAThere: true }));
  await sweepWorkspaces(serverB(made, { isShared: false, isAThere: false }));
  await sweepWorkspaces(serverB(made, { isShared: true, isAThere: true }));
  expect([await statusOf(core, made), existsSync(workspace.path)]).toEqual(["captured", true]);

  await sweepWorkspaces(serverB(made, { isShared: true, isAThere: false }));
  expect([await statusOf(core, made), existsSync(workspace.path)]).toEqual(["retired", false]);
}, 60_000);

test("a person cannot retire the worktree of another server that runs, and can when it is gone for good", async () => {
  const made = await aChangeOfA();
  const { core, workspace } = made;

  await expect(
    retireWorkspace(serverB(made, { isShared: false, isAThere: true }), OPERATOR, workspace.id),
  ).rejects.toMatchObject({
    code: "WORKTREE_UNUSABLE",
    hint: expect.stringContaining("http://a.example.com (host-a)"),
  });
  expect(await statusOf(core, made)).toBe("captured");

  await retireWorkspace(
    serverB(made, { isShared: false, isAThere: false }),
    OPERATOR,
    workspace.id,
  );
  expect([await statusOf(core, made), existsSync(workspace.path)]).toEqual(["retired", true]);
}, 60_000);

test("the refs of a decided change are deleted by the server that has them, or by one with the same repository when it is gone", async () => {
  const made = await aChangeOfA();
  const { core, agent, repository } = made;
  const { keepDecidedMs, keepRefsMs } = core.settings.workspace;
  await discardChange(core, OPERATOR, { id: agent.id });
  core.advance(keepDecidedMs);
  await sweepWorkspaces(core);
  core.advance(keepRefsMs);

  await sweepWorkspaces(serverB(made, { isShared: true, isAThere: true }));
  await sweepWorkspaces(serverB(made, { isShared: false, isAThere: false }));
  expect(await statusOf(core, made)).toBe("retired");
  expect(repository.refs()).not.toEqual(["refs/heads/main"]);

  await sweepWorkspaces(serverB(made, { isShared: true, isAThere: false }));
  expect(await statusOf(core, made)).toBeUndefined();
  expect(repository.refs()).toEqual(["refs/heads/main"]);
}, 60_000);

test("a clone on another server has not got the change: a review says where it is, and the next agent waits for that server", async () => {
  const made = await aChangeOfA();
  const { core, agent } = made;
  const b = serverB(made, { isShared: false, isAThere: true });

  await expect(readChangedFile(b, agent.id, "new.txt")).rejects.toMatchObject({
    code: "REPOSITORY_UNUSABLE",
    message: expect.stringContaining("of the server a, and not on this server"),
  });
  expect((await readChangedFile(core, agent.id, "new.txt")).patch).toContain("+1");

  const back = { id: agent.id, version: 1, message: "もう一度" };
  await expect(
    sendBack(serverB(made, { isShared: false, isAThere: false }), OPERATOR, back),
  ).rejects.toMatchObject({ hint: expect.stringContaining("Start a again") });
  const { agentId } = await sendBack({ ...b, dispatchSoon: () => {} }, OPERATOR, back);
  const next = await core.store.getAgent(agentId);
  const waiting = next ? [next] : [];
  expect(await withoutWorktreesElsewhere(b, waiting)).toEqual([]);
  expect(await withoutWorktreesElsewhere(core, waiting)).toEqual(waiting);
}, 60_000);

test("after a restore that another server settles, a change still belongs to the server that has it, which can go on with it and cleans up", async () => {
  const made = await aChangeOfA();
  const { core, agent, workspace, repository } = made;
  const other = serverB(made, { isShared: false, isAThere: true });
  const settings = {
    ...core.settings,
    workspace: { ...core.settings.workspace, root: aTempDir() },
  };
  const b: Core = { ...other, settings, dispatchSoon: () => {} };

  await giveUpRestored(b);

  expect(await workspaceOf(core, agent)).toMatchObject({ status: "retired", serverId: "a" });
  await expect(readChangedFile(b, agent.id, "new.txt")).rejects.toMatchObject({
    message: expect.stringContaining("of the server a, and not on this server"),
    hint: expect.stringContaining("Ask that server: http://a.example.com"),
  });
  const { agentId } = await sendBack(b, OPERATOR, { id: agent.id, version: 1, message: "また" });
  const next = await core.store.getAgent(agentId);
  if (!next) throw new Error("The agent is not there.");
  expect(await withoutWorktreesElsewhere(b, [next])).toEqual([]);
  core.dispatchSoon();
  await launched(core, [next]);
  expect(await workspaceOf(core, agent)).toMatchObject({ path: workspace.path, serverId: "a" });

  write(workspace.path, { "more.txt": "2\n" });
  await settled(core, next);
  expect((await readChangedFile(core, agent.id, "more.txt")).patch).toContain("+2");
  await giveUpRestored(b);
  await discardChange(core, OPERATOR, { id: agent.id });
  core.advance(core.settings.workspace.keepRefsMs);
  await sweepWorkspaces(b);
  expect(existsSync(workspace.path)).toBe(true);
  await sweepWorkspaces(core);
  expect(existsSync(workspace.path)).toBe(false);
  expect(repository.refs()).toEqual(["refs/heads/main"]);
}, 60_000);

/** Another server with a clone at the same path: it has neither the worktrees nor the commits of `core`. */
function aCloneOf(core: TestCore, serverId: string): Core {
  return {
    ...core,
    serverId,
    git: {
      ...core.git,
      resolve: async () => undefined,
      changedPaths: async () => {
        throw new Refusal("WORKTREE_UNUSABLE", { en: ["x", "x"], ja: ["x", "x"] });
      },
      previewMerges: async () => {
        throw new Refusal("REPOSITORY_UNUSABLE", { en: ["x", "x"], ja: ["x", "x"] });
      },
    },
  };
}

test("two agents at work that change one file are notified once each, also when a server that cannot read their worktrees compares, too", async () => {
  const repository = aRepository();
  const core = await aCore({ serverId: "a", roles: [aRole({ isolation: "auto" })] });
  const made = await isolatedAgents(core, repository, {}, {});
  for (const { workspace } of made) write(workspace.path, { "a.txt": `${workspace.id}\n` });
  const b = aCloneOf(core, "b");

  for (const server of [core, b, core, b, core]) await refreshOverlaps(server, repository.common);

  for (const { agent, workspace } of made) {
    expect(await core.store.listNotifications(agent.id, 10)).toHaveLength(1);
    expect(await core.store.listOverlapsOf([workspace.id])).toHaveLength(1);
  }
}, 60_000);

test("changes that only another server can merge keep their conflict, and hide no overlap with an own change", async () => {
  const repository = aRepository();
  const core = await aCore({ serverId: "a", roles: [aRole({ isolation: "auto" })] });
  const made = await isolatedAgents(core, repository, {}, {}, {});
  const [one, two, own] = made;
  if (!one || !two || !own) throw new Error("three");
  for (const { workspace } of made) write(workspace.path, { "a.txt": `${workspace.id}\n` });
  await settled(core, one.agent, two.agent);
  await refreshOverlaps(core, repository.common);
  const both = [one.workspace.id, two.workspace.id];
  const conflict = { a: both.toSorted()[0], b: both.toSorted()[1], level: "conflict" };
  expect(await core.store.listOverlapsOf(both)).toContainEqual(expect.objectContaining(conflict));

  // The third one works on the other server, whose clone has only its worktree.
  const clone = aCloneOf(core, "b");
  const b: Core = {
    ...clone,
    git: { ...clone.git, changedPaths: (...input) => core.git.changedPaths(...input) },
  };
  await core.store.transaction(async (unit) => {
    const row = await unit.getWorkspace(own.workspace.id);
    if (row) await unit.updateWorkspace({ ...row, serverId: "b" }, row);
    await unit.putOverlaps(own.workspace.id, []);
  });
  await refreshOverlaps(b, repository.common);

  expect(await core.store.listOverlapsOf([own.workspace.id])).toHaveLength(2);
  expect(await core.store.listOverlapsOf(both)).toContainEqual(expect.objectContaining(conflict));
}, 60_000);
