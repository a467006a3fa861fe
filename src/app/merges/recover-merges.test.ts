import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { dyingAtCommit } from "../../../test/kit/core.ts";
import { MOMENTS } from "../../../test/kit/merge-moments.ts";
import { aFreeRepository, aMergeCore, OPERATOR, type MergeCore } from "../../../test/kit/merges.ts";
import { aRepository, git, type TestRepository } from "../../../test/kit/repository.ts";
import { rounds } from "../../../test/kit/rounds.ts";
import { aTempDir } from "../../../test/kit/tmp-dir.ts";
import { openStore } from "../../adapters/store/open-store.ts";
import { decideApproval } from "../approvals/decide-approval.ts";
import type { Store } from "../ports/store.ts";
import { requestMerge } from "./request-merge.ts";

const CHILD = fileURLToPath(new URL("../../../test/kit/merge-child.ts", import.meta.url));

/** Runs a queue in a process of its own until it kills itself. */
async function runChild(
  dataDir: string,
  repository: TestRepository,
  check: string,
  moment: string,
): Promise<NodeJS.Signals | null> {
  const root = join(repository.dir, "data", "work");
  const args = [CHILD, dataDir, repository.adapterDirectory, root, check, moment];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "inherit", "inherit"] });
  const [, signal] = await once(child, "exit");
  return signal;
}

async function opened(dataDir: string): Promise<Store> {
  const store = await openStore({ dataDir });
  onTestFinished(() => store.close());
  return store;
}

test.each(MOMENTS)(
  "a daemon that is killed %s: after a restart each merge has landed once",
  { timeout: 60_000 },
  async (moment) => {
    const isInCheckout = moment.includes("Checkout");
    const repository = isInCheckout ? aRepository() : aFreeRepository();
    const dataDir = aTempDir();
    const store = await openStore({ dataDir });
    const before = await aMergeCore({ store, repository, closed: true });
    const ids: string[] = [];
    for (const name of ["aa-01", "aa-02"]) {
      const change = await before.change(name, { [`${name}.txt`]: name });
      ids.push((await before.approved(change, { intoCheckout: isInCheckout })).id);
    }
    await store.close();

    expect(await runChild(dataDir, repository, "true", moment)).toBe("SIGKILL");
    const tip = git(repository.root, "rev-parse", "main");
    const after = await aMergeCore({
      store: await opened(dataDir),
      repository,
      workspace: { check: "true" },
    });
    await after.settle();

    const [first, second] = await Promise.all(ids.map((id) => after.merge(id)));
    expect([first?.status, second?.status]).toEqual(["landed", "landed"]);
    expect([first?.from, first?.result]).toEqual([repository.head, second?.from]);
    expect(second?.result).toBe(after.tip());
    expect(git(repository.root, "rev-list", "--count", `${repository.head}..main`)).toBe("2");
    // What was checked before the kill is not checked again, and what has landed stays.
    const wasChecked = /moveBranch|Checkout/.test(moment);
    expect(after.checked.length).toBe(wasChecked ? 0 : 1);
    const hasMoved = /after (?:moveBranch|fast)/.test(moment) && tip !== repository.head;
    expect(after.tip() === tip).toBe(hasMoved);
    expect(git(repository.root, "status", "--porcelain")).toBe("");
  },
);

const MERGES = rounds({ all: 16, few: 4 });

test.each(Array.from({ length: rounds({ all: 5, few: 1 }) }, (_, n) => n + 2))(
  `a daemon that is killed in check %s of ${MERGES} merges with two bad ones: the others land once`,
  { timeout: 300_000 },
  async (killedIn) => {
    const bad = [1, MERGES - 1];
    const repository = aFreeRepository();
    const dataDir = aTempDir();
    const store = await openStore({ dataDir });
    const before = await aMergeCore({ store, repository, closed: true });
    const ids: string[] = [];
    for (let n = 0; n < MERGES; n++) {
      const file = `${bad.includes(n) ? "bad" : "good"}-${n}.txt`;
      const change = await before.change(`aa-${String(n).padStart(2, "0")}`, { [file]: "x\n" });
      ids.push((await before.approved(change)).id);
    }
    await store.close();
    expect(await runChild(dataDir, repository, "check", `in check ${killedIn}`)).toBe("SIGKILL");
    expect(git(repository.root, "rev-parse", "main")).toBe(repository.head);

    const check = "! ls | grep -q bad";
    const after = await aMergeCore({
      store: await opened(dataDir),
      repository,
      workspace: { check },
    });
    await after.settle();

    const statuses = await Promise.all(ids.map(async (id) => (await after.merge(id)).status));
    expect(statuses).toEqual(ids.map((_, n) => (bad.includes(n) ? "check_failed" : "landed")));
    expect(after.checked.length).toBeLessThanOrEqual(11);
    const landed = git(repository.root, "rev-list", "--count", `${repository.head}..main`);
    expect(landed).toBe(String(MERGES - bad.length));
  },
);

test("a merge whose branch went elsewhere after the kill is built again", async () => {
  const repository = aFreeRepository();
  const dataDir = aTempDir();
  const store = await openStore({ dataDir });
  const before = await aMergeCore({ store, repository, closed: true });
  const { id } = await before.approved(await before.change("aa-01", { "a.txt": "ONE\n" }));
  await store.close();
  expect(await runChild(dataDir, repository, "", "before moveBranch")).toBe("SIGKILL");

  git(repository.root, "checkout", "-q", "main");
  const tip = repository.commit({ "b.txt": "by a person\n" });
  git(repository.root, "checkout", "-q", "--detach");
  const after = await aMergeCore({ store: await opened(dataDir), repository });
  await after.settle();

  expect(await after.merge(id)).toMatchObject({ status: "landed", from: tip });
});

test("an approval that is stored when the daemon dies is worked off after the restart", async () => {
  const it = await aMergeCore();
  const change = await it.change("aa-01", { "a.txt": "ONE\n" });
  const merge = await requestMerge(it.core, OPERATOR, { id: change.id, version: 1 });
  await it.queue.close();
  await decideApproval(dyingAtCommit(it.core), OPERATOR, {
    approvalId: merge.approvalId ?? "",
    version: 1,
    decision: "approve",
  });

  const after = await aMergeCore({ store: it.core.store, repository: it.repository });
  await after.settle();

  expect((await after.merge(merge.id)).status).toBe("landed");
});

test("processes of a check that a killed daemon left behind are ended first", async () => {
  const ended: string[] = [];
  const it: MergeCore = await aMergeCore({
    closed: true,
    workspace: { check: "true" },
    tools: {
      async endLeftovers(mark) {
        expect(it.commands).toEqual([]);
        ended.push(mark);
      },
    },
  });
  await it.approved(await it.change("aa-01", { "a.txt": "ONE\n" }));

  it.queue.open();
  await it.settle();

  expect(ended).toEqual([it.commands[0]?.mark]);
});

test("closing the queue ends a running check, and the next daemon lands the merge", async () => {
  const it = await aMergeCore({ workspace: { check: "echo started > ../started; sleep 60" } });
  const { id } = await it.approved(await it.change("aa-01", { "a.txt": "ONE\n" }));
  await expect.poll(() => it.commands.length, { timeout: 10_000 }).toBe(1);

  await it.queue.close();
  expect((await it.merge(id)).status).toBe("checking");

  const after = await aMergeCore({
    store: it.core.store,
    repository: it.repository,
    workspace: { check: "true" },
  });
  await after.settle();
  expect((await after.merge(id)).status).toBe("landed");
});
