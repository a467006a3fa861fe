import { randomBytes } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { statusOf, waitForAll } from "../../kit/agents.ts";
import { until } from "../../kit/daemon.ts";
import { aMigratedUrl } from "../../kit/postgres/daemon-place.ts";
import {
  agentRows,
  aServer,
  ask,
  SETTINGS,
  startAgain,
  type TestServer,
} from "../../kit/postgres/servers.ts";
import { aSlowLine } from "../../kit/postgres/slow-line.ts";
import { aWorker, aWorkerPlace, startWorker } from "../../kit/postgres/workers.ts";
import {
  aSharedRepository,
  runIsolated,
  type SharedRepository,
  workspaceRows,
} from "../../kit/postgres/worktrees.ts";
import { git, write } from "../../kit/repository.ts";
import { withMore } from "../../kit/rounds.ts";

const BUILD = { name: "build-1" };
const ONLY_WORKERS = { ...SETTINGS, server: { slots: 0 } };
const LONG_LEASE_MS = 20_000;
const FILE_BYTES = 4_000_000;

const staged = z.object({ agents: z.array(z.object({ agentId: z.string() })) });

/** Two stages; the second begins with the merged result of the first. */
async function runTwoStages(
  { main }: TestServer,
  { root }: SharedRepository,
): Promise<readonly string[]> {
  const { groupId } = await main.call("create_group", { description: "段階", mode: "sequential" });
  const task = (prompt: string) => ({
    role: "impl-code",
    isolation: "worktree",
    workingDirectory: root,
    prompt,
  });
  const answer = await main.call("run_sequential", {
    groupId,
    stages: [
      {
        tasks: [task("#rehearsal write first.txt 1"), task("#rehearsal write second.txt 2")],
      },
      { tasks: [task("#rehearsal write third.txt 3")] },
    ],
  });
  return staged.parse(answer).agents.map(({ agentId }) => agentId);
}

function filesOf({ root }: SharedRepository, branch = ""): readonly string[] {
  return git(root, "ls-tree", "--name-only", branch).split("\n");
}

test("work that is in no remote goes to workers: stages, changes of agents, uncommitted files", async () => {
  const url = await aMigratedUrl();
  const repository = aSharedRepository();
  const server = await aServer(url, ONLY_WORKERS);
  const workers = [
    await aWorker(server, { name: "build-1", slots: 1 }),
    await aWorker(server, { name: "build-2", slots: 1 }),
  ];

  const stages = await runTwoStages(server, repository);
  expect(await waitForAll(server.main, stages)).toMatchObject({ pending: [] });
  const third = (await workspaceRows(url))[2];
  expect(filesOf(repository, third?.branch)).toEqual(
    expect.arrayContaining(["first.txt", "second.txt", "third.txt"]),
  );
  const change = await ask(server, "GET", `/api/changes/${stages[2]}`);
  expect(change.body).toMatchObject({ workspace: { attention: [] } });

  repository.commit({ "unpushed.txt": "x\n" });
  write(repository.root, { "uncommitted.txt": "y\n" });
  const others = await runIsolated(
    server,
    repository,
    { prompt: "#rehearsal write a.txt 1" },
    { prompt: "#rehearsal write b.txt 1", base: "working-tree" },
    { prompt: "#rehearsal write c.txt 1", base: stages[2] ?? "" },
  );
  expect(await waitForAll(server.main, others)).toMatchObject({ pending: [] });
  const rows = await workspaceRows(url);
  const [a, b, c] = rows.slice(3).map(({ branch }) => filesOf(repository, branch));
  expect(a).toEqual(expect.arrayContaining(["a.txt", "unpushed.txt"]));
  expect(b).toEqual(expect.arrayContaining(["b.txt", "unpushed.txt", "uncommitted.txt"]));
  expect(c).toEqual(expect.arrayContaining(["c.txt", "third.txt"]));

  const ids = workers.map(({ id }) => id);
  for (const row of rows) {
    expect(row).toMatchObject({ status: "captured", version: 1, fetch_problem: null });
    expect(ids).toContain(row.worker_id);
  }
  for (const row of await agentRows(url)) {
    expect(row).toMatchObject({ status: "resultReported", attempt: 1 });
  }
  // Nothing reaches the remote, and nothing is left of what was sent.
  expect(git(repository.remote, "for-each-ref", "--format=%(refname)")).toBe("refs/heads/main");
  for (const { place } of workers) {
    const incoming = join(place.dir, "worker", "incoming");
    expect(existsSync(incoming) ? readdirSync(incoming) : []).toEqual([]);
  }
  expect(server.place.log()).not.toContain("cannot fetch the commit");
});

