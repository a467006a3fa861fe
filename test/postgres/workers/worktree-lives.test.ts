import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { statusOf, waitForAll } from "../../kit/agents.ts";
import { until } from "../../kit/daemon.ts";
import { aMigratedUrl } from "../../kit/postgres/daemon-place.ts";
import { aGitGate } from "../../kit/postgres/git-gate.ts";
import {
  agentRows,
  aServer,
  isAlive,
  LEASE_MS,
  rowsOf,
  SETTINGS,
} from "../../kit/postgres/servers.ts";
import { aWorker, aWorkerPlace, startWorker } from "../../kit/postgres/workers.ts";
import { aSharedRepository, runIsolated, workspaceRows } from "../../kit/postgres/worktrees.ts";
import { processesWith } from "../../kit/processes.ts";
import { git } from "../../kit/repository.ts";
import { HAS_ALL_ROUNDS, withMore } from "../../kit/rounds.ts";
import { fill, mountSmall } from "../../kit/small-disk.ts";

const ONLY_WORKERS = { ...SETTINGS, server: { slots: 0 } };
const BUILD = { name: "build-1" };
const HANG = { prompt: "#rehearsal write half.txt done\n#rehearsal hang" };
/** A busy machine may need seconds to start a worker again. */
const LONG_LEASE_MS = 20_000;
/** The lease, the beat that finds its end, and a busy machine. */
const TAKEN_OVER_MS = 4 * LEASE_MS + 10_000;

async function aFleetOfOne(leaseMs = LEASE_MS) {
  const url = await aMigratedUrl();
  const repository = aSharedRepository();
  const server = await aServer(url, { ...ONLY_WORKERS, store: { lease_ms: leaseMs } });
  return { url, repository, server };
}

const ended = async (url: string): Promise<boolean> =>
  (await agentRows(url)).every(({ process }) => process === "ended");

async function settledOnce(url: string): Promise<void> {
  const ends = await rowsOf(url, "select agent_id from events where type = 'agent:completed'");
  expect(ends).toHaveLength((await agentRows(url)).length);
  expect(await rowsOf(url, "select agent_id from pending_ends")).toEqual([]);
}

test("a worker that is killed while its agent works loses it; its files are captured when it is back", async () => {
  const { url, repository, server } = await aFleetOfOne();
  const worker = await aWorker(server, { ...BUILD, slots: 1 });
  const [agentId = ""] = await runIsolated(server, repository, HANG);
  const branch = `${(await workspaceRows(url))[0]?.branch}`;
  await until(async () => {
    const path = (await workspaceRows(url))[0]?.path ?? "";
    return isAlive(agentId) && git(path, "status", "--porcelain").includes("half.txt");
  });

  await worker.kill("SIGKILL");
  await until(() => ended(url), undefined, TAKEN_OVER_MS);
  expect(await agentRows(url)).toMatchObject([{ status: "lost", attempt: 1 }]);
  const [row] = await workspaceRows(url);
  expect(row).toMatchObject({ status: "damaged", worker_id: worker.id, version: 0 });
  const { result } = await statusOf(server.main, agentId);
  const said = JSON.stringify(result);
  expect(said).toContain("The worktree is on the worker build-1, which is gone, in ");
  expect(said).toContain(row?.path);
  expect(git(repository.root, "rev-parse", branch)).toBe(repository.head);

  await startWorker(server, worker.place, worker.id, { ...BUILD, slots: 1 });
  await until(async () => (await workspaceRows(url))[0]?.status === "captured");
  expect(isAlive(agentId)).toBe(false);
  expect(git(repository.root, "show", `${branch}:half.txt`)).toBe("done");
  expect(await workspaceRows(url)).toMatchObject([{ version: 1, attention: "[]" }]);
  await settledOnce(url);
  // Its slot is free.
  const next = await runIsolated(server, repository, { prompt: "#rehearsal write next.txt 1" });
  expect(await waitForAll(server.main, next)).toMatchObject({ pending: [] });
});

