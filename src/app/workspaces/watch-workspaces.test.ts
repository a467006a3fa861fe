import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { aCore, aRole, ended, started } from "../../../test/kit/core.ts";
import { anIsolatedAgent, workspaceOf } from "../../../test/kit/isolated-agents.ts";
import { aRepository, hashOfUser, write } from "../../../test/kit/repository.ts";
import { NO_PROGRESS } from "../../domain/agents/progress.ts";
import type { WorkspaceId } from "../../domain/ids.ts";
import { LOCAL_USER } from "../core.ts";
import { createGroup } from "../groups/create-group.ts";
import { runAgents } from "../groups/run-agents.ts";
import type { Git } from "../ports/git.ts";
import { watchWorkspaces } from "./watch-workspaces.ts";

const PROMISED_MS = 5_000;

test("processes that start after the last change of their worktrees are watched", async () => {
  const repository = aRepository();
  const core = await aCore({ roles: [aRole({ isolation: "auto" })] });
  const group = await createGroup(core, LOCAL_USER, {
    description: "x",
    mode: "concurrent",
    parentGroupId: null,
  });
  const request = {
    role: "impl-code",
    prompt: "やって",
    workingDirectory: repository.root,
    timeoutMs: null,
  };
  const agents = await runAgents(core, LOCAL_USER, {
    groupId: group.id,
    agents: [request, request],
  });
  await vi.waitFor(() => expect(core.launches).toHaveLength(2), 30_000);

  const { close } = watchWorkspaces(core);
  onTestFinished(close);
  // The first look finds no process.
  await core.store.transaction(async () => undefined);
  await core.observe(...agents.map(({ id }) => started(id)));
  const ids: WorkspaceId[] = [];
  for (const agent of agents) {
    const { id, path } = await workspaceOf(core, agent);
    write(path, { "a.txt": `${id}\n` });
    ids.push(id);
  }

  await vi.waitFor(
    async () => expect(await core.store.listOverlapsOf(ids)).toMatchObject([{ paths: ["a.txt"] }]),
    30_000,
  );
}, 60_000);

test("an agent whose worktree was deleted is stopped, and nothing is written to the repository", async () => {
  const repository = aRepository();
  const before = hashOfUser(repository);
  const core = await aCore({ roles: [aRole({ isolation: "auto" })] });
  const { agent, workspace } = await anIsolatedAgent(core, repository);
  onTestFinished(watchWorkspaces(core).close);
  await core.store.transaction(async () => undefined);
  expect(core.stops).toEqual([]);

  rmSync(workspace.path, { recursive: true });

  await vi.waitFor(
    () => expect(core.stops).toContainEqual(expect.objectContaining({ agentId: agent.id })),
    PROMISED_MS,
  );
  await core.observe(ended(agent.id, { exitCode: 143 }));
  await vi.waitFor(
    async () =>
      expect(await workspaceOf(core, agent)).toMatchObject({
        status: "damaged",
        attention: [
          {
            type: "damaged",
            reason: expect.stringContaining(`The directory ${workspace.path} was deleted. `),
            reasonJa: expect.stringContaining(`${workspace.path} が削除されています。`),
          },
        ],
      }),
    30_000,
  );
  expect(await core.store.getAgent(agent.id)).toMatchObject({ status: "cancelled" });
  expect(existsSync(workspace.path)).toBe(false);
  expect(hashOfUser(repository)).toBe(before);
}, 60_000);

test("a file outside the worktree is reported within 5 seconds, also while a large repository is compared", async () => {
  const repository = aRepository();
  const plain = await aCore({ roles: [aRole({ isolation: "auto" })] });
  const { agent, workspace } = await anIsolatedAgent(plain, repository);
  const comparing = Promise.withResolvers<void>();
  const ends = Promise.withResolvers<readonly string[]>();
  const changedPaths: Git["changedPaths"] = () => {
    comparing.resolve();
    return ends.promise;
  };
  const { close } = watchWorkspaces({ ...plain, git: { ...plain.git, changedPaths } });
  onTestFinished(async () => {
    ends.resolve([]);
    await close();
  });
  await comparing.promise;
  const path = join(workspace.path, "..", "wsp-of-another", "a.txt");

  const progress = { ...NO_PROGRESS, createdFiles: [path] };
  await plain.observe({ type: "progress", agentId: agent.id, attempt: 1, progress });

  await vi.waitFor(
    async () =>
      expect((await workspaceOf(plain, agent)).attention).toEqual([
        { type: "wrote_outside", path },
      ]),
    PROMISED_MS,
  );
}, 60_000);
