import { join } from "node:path";
import { expect, test } from "vitest";
import {
  aCapture,
  aRepository,
  git,
  hashOfUser,
  type TestRepository,
  write,
} from "../../../test/kit/repository.ts";
import type { MergeMode, MergeSpec } from "../../app/ports/git.ts";

const LINES = Array.from({ length: 20 }, (_, n) => `line ${n}`);
const text = (change: Readonly<Record<number, string>>): string =>
  `${LINES.map((line, n) => change[n] ?? line).join("\n")}\n`;
const FILES = { "a.txt": text({}), "b.txt": "b\n" };

/** Captures a worktree of an agent that has written these files. */
async function aChange(
  repository: TestRepository,
  id: string,
  files: Readonly<Record<string, string>>,
  base = repository.head,
): Promise<string> {
  const spec = await repository.added(id, { base });
  write(spec.path, files);
  return (await repository.git.capture(repository.common, aCapture(spec))).commit;
}

function aMerge(
  { head }: TestRepository,
  change: string,
  mode: MergeMode,
  more: Partial<MergeSpec> = {},
): MergeSpec {
  const author = { name: "impl-code", email: "impl-code@kuromajutsu.invalid" };
  return {
    onto: head,
    change,
    base: head,
    mode,
    message: "Merge it\n",
    author,
    at: 1_000,
    ...more,
  };
}

test("previews of many pairs are clean or name their conflicts", async () => {
  const repository = aRepository(FILES);
  const { git: adapter, common } = repository;
  const top = await aChange(repository, "w1", { "a.txt": text({ 0: "top" }) });
  const end = await aChange(repository, "w2", { "a.txt": text({ 19: "end" }), "日\t本": "x\n" });
  const rival = await aChange(repository, "w3", { "a.txt": text({ 0: "rival" }), "日\t本": "y\n" });
  const deleting = await repository.added("w4");
  git(deleting.path, "rm", "-q", "a.txt");
  const gone = (await adapter.capture(common, aCapture(deleting))).commit;

  const previews = await adapter.previewMerges(common, [
    { ours: top, theirs: end },
    { ours: top, theirs: rival },
    { ours: end, theirs: top },
    { ours: gone, theirs: top },
    { ours: end, theirs: rival },
  ]);

  expect(previews).toEqual([
    { clean: true, tree: expect.any(String) },
    { clean: false, conflicts: [{ path: "a.txt", type: "contents" }] },
    { clean: true, tree: expect.any(String) },
    { clean: false, conflicts: [{ path: "a.txt", type: "modify/delete" }] },
    {
      clean: false,
      conflicts: expect.arrayContaining([{ path: "日\t本", type: expect.any(String) }]),
    },
  ]);
  expect(await adapter.previewMerges(common, [])).toEqual([]);
});

test("a missing commit is an error and never a conflict", async () => {
  const repository = aRepository();
  const { git: adapter, common, head } = repository;
  const tree = git(repository.root, "rev-parse", "HEAD^{tree}");

  for (const theirs of ["0".repeat(39) + "1", tree]) {
    await expect(adapter.previewMerges(common, [{ ours: head, theirs }])).rejects.toMatchObject({
      code: "REPOSITORY_UNUSABLE",
      message: expect.stringContaining(theirs),
    });
  }
  await expect(adapter.previewMerges(common, [{ ours: head, theirs: "main" }])).rejects.toThrow(
    "is not the id",
  );
});

test.each(["squash", "merge", "rebase"] as const)(
  "%s builds the result without touching a checkout",
  async (mode) => {
    const repository = aRepository(FILES);
    const { git: adapter, common, root } = repository;
    const change = await aChange(repository, "w1", { "a.txt": text({ 0: "top" }) });
    const onto = repository.commit({ "a.txt": text({ 19: "end" }) });
    write(root, { "b.txt": "dirty\n" });
    const before = hashOfUser(repository);

    const built = await adapter.buildMerge(common, aMerge(repository, change, mode, { onto }));

    expect(hashOfUser(repository)).toBe(before);
    if (!built.built) throw new Error("It conflicts.");
    expect(git(root, "show", `${built.commit}:a.txt`)).toBe(
      text({ 0: "top", 19: "end" }).trimEnd(),
    );
    expect(git(root, "show", `${built.commit}:b.txt`)).toBe("b");
    const parents = git(root, "log", "-1", "--format=%P|%s|%an|%cn", built.commit);
    expect(parents).toBe(
      {
        squash: `${onto}|Merge it|impl-code|Kuromajutsu`,
        merge: `${onto} ${change}|Merge it|impl-code|Kuromajutsu`,
        rebase: `${onto}|Change the greeting|impl-code (rehearsal)|Kuromajutsu`,
      }[mode],
    );
    expect(await adapter.buildMerge(common, aMerge(repository, change, mode, { onto }))).toEqual(
      built,
    );
  },
);