test("a worker that is killed and started again within its lease keeps its agent and its worktree", async () => {
  const { url, repository, server } = await aFleetOfOne(LONG_LEASE_MS);
  const worker = await aWorker(server, BUILD);
  const gate = join(worker.place.dir, "gate");
  const agentIds = await runIsolated(server, repository, {
    prompt: `#rehearsal write one.txt 1\n#rehearsal wait-for ${gate}\n#rehearsal write two.txt 2`,
  });
  await until(() => isAlive(agentIds[0] ?? ""));

  await worker.kill("SIGKILL");
  await startWorker(server, worker.place, worker.id, BUILD);
  writeFileSync(gate, "");

  expect(await waitForAll(server.main, agentIds)).toMatchObject({ pending: [] });
  expect(await agentRows(url)).toMatchObject([{ status: "resultReported", attempt: 1 }]);
  const [row] = await workspaceRows(url);
  expect(row).toMatchObject({ status: "captured", version: 1, attention: "[]" });
  expect(git(repository.root, "show", `${row?.branch}:two.txt`)).toBe("2");
  await settledOnce(url);
});

test.for(withMore(["within its lease"], ["after its lease"]))(
  "a worker that is killed while it captures, and is back %s, sends the change once",
  async (when) => {
    const isLost = when === "after its lease";
    const { url, repository, server } = await aFleetOfOne(isLost ? LEASE_MS : LONG_LEASE_MS);
    const { id, place } = await aWorkerPlace(server, BUILD.name);
    const gate = aGitGate(place, "bundle create");
    const worker = await startWorker(server, place, id, BUILD);
    await runIsolated(server, repository, { prompt: "#rehearsal write one.txt 1" });
    await gate.reached();
    const [before] = await workspaceRows(url);
    expect(await agentRows(url)).toMatchObject([{ process: "capturing" }]);

    await worker.kill("SIGKILL");
    if (isLost) await until(() => ended(url), undefined, TAKEN_OVER_MS);
    expect(await workspaceRows(url)).toMatchObject([
      { status: isLost ? "damaged" : "ready", version: 0 },
    ]);
    expect(git(repository.root, "rev-parse", before?.branch ?? "")).toBe(repository.head);
    gate.open();
    await startWorker(server, place, id, BUILD);

    await until(async () => (await workspaceRows(url))[0]?.status === "captured");
    await until(() => ended(url));
    expect(await agentRows(url)).toMatchObject([{ status: "resultReported", attempt: 1 }]);
    const [row] = await workspaceRows(url);
    expect(row).toMatchObject({ version: 1, attention: "[]" });
    expect(git(repository.root, "show", `${row?.branch}:one.txt`)).toBe("1");
    const commits = git(repository.root, "rev-list", "--count", `main..${row?.branch}`);
    expect(commits).toBe("1");
    await settledOnce(url);
  },
);

test.for(
  withMore(
    [["while it fetches", "fetch --quiet"]] as const,
    [["while it makes the worktree", "read-tree --reset"]] as const,
  ),
)("an agent whose worker is killed %s runs elsewhere", async ([, words]) => {
  const { url, repository, server } = await aFleetOfOne();
  const { id, place } = await aWorkerPlace(server, BUILD.name);
  const gate = aGitGate(place, words);
  const worker = await startWorker(server, place, id, BUILD);
  const agentIds = await runIsolated(server, repository, {
    prompt: "#rehearsal write one.txt 1",
  });
  await gate.reached();

  await worker.kill("SIGKILL");
  const other = await aServer(url, SETTINGS);
  expect(await waitForAll(server.main, agentIds)).toMatchObject({ pending: [] });

  expect(await agentRows(url)).toMatchObject([
    { status: "resultReported", worker_id: other.id, attempt: 1 },
  ]);
  const [row] = await workspaceRows(url);
  expect(row).toMatchObject({ status: "captured", worker_id: null, version: 1 });
  expect(git(repository.root, "show", `${row?.branch}:one.txt`)).toBe("1");
  // The worker is back, and leaves the worktree of the server alone.
  gate.open();
  await startWorker(server, place, id, BUILD);
  const next = await runIsolated(server, repository, { prompt: "#rehearsal write two.txt 2" });
  expect(await waitForAll(server.main, next)).toMatchObject({ pending: [] });
  await settledOnce(url);
});

