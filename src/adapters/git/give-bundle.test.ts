import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  aRepository,
  git,
  hashOfUser,
  objectsOf,
  type TestRepository,
} from "../../../test/kit/repository.ts";
import { createFetchedRepositories } from "./fetched-repositories.ts";

const KEY = "0123456789abcdef";
const ABSENT = "d".repeat(40);
const LIMIT = 500;

/** A repository with a remote, and what a worker has fetched of it. */
async function aWorkerDisk() {
  const repository = aRepository();
  const remote = join(repository.dir, "remote.git");
  git(repository.dir, "clone", "-q", "--bare", repository.root, remote);
  const directory = join(repository.dir, "worker");
  const fetched = createFetchedRepositories({ directory, environment: { ...process.env } });
  await expect(fetched.fetch(KEY, remote, ABSENT)).rejects.toMatchObject({ reason: null });
  return { repository, remote, fetched };
}

/** The bundle in small pieces; undefined: the repository gives none. */
async function bundleOf(
  { git: adapter, common }: TestRepository,
  commit: string,
  has: readonly string[],
): Promise<Buffer | undefined> {
  const pieces: Uint8Array[] = [];
  const isGiven = await adapter.giveBundle(common, { commit, has }, async (given) => {
    for (let offset = 0; offset < given.bytes; offset += pieces.at(-1)?.length ?? 0) {
      pieces.push(await given.read(offset, 100));
    }
  });
  return isGiven ? Buffer.concat(pieces) : undefined;
}

test("a commit that the remote has not got reaches the worker as a bundle, which needs no remote", async () => {
  const { repository, remote, fetched } = await aWorkerDisk();
  const { root, dir } = repository;
  repository.commit({ "b.txt": "second\n" });
  const unpushed = repository.commit({ "b.txt": "third\n" });
  const has = await fetched.listFetched(KEY, LIMIT);
  expect(has).toEqual([repository.head]);
  const bundle = await bundleOf(repository, unpushed, has);
  const file = join(dir, "base.bundle");
  writeFileSync(file, bundle ?? "");
  await fetched.take(KEY, unpushed, file);

  rmSync(remote, { recursive: true });
  await expect(fetched.fetch(KEY, remote, unpushed)).resolves.toBeUndefined();
  expect(git(fetched.directoryOf(KEY), "show", `${unpushed}:b.txt`)).toBe("third");
  // It is among what the next bundle need not have.
  expect(await fetched.listFetched(KEY, LIMIT)).toEqual([unpushed, repository.head]);
  expect(git(root, "rev-list", "--count", `${repository.head}..${unpushed}`)).toBe("2");
});

test("giving a bundle changes nothing in the repository and leaves no file", async () => {
  const { repository, fetched } = await aWorkerDisk();
  const unpushed = repository.commit({ "b.txt": "second\n" });
  const look = () => [hashOfUser(repository), repository.refs(), objectsOf(repository.root)];
  const before = look();
  const has = await fetched.listFetched(KEY, LIMIT);
  await expect(bundleOf(repository, unpushed, has)).resolves.toBeInstanceOf(Buffer);
  const failure = new Error("The connection has ended.");
  const give = () => Promise.reject(failure);
  const giving = repository.git.giveBundle(repository.common, { commit: unpushed, has }, give);
  await expect(giving).rejects.toBe(failure);
  expect(look()).toEqual(before);
  const [own = ""] = readdirSync(repository.adapterDirectory);
  expect(readdirSync(join(repository.adapterDirectory, own, "tmp"))).toEqual([]);
});

test("a worker without any of the history gets nothing", async () => {
  const { repository } = await aWorkerDisk();
  const { root, head } = repository;
  git(root, "checkout", "-q", "--orphan", "other");
  const unrelated = repository.commit({ "b.txt": "other\n" });
  expect(await bundleOf(repository, unrelated, [])).toBeUndefined();
  expect(await bundleOf(repository, unrelated, [ABSENT])).toBeUndefined();
  expect(await bundleOf(repository, unrelated, [head])).toBeUndefined();
});

test("a bundle that was cut off on its way is refused, and the next one is taken", async () => {
  const { repository, remote, fetched } = await aWorkerDisk();
  const unpushed = repository.commit({ "b.txt": "second\n" });
  const bundle = await bundleOf(repository, unpushed, await fetched.listFetched(KEY, LIMIT));
  const file = join(repository.dir, "base.bundle");
  writeFileSync(file, bundle?.subarray(0, -30) ?? "");
  await expect(fetched.take(KEY, unpushed, file)).rejects.toMatchObject({
    code: "REPOSITORY_UNUSABLE",
  });
  await expect(fetched.fetch(KEY, remote, unpushed)).rejects.toMatchObject({ reason: null });
  writeFileSync(file, bundle ?? "");
  await fetched.take(KEY, unpushed, file);
  await fetched.fetch(KEY, remote, unpushed);
  expect(existsSync(fetched.directoryOf(KEY))).toBe(true);
});