test("a change whose worker is gone goes on from its branch on another worker", async () => {
  const url = await aMigratedUrl();
  const repository = aSharedRepository();
  const server = await aServer(url, ONLY_WORKERS);
  const first = await aWorker(server, BUILD);
  const [agentId = ""] = await runIsolated(server, repository, {
    prompt: "#rehearsal write one.txt 1",
  });
  await waitForAll(server.main, [agentId]);
  await first.kill("SIGTERM");
  const second = await aWorker(server, { name: "build-2" });
  const json = { version: 1, message: "#rehearsal write two.txt 2" };
  const { body } = await ask(server, "POST", `/api/changes/${agentId}/send-back`, { json });
  await waitForAll(server.main, [String(body["agentId"])]);
  const [row] = await workspaceRows(url);
  expect(row).toMatchObject({ version: 2, worker_id: second.id, status: "captured" });
  expect(filesOf(repository, row?.branch)).toEqual(expect.arrayContaining(["one.txt", "two.txt"]));
});

test("an agent whose commit has no history in the remote waits for a server, and says what to do", async () => {
  const url = await aMigratedUrl();
  const repository = aSharedRepository();
  git(repository.root, "checkout", "-q", "--orphan", "other");
  repository.commit({ "unrelated.txt": "x\n" });
  const server = await aServer(url, ONLY_WORKERS);
  const worker = await aWorker(server, BUILD);
  const agentIds = await runIsolated(server, repository, {
    prompt: "#rehearsal write mine.txt hello",
  });
  const [agentId = ""] = agentIds;
  await until(async () => (await workspaceRows(url))[0]?.fetch_problem !== null);
  expect((await statusOf(server.main, agentId))["waitingFor"]).toMatch(
    /The worker build-1 cannot fetch the commit .*: the remote has not got it\. Push it/,
  );
  expect(await agentRows(url)).toMatchObject([{ status: "queued", worker_id: null }]);

  const second = await aServer(url, SETTINGS);
  expect(await waitForAll(server.main, agentIds)).toMatchObject({ pending: [] });
  expect(await agentRows(url)).toMatchObject([{ status: "resultReported", worker_id: second.id }]);
  const [row] = await workspaceRows(url);
  expect(row).toMatchObject({ status: "captured", worker_id: null, fetch_problem: null });
  expect(row?.path.startsWith(second.place.dataDir)).toBe(true);
  expect(git(repository.root, "show", `${row?.branch}:mine.txt`)).toContain("hello");
  // It is said once, and the worker is not asked again.
  const said = server.place.log().split("cannot fetch the commit of an agent").length - 1;
  expect(said).toBe(1);
  expect(worker.process.exitCode).toBe(null);
});

test.for(withMore(["worker"], ["server"]))(
  "a %s that is killed while a base is sent: all of it is sent again",
  async (killed) => {
    const url = await aMigratedUrl();
    const repository = aSharedRepository();
    const base = repository.commit({ "big.bin": randomBytes(FILE_BYTES) });
    const server = await aServer(url, { ...ONLY_WORKERS, store: { lease_ms: LONG_LEASE_MS } });
    const line = await aSlowLine(server.url);
    const { id, place } = await aWorkerPlace(server, BUILD.name);
    const worker = await startWorker(line, place, id, BUILD);
    line.down.holdAfter(FILE_BYTES / 2);
    await runIsolated(server, repository, { prompt: "#rehearsal write mine.txt 1" });
    await line.down.held();
    const incoming = join(place.dir, "worker", "incoming");
    expect(readdirSync(incoming)).toHaveLength(1);

    if (killed === "worker") {
      await worker.kill("SIGKILL");
      line.down.release();
      await startWorker(line, place, id, BUILD);
    } else {
      await server.daemon.kill("SIGKILL");
      const next = await startAgain(server.place);
      line.down.release();
      line.use(next.url);
    }
    await until(
      async () => (await workspaceRows(url))[0]?.status === "captured",
      undefined,
      60_000,
    );
    await until(async () => (await agentRows(url))[0]?.process === "ended");
    expect(await agentRows(url)).toMatchObject([{ status: "resultReported", worker_id: id }]);
    const [row] = await workspaceRows(url);
    expect(row).toMatchObject({ version: 1, attention: "[]", worker_id: id });
    expect(git(repository.root, "rev-parse", `${row?.branch}~1`)).toBe(base);
    expect(readdirSync(incoming)).toEqual([]);
  },
);
