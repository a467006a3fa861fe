import { expect, onTestFinished, test, vi } from "vitest";
import { aCore, aRole, started } from "../../../test/kit/core.ts";
import { workspaceOf } from "../../../test/kit/isolated-agents.ts";
import { aRepository, write } from "../../../test/kit/repository.ts";
import type { WorkspaceId } from "../../domain/ids.ts";
import { LOCAL_USER } from "../core.ts";
import { createGroup } from "../groups/create-group.ts";
import { runAgents } from "../groups/run-agents.ts";
import { watchWorkspaces } from "./watch-workspaces.ts";

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
