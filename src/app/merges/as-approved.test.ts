import { expect, test } from "vitest";
import { aMergeCore, type MergeCore } from "../../../test/kit/merges.ts";
import { aRepository, git } from "../../../test/kit/repository.ts";
import { mergeProblemText } from "../../domain/merges/merge-problem.ts";
import { mergeRef } from "../../domain/merges/merge.ts";

const LINES = Array.from({ length: 30 }, (_, n) => `line ${n}\n`).join("");
const EDITED = LINES.replace("line 5\n", "LINE 5\n");

/** A person works on main and leaves it again. */
function asPerson({ repository: { root } }: MergeCore, ...commands: readonly string[][]): string {
  git(root, "checkout", "-q", "main");
  for (const command of commands) git(root, ...command);
  git(root, "commit", "-qam", "by a person");
  git(root, "checkout", "-q", "--detach");
  return git(root, "rev-parse", "main");
}

async function aLongCore(workspace = {}): Promise<MergeCore> {
  const repository = aRepository({ "a.txt": LINES, "b.txt": "b\n" });
  git(repository.root, "checkout", "-q", "--detach");
  return aMergeCore({ repository, closed: true, workspace });
}

test("a change does not land in a file that people have not seen, and lands after a new approval", async () => {
  const it = await aLongCore();
  const change = await it.change("aa-01", { "a.txt": EDITED });
  const { id } = await it.approved(change);
  const tip = asPerson(it, ["mv", "a.txt", "renamed.txt"]);

  it.queue.open();
  await it.settle();

  const ended = await it.merge(id);
  expect(ended).toMatchObject({
    status: "cancelled",
    problem: { type: "not_as_approved", target: "main" },
    endedAt: it.core.clock.now(),
  });
  expect(ended.problem && mergeProblemText(ended.problem, "en")).toContain("ask to merge it again");
  expect(it.tip()).toBe(tip);
  expect(await it.core.store.getWorkspace(change.id)).toMatchObject({ outcome: "open" });

  const again = await it.approved(change);
  const approval = await it.core.store.getApproval(again.approvalId ?? "");
  expect(approval?.shown).toMatchObject({ files: [{ path: "renamed.txt" }], targetCommit: tip });
  await it.settle();
  expect((await it.merge(again.id)).status).toBe("landed");
  expect(git(it.repository.root, "show", "main:renamed.txt")).toContain("LINE 5");
});

test("a branch that has a part of the change already keeps the approval", async () => {
  const it = await aLongCore();
  const change = await it.change("aa-01", { "b.txt": "B\n", "new.txt": "1\n2\n" });
  const { id } = await it.approved(change);
  git(it.repository.root, "checkout", "-q", "main");
  it.repository.commit({ "b.txt": "B\n", "c.txt": "by a person\n" });
  git(it.repository.root, "checkout", "-q", "--detach");

  it.queue.open();
  await it.settle();

  expect((await it.merge(id)).status).toBe("landed");
  expect(git(it.repository.root, "show", "main:new.txt")).toBe("1\n2");
});

test.each([
  ["lands", "true", "cancelled"],
  ["fails its check", "test ! -e renamed.txt", "landed"],
])(
  "a merge that another one would send elsewhere waits, and that one %s",
  async (_, check, status) => {
    const it = await aLongCore({ check });
    const renaming = await it.approved(
      await it.change("aa-01", { "a.txt": null, "renamed.txt": LINES }),
    );
    const editing = await it.approved(await it.change("aa-02", { "a.txt": EDITED }));

    it.queue.open();
    await it.settle();

    const expected = check === "true" ? "landed" : "check_failed";
    expect((await it.merge(renaming.id)).status).toBe(expected);
    expect((await it.merge(editing.id)).status).toBe(status);
  },
);

test("a merge that waited for a checkout is not kept when it is not as approved any more", async () => {
  const it = await aMergeCore({ repository: aRepository({ "a.txt": LINES }) });
  const { root } = it.repository;
  const { id } = await it.approved(await it.change("aa-01", { "a.txt": EDITED }));
  await it.settle();
  expect(it.repository.refs()).toContain(mergeRef(id));

  git(root, "mv", "a.txt", "renamed.txt");
  git(root, "commit", "-qam", "by a person");
  await it.settle();

  expect((await it.merge(id)).status).toBe("cancelled");
  expect(it.repository.refs()).not.toContain(mergeRef(id));
});
