import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { statusOf, waitForAll } from "../../kit/agents.ts";
import { landChange, persist } from "../../kit/changes-api.ts";
import { until } from "../../kit/daemon.ts";
import { aMigratedUrl } from "../../kit/postgres/daemon-place.ts";
import { aHostileGit } from "../../kit/postgres/git-gate.ts";
import { agentRows, aServer, ask, SETTINGS } from "../../kit/postgres/servers.ts";
import { aWorker, aWorkerPlace, startWorker } from "../../kit/postgres/workers.ts";
import { aSharedRepository, runIsolated, workspaceRows } from "../../kit/postgres/worktrees.ts";
import { git } from "../../kit/repository.ts";

const ONLY_WORKERS = { ...SETTINGS, server: { slots: 0 } };

test("an agent with a worktree runs on a worker, and its change can be read and merged on the server", async () => {
  const url = await aMigratedUrl();
  const repository = aSharedRepository();
  const server = await aServer(url, ONLY_WORKERS);
  const worker = await aWorker(server, { name: "build-1" });
  const { main, place } = server;
  const agentIds = await runIsolated(server, repository, {
    prompt: "#rehearsal write from-worker.txt hello",
  });
  const [agentId = ""] = agentIds;
  expect(await waitForAll(main, agentIds)).toMatchObject({ pending: [] });

  expect(await agentRows(url)).toMatchObject([
    { status: "resultReported", worker_id: worker.id, attempt: 1 },
  ]);
  const [workspace] = await workspaceRows(url);
  expect(workspace).toMatchObject({ status: "captured", worker_id: worker.id, version: 1 });
  expect(workspace?.path.startsWith(join(worker.place.dir, "worker"))).toBe(true);
  expect(existsSync(join(workspace?.path ?? "", "from-worker.txt"))).toBe(true);
  expect(git(repository.root, "show", `${workspace?.branch}:from-worker.txt`)).toContain("hello");
  // Nothing reaches the remote before people have approved it.
  expect(git(repository.remote, "for-each-ref", "--format=%(refname)")).toBe("refs/heads/main");
  const change = await ask(server, "GET", `/api/changes/${agentId}`);
  expect(change.body).toMatchObject({ files: [{ path: "from-worker.txt", status: "added" }] });

  git(repository.root, "branch", "release");
  await persist(() => landChange(place, agentId, "release"), 60_000);
  expect(git(repository.root, "show", "release:from-worker.txt")).toContain("hello");
  expect(place.log()).not.toContain("ERROR");
});

test("workspace.setup runs on the worker, and what it changes belongs to the base", async () => {
  const url = await aMigratedUrl();
  const repository = aSharedRepository();
  const setup =
    "echo locked > lock.txt; echo port $PORT; pwd > .git-place; echo .git-place >> .gitignore";
  const server = await aServer(url, { ...ONLY_WORKERS, workspace: { setup, copy: [".env"] } });
  const worker = await aWorker(server, { name: "build-1" });
  const agentIds = await runIsolated(
    server,
    repository,
    { prompt: "#rehearsal write one.txt 1" },
    { prompt: "#rehearsal write two.txt 2" },
  );
  expect(await waitForAll(server.main, agentIds)).toMatchObject({ pending: [] });

  const rows = await workspaceRows(url);
  expect(rows.map((row) => [row.status, row.worker_id, row.version])).toEqual([
    ["captured", worker.id, 1],
    ["captured", worker.id, 1],
  ]);
  for (const [index, path] of ["one.txt", "two.txt"].entries()) {
    const change = await ask(server, "GET", `/api/changes/${agentIds[index]}`);
    expect(change.body).toMatchObject({ files: [{ path }], workspace: { attention: [] } });
    expect(git(repository.root, "show", `${rows[index]?.branch}:lock.txt`)).toBe("locked");
  }
});

test("a setup that fails on the worker fails the agent with its output", async () => {
  const url = await aMigratedUrl();
  const repository = aSharedRepository();
  const workspace = { setup: "echo no such package; exit 3" };
  const server = await aServer(url, { ...ONLY_WORKERS, workspace });
  await aWorker(server, { name: "build-1" });
  const [agentId = ""] = await runIsolated(server, repository, { prompt: "#rehearsal sleep 10" });
  await until(async () => (await statusOf(server.main, agentId)).status === "failed");
  expect((await statusOf(server.main, agentId)).result?.errorMessage).toMatch(
    /workspace.setup ended with 3: no such package/,
  );
});

