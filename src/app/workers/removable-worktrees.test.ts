import { expect, test } from "vitest";
import { aWorkspace } from "../../../test/kit/builders.ts";
import { aCore } from "../../../test/kit/core.ts";
import type { Workspace } from "../../domain/workspaces/workspace.ts";
import { removableWorktrees } from "./removable-worktrees.ts";

test("a worker deletes worktrees that are cleaned up, moved or unknown, and keeps the others", async () => {
  const core = await aCore();
  const rows: readonly Partial<Workspace>[] = [
    { id: "wsp-01", workerId: "wrk-1", status: "captured" },
    { id: "wsp-02", workerId: "wrk-1", status: "damaged" },
    { id: "wsp-03", workerId: "wrk-1", status: "planned" },
    { id: "wsp-04", workerId: "wrk-1", status: "retired" },
    { id: "wsp-05", workerId: "wrk-2", status: "ready" },
    { id: "wsp-06", workerId: null, status: "ready" },
  ];
  await core.store.transaction(async (unit) => {
    for (const row of rows) await unit.insertWorkspace(aWorkspace(row));
  });
  const ids = [...rows.map(({ id }) => id ?? ""), "wsp-99"];

  expect(await removableWorktrees(core, "wrk-1", ids)).toEqual([
    "wsp-04",
    "wsp-05",
    "wsp-06",
    "wsp-99",
  ]);
});
