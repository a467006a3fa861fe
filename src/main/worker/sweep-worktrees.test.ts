import { expect, test, vi } from "vitest";
import { sweepWorktrees } from "./sweep-worktrees.ts";
import type { WorktreePlace } from "./worktree-place.ts";

const LOG = { debug() {}, info() {}, warn: vi.fn<(message: string) => void>(), error() {} };

function aDisk(...ids: readonly string[]) {
  const places = ids.map((id) => ({ id, key: "0123456789abcdef", path: `/w/${id}` }));
  const removed: string[] = [];
  return {
    removed,
    list: async () => places,
    async remove({ id }: WorktreePlace, confirm: () => Promise<void>) {
      await confirm();
      if (id === "wsp-bad") throw new Error("busy");
      removed.push(id);
    },
  };
}

test("a worker asks once more right before it deletes a worktree", async () => {
  const disk = aDisk("wsp-1", "wsp-2", "wsp-bad", "wsp-3");
  const asked: (readonly string[])[] = [];
  const sweeping = sweepWorktrees(disk, LOG, async (ids) => {
    asked.push(ids);
    // The work in wsp-2 begins again after the first question.
    return ids.length > 1 ? ["wsp-2", "wsp-bad", "wsp-3"] : ids.filter((id) => id !== "wsp-2");
  });
  sweeping.soon();
  await vi.waitFor(() => expect(disk.removed).toEqual(["wsp-3"]));
  sweeping.stop();
  expect(asked).toEqual([
    ["wsp-1", "wsp-2", "wsp-bad", "wsp-3"],
    ["wsp-2"],
    ["wsp-bad"],
    ["wsp-3"],
  ]);
  expect(LOG.warn).toHaveBeenCalledOnce();
});