test("a worker whose bundle is not what the agent made changes nothing in the repository", async () => {
  const url = await aMigratedUrl();
  const repository = aSharedRepository();
  const server = await aServer(url, ONLY_WORKERS);
  const { id, place } = await aWorkerPlace(server, "build-1");
  aHostileGit(place);
  await startWorker(server, place, id, { name: "build-1" });
  const agentIds = await runIsolated(server, repository, { prompt: "#rehearsal write a.md x" });
  const before = git(repository.root, "rev-parse", "main");
  expect(await waitForAll(server.main, agentIds)).toMatchObject({ pending: [] });

  const [row] = await workspaceRows(url);
  expect(row).toMatchObject({ status: "damaged", version: 0 });
  expect(row?.attention).toContain("were refused: it names other branches or commits");
  expect(git(repository.root, "rev-parse", "main")).toBe(before);
  expect(git(repository.root, "rev-parse", row?.branch ?? "")).toBe(before);
});

test("a change that is sent back goes on in its worktree on the worker, and on a server without it", async () => {
  const url = await aMigratedUrl();
  const repository = aSharedRepository();
  const server = await aServer(url, ONLY_WORKERS);
  const worker = await aWorker(server, { name: "build-1" });
  const [first = ""] = await runIsolated(server, repository, {
    prompt: "#rehearsal write one.txt 1",
  });
  await waitForAll(server.main, [first]);
  const again = async (id: string, version: number, message: string): Promise<string> => {
    const json = { version, message };
    const { status, body } = await ask(server, "POST", `/api/changes/${id}/send-back`, { json });
    expect([status, body]).toEqual([
      status,
      expect.objectContaining({ agentId: expect.any(String) }),
    ]);
    return String(body["agentId"]);
  };

  const second = await again(first, 1, "#rehearsal write two.txt 2");
  await waitForAll(server.main, [second]);
  expect(await workspaceRows(url)).toMatchObject([{ version: 2, worker_id: worker.id }]);

  await worker.kill("SIGTERM");
  const other = await aServer(url, SETTINGS);
  const third = await again(second, 2, "#rehearsal write three.txt 3");
  await waitForAll(server.main, [third]);
  const [row] = await workspaceRows(url);
  expect(row).toMatchObject({ version: 3, worker_id: null, status: "captured" });
  expect(row?.path.startsWith(other.place.dataDir)).toBe(true);
  expect((await agentRows(url)).map(({ worker_id }) => worker_id)).toEqual([
    worker.id,
    worker.id,
    other.id,
  ]);
  const tree = git(repository.root, "ls-tree", "--name-only", row?.branch ?? "");
  expect(tree.split("\n")).toEqual(expect.arrayContaining(["one.txt", "two.txt", "three.txt"]));
});

test("a worktree that was cleaned up is deleted on the worker, and what it held is kept there", async () => {
  const url = await aMigratedUrl();
  const repository = aSharedRepository();
  const server = await aServer(url, ONLY_WORKERS);
  const worker = await aWorker(server, { name: "build-1" });
  const agentIds = await runIsolated(server, repository, { prompt: "#rehearsal write one.txt 1" });
  await waitForAll(server.main, agentIds);
  const [row] = await workspaceRows(url);
  const { status } = await ask(server, "POST", `/api/workspaces/${row?.id}/retire`);
  expect(status).toBe(202);
  expect(await workspaceRows(url)).toMatchObject([{ status: "retired" }]);
  await until(() => !existsSync(row?.path ?? ""));
  const key = basename(dirname(row?.path ?? ""));
  const kept = join(worker.place.dir, "worker", "repositories", `${key}.git`);
  expect(git(kept, "show", `refs/kuromajutsu/saved/${row?.id}:one.txt`)).toBe("1");
  expect(git(repository.root, "show", `${row?.branch}:one.txt`)).toBe("1");
});
