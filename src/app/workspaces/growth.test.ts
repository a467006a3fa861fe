import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { aPerson } from "../../../test/kit/approvals.ts";
import { aCore, aRole } from "../../../test/kit/core.ts";
import { anIsolatedAgent, settled } from "../../../test/kit/isolated-agents.ts";
import { aRepository, objectsOf, write } from "../../../test/kit/repository.ts";
import { rounds } from "../../../test/kit/rounds.ts";
import { discardChange } from "../merges/discard-change.ts";
import { sweepWorkspaces } from "./sweep-workspaces.ts";

const ROUNDS = rounds({ all: 1_000, few: 6 });
/** A blob, a tree and a commit; git's own garbage collection deletes them. */
const OBJECTS_PER_CHANGE = 3;

test(`${ROUNDS} worktrees that come and go leave nothing behind but the objects of their changes`, async () => {
  const repository = aRepository();
  const core = await aCore({ roles: [aRole({ isolation: "auto" })] });
  const { root, keepDecidedMs, keepRefsMs } = core.settings.workspace;
  const refs = repository.refs();
  const objects = objectsOf(repository.root).length;
  let changes = 0;

  for (let round = 0; round < ROUNDS; round++) {
    const { agent, workspace } = await anIsolatedAgent(core, repository);
    if (round % 2 === 0) {
      write(workspace.path, { "new.txt": `${round}\n` });
      changes++;
    }
    await settled(core, agent);
    await discardChange(core, aPerson("aoi"), { id: agent.id });
    core.advance(keepDecidedMs + 1);
    await sweepWorkspaces(core);
    expect(existsSync(workspace.path)).toBe(false);
    core.advance(keepRefsMs + 1);
    await sweepWorkspaces(core);
  }

  expect(repository.refs()).toEqual(refs);
  expect(existsSync(join(repository.common, "worktrees"))).toBe(false);
  expect(objectsOf(repository.root).length).toBeLessThanOrEqual(
    objects + changes * OBJECTS_PER_CHANGE,
  );
  expect(await core.store.listLeasedPorts()).toEqual([]);
  expect((await core.store.listWorkspaces({ limit: 10 })).workspaces).toEqual([]);
  const left = readdirSync(root, { recursive: true, encoding: "utf8" });
  expect(left.filter((path) => path.includes("wsp-"))).toEqual([]);
}, 1_800_000);
