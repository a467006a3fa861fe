import { renameSync } from "node:fs";
import { dirname } from "node:path";
import { expect, test } from "vitest";
import { aCore, aRole } from "../../../test/kit/core.ts";
import { isolatedAgents, settled, workspaceOf } from "../../../test/kit/isolated-agents.ts";
import { aRepository, git, write } from "../../../test/kit/repository.ts";
import { versionRef } from "../../domain/workspaces/workspace.ts";
import { captureLost } from "./capture-lost.ts";

test("a worktree that cannot be captured does not keep the next one from being captured", async () => {
  const repository = aRepository();
  const core = await aCore({ roles: [aRole({ isolation: "auto" })] });
  const both = await isolatedAgents(core, repository, {}, {});
  for (const { agent, workspace } of both) {
    write(workspace.path, { "new.txt": `${agent.id}\n` });
    renameSync(workspace.path, `${workspace.path}.away`);
  }
  await settled(core, ...both.map(({ agent }) => agent));
  for (const { workspace } of both) renameSync(`${workspace.path}.away`, workspace.path);
  const [first, second] = await core.store.listPresentWorkspaces();
  if (!first || !second) throw new Error("There are not two workspaces.");
  expect([first.status, second.status]).toEqual(["damaged", "damaged"]);
  // Where the version would be kept, there is something else.
  git(repository.root, "update-ref", dirname(versionRef(first.id, 1)), "HEAD");

  await captureLost(core, new AbortController().signal);

  expect(await workspaceOf(core, { workspaceId: first.id })).toMatchObject({
    status: "damaged",
  });
  expect(await workspaceOf(core, { workspaceId: second.id })).toMatchObject({
    status: "captured",
    version: 1,
  });
  expect(git(repository.root, "show", `${second.branch}:new.txt`)).toBe(second.agentId);
}, 60_000);
