import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { aPerson } from "../../../test/kit/approvals.ts";
import { aCore, aRole, type TestCore } from "../../../test/kit/core.ts";
import { anIsolatedAgent, settled, workspaceOf } from "../../../test/kit/isolated-agents.ts";
import { aRepository, git, write } from "../../../test/kit/repository.ts";
import type { Agent } from "../../domain/agents/agent.ts";
import { addComment } from "../changes/add-comment.ts";
import { deleteComment } from "../changes/change-comment.ts";
import { readChangedFile } from "../changes/read-changed-file.ts";
import { cancelMerge } from "../merges/cancel-merge.ts";
import { discardChange } from "../merges/discard-change.ts";
import { requestMerge } from "../merges/request-merge.ts";
import { sweepWorkspaces } from "./sweep-workspaces.ts";

const OPERATOR = aPerson("aoi");

async function aChange() {
  const repository = aRepository();
  const core = await aCore({ roles: [aRole({ isolation: "auto" })] });
  const { agent, workspace } = await anIsolatedAgent(core, repository);
  write(workspace.path, { "new.txt": "1\n" });
  await settled(core, agent);
  const sweepAfter = async (ms: number) => {
    core.advance(ms);
    await sweepWorkspaces(core);
    return existsSync(workspace.path);
  };
  return { repository, core, agent, workspace, sweepAfter, times: core.settings.workspace };
}

test("a change without a decision loses its directory after keepOpen_days, and never its commits", async () => {
  const { repository, core, agent, workspace, sweepAfter, times } = await aChange();

  expect(await sweepAfter(times.keepOpenMs - 1)).toBe(true);
  expect(await sweepAfter(1)).toBe(false);
  await sweepAfter(10 * times.keepRefsMs);

  expect(await workspaceOf(core, agent)).toMatchObject({ status: "retired", outcome: "open" });
  expect(git(repository.root, "show", `${workspace.branch}:new.txt`)).toBe("1");
  expect((await readChangedFile(core, agent.id, "new.txt")).patch).toContain("+1");
}, 60_000);

test("a decided change loses its directory after keepDecided_hours, and its branch and refs after keepRefs_days", async () => {
  const { repository, core, agent, sweepAfter, times } = await aChange();
  await discardChange(core, OPERATOR, { id: agent.id });

  expect(await sweepAfter(times.keepDecidedMs - 1)).toBe(true);
  expect(await sweepAfter(1)).toBe(false);
  await sweepAfter(times.keepRefsMs - times.keepDecidedMs - 1);
  expect(repository.refs()).not.toEqual(["refs/heads/main"]);
  await sweepAfter(2);
  expect(repository.refs()).toEqual(["refs/heads/main"]);
}, 60_000);

type Hold = (core: TestCore, agent: Agent) => Promise<() => Promise<unknown>>;

/** Each takes hold of the directory and returns how it is let go. */
const HOLDS: readonly (readonly [string, Hold])[] = [
  [
    "a comment that was not sent",
    async (core, { id }) => {
      const at = { path: "new.txt", side: "new", line: 1, endLine: null } as const;
      const comment = await addComment(core, OPERATOR, { id, version: 1, ...at, body: "?" });
      return () => deleteComment(core, OPERATOR, comment.id);
    },
  ],
  [
    "a merge that people have not decided",
    async (core, { id }) => {
      const merge = await requestMerge(core, OPERATOR, { id, version: 1 });
      return () => cancelMerge(core, OPERATOR, merge.id);
    },
  ],
];

test.each(HOLDS)(
  "%s keeps the directory",
  async (_, hold) => {
    const { core, agent, sweepAfter, times } = await aChange();
    const letGo = await hold(core, agent);

    expect(await sweepAfter(10 * times.keepOpenMs)).toBe(true);
    await letGo();
    expect(await sweepAfter(1)).toBe(false);
  },
  60_000,
);