test.each(["squash", "merge", "rebase"] as const)(
  "%s reports conflicts and builds nothing",
  async (mode) => {
    const repository = aRepository(FILES);
    const change = await aChange(repository, "w1", { "a.txt": text({ 0: "top" }) });
    const onto = repository.commit({ "a.txt": text({ 0: "rival" }) });

    const merge = aMerge(repository, change, mode, { onto });
    expect(await repository.git.buildMerge(repository.common, merge)).toEqual({
      built: false,
      conflicts: [{ path: "a.txt", type: "contents" }],
    });
  },
);

test("rebase keeps every commit of the agent with its author and message", async () => {
  const repository = aRepository(FILES);
  const { git: adapter, common, root } = repository;
  const spec = await repository.added("w1");
  write(spec.path, { "a.txt": text({ 0: "top" }) });
  git(spec.path, "commit", "-qam", "first step\n\nwith a body");
  write(spec.path, { "b.txt": "second\n" });
  const change = (await adapter.capture(common, aCapture(spec))).commit;
  const onto = repository.commit({ "c.txt": "c\n" });

  const built = await adapter.buildMerge(common, aMerge(repository, change, "rebase", { onto }));

  if (!built.built) throw new Error("It conflicts.");
  expect(git(root, "log", "--format=%an: %s", `${onto}..${built.commit}`)).toBe(
    "impl-code (rehearsal): Change the greeting\nHana: first step",
  );
  expect(git(root, "log", "-1", "--format=%b", `${built.commit}^`)).toBe("with a body");
});

test.each(["squash", "merge", "rebase"] as const)(
  "%s of a change that began from uncommitted work does not merge that work",
  async (mode) => {
    const repository = aRepository(FILES);
    const { git: adapter, common, root, head } = repository;
    write(root, { "a.txt": text({ 19: "uncommitted" }), "private.txt": "mine\n" });
    const base = await adapter.snapshot(root, "refs/kuromajutsu/base/w1", 1_000);
    const change = await aChange(
      repository,
      "w1",
      { "a.txt": text({ 0: "top", 19: "uncommitted" }) },
      base,
    );

    const built = await adapter.buildMerge(common, aMerge(repository, change, mode, { base }));

    if (!built.built) throw new Error("It conflicts.");
    expect(git(root, "show", `${built.commit}:a.txt`)).toBe(text({ 0: "top" }).trimEnd());
    expect(git(root, "ls-tree", "--name-only", built.commit)).toBe("a.txt\nb.txt");
    expect(git(root, "rev-list", built.commit).split("\n")).not.toContain(base);
    expect(await adapter.isAncestor(common, head, built.commit)).toBe(true);
  },
);

test("a change that is merged already adds no commit", async () => {
  const repository = aRepository(FILES);
  const { git: adapter, common, root } = repository;
  const change = await aChange(repository, "w1", { "a.txt": text({ 0: "top" }) });
  git(root, "merge", "-q", change);
  const onto = git(root, "rev-parse", "HEAD");

  for (const mode of ["squash", "merge", "rebase"] as const) {
    const built = await adapter.buildMerge(common, aMerge(repository, change, mode, { onto }));
    expect(built).toMatchObject({ built: true, commit: onto });
  }
});

test("patches and files have limits, and renames name both paths", async () => {
  const repository = aRepository(FILES);
  const { git: adapter, common, head } = repository;
  const spec = await repository.added("w1");
  git(spec.path, "mv", "a.txt", "moved 名.txt");
  write(spec.path, { "moved 名.txt": text({ 3: "edited" }), "x.bin": "\0\x01" });
  const { commit } = await adapter.capture(common, aCapture(spec));

  const changes = await adapter.listChanges(common, head, commit);

  expect(changes).toMatchObject([
    { path: "moved 名.txt", from: "a.txt", status: "renamed", added: 1, removed: 1 },
    { path: "x.bin", status: "added", isBinary: true, added: null, removed: null },
  ]);
  const moved = { path: "moved 名.txt", from: "a.txt" };
  const patch = await adapter.filePatch(common, head, commit, moved, 10_000);
  expect(patch).toContain("rename from a.txt\nrename to moved 名.txt\n");
  expect(patch).toContain("-line 3\n+edited\n");
  expect(await adapter.filePatch(common, head, commit, moved, 100)).toBeNull();
  expect(await adapter.readFile(common, commit, "moved 名.txt", 10)).toBeNull();
  expect(await adapter.readFile(common, commit, "missing.txt", 10)).toBeUndefined();
  expect(
    await adapter.readFile(common, commit, join("..", "x"), 10).catch(() => undefined),
  ).toBeUndefined();
});