test.runIf(HAS_ALL_ROUNDS)(
  "an agent whose worker dies after its setup has become a commit gets another worktree elsewhere",
  async () => {
    const url = await aMigratedUrl();
    const repository = aSharedRepository();
    const workspace = { setup: "echo $RANDOM$$ > lock.txt" };
    const server = await aServer(url, { ...ONLY_WORKERS, workspace });
    const { id, place } = await aWorkerPlace(server, BUILD.name);
    // The fingerprint is taken last, after the setup was captured.
    const gate = aGitGate(place, "config --local --includes -z --list");
    const worker = await startWorker(server, place, id, BUILD);
    const agentIds = await runIsolated(server, repository, {
      prompt: "#rehearsal write one.txt 1",
    });
    await gate.reached();
    const [before] = await workspaceRows(url);
    const prepared = git(repository.root, "rev-parse", before?.branch ?? "");
    expect(prepared).not.toBe(repository.head);

    await worker.kill("SIGKILL");
    const other = await aServer(url, { ...SETTINGS, workspace });
    expect(await waitForAll(server.main, agentIds)).toMatchObject({ pending: [] });

    expect(await agentRows(url)).toMatchObject([
      { status: "resultReported", worker_id: other.id, attempt: 1 },
    ]);
    const [row] = await workspaceRows(url);
    expect(row).toMatchObject({ status: "captured", worker_id: null, version: 1 });
    const tree = git(repository.root, "ls-tree", "--name-only", row?.branch ?? "").split("\n");
    expect(tree).toEqual(expect.arrayContaining(["lock.txt", "one.txt"]));
  },
);

test("an agent whose worker is killed during its setup runs again on the same worker", async () => {
  const url = await aMigratedUrl();
  const repository = aSharedRepository();
  const marker = join(repository.dir, "setup");
  const setup = `echo x >> ${marker}; test $(wc -l < ${marker}) -gt 1 || sleep 600`;
  const server = await aServer(url, { ...ONLY_WORKERS, workspace: { setup } });
  const worker = await aWorker(server, BUILD);
  const agentIds = await runIsolated(server, repository, {
    prompt: "#rehearsal write one.txt 1",
  });
  await until(() => existsSync(marker));
  const [before] = await workspaceRows(url);

  await worker.kill("SIGKILL");
  await startWorker(server, worker.place, worker.id, BUILD);
  expect(await waitForAll(server.main, agentIds)).toMatchObject({ pending: [] });
  expect(await workspaceRows(url)).toMatchObject([{ status: "captured", version: 1 }]);
  expect(processesWith(`KUROMAJUTSU_COMMAND_MARK=${before?.id}`)).toEqual([]);
  await settledOnce(url);
});

test("a worker whose disk is full hands the agent back with a sentence", async ({ skip }) => {
  const { url, repository, server } = await aFleetOfOne();
  const { id, place } = await aWorkerPlace(server, BUILD.name);
  const data = join(place.dir, "worker");
  if (!mountSmall(data)) skip("no permission to mount a small file system");
  const worker = await startWorker(server, place, id, BUILD);
  const filler = join(data, "filler");
  fill(filler);
  const agentIds = await runIsolated(server, repository, { prompt: "#rehearsal write one.txt 1" });
  const [agentId = ""] = agentIds;
  await until(async () => (await workspaceRows(url))[0]?.fetch_problem !== null);
  expect((await statusOf(server.main, agentId))["waitingFor"]).toMatch(
    /The worker build-1 cannot fetch the repository \(.*(full|space)/i,
  );

  writeFileSync(filler, "");
  const other = await aServer(url, SETTINGS);
  expect(await waitForAll(server.main, agentIds)).toMatchObject({ pending: [] });
  expect(await agentRows(url)).toMatchObject([{ status: "resultReported", worker_id: other.id }]);
  expect(worker.process.exitCode).toBe(null);
});
