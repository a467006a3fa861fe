import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { waitForAll } from "../../kit/agents.ts";
import { until } from "../../kit/daemon.ts";
import { aMigratedUrl } from "../../kit/postgres/daemon-place.ts";
import { aBundleOf, aSlowBundle } from "../../kit/postgres/git-gate.ts";
import {
  agentRows,
  aServer,
  isAlive,
  LEASE_MS,
  rowsOf,
  SETTINGS,
  startAgain,
  type TestServer,
} from "../../kit/postgres/servers.ts";
import { aSlowLine } from "../../kit/postgres/slow-line.ts";
import { aWorkerPlace, startWorker } from "../../kit/postgres/workers.ts";
import {
  aSharedRepository,
  runIsolated,
  type SharedRepository,
  workspaceRows,
} from "../../kit/postgres/worktrees.ts";
import { git } from "../../kit/repository.ts";
import { HAS_ALL_ROUNDS, withMore } from "../../kit/rounds.ts";

const BUILD = { name: "build-1" };
const MB = 1_000_000;
const FILE_BYTES = 8 * MB;
const BIG_FILES = 2;
/** Of the messages of the worker while it sends: some pieces of the bundle, and not all of it. */
const HALF_OF_BUNDLE = FILE_BYTES;
/** A busy machine may need seconds to start a server or a worker again. */
const LONG_LEASE_MS = 20_000;
/** The lease, the beat that finds its end, and a busy machine. */
const TAKEN_OVER_MS = 4 * LEASE_MS + 10_000;

function settingsWith(leaseMs: number) {
  return { ...SETTINGS, server: { slots: 0 }, store: { lease_ms: leaseMs } };
}

/** A worker behind a line that a test can slow down, and an agent that waits before it ends. */
async function aFleet(leaseMs: number) {
  const url = await aMigratedUrl();
  const repository = aSharedRepository();
  const server = await aServer(url, settingsWith(leaseMs));
  const line = await aSlowLine(server.url);
  const { id, place } = await aWorkerPlace(server, BUILD.name);
  return { url, repository, server, line, id, place };
}

/** Starts an agent that leaves files which cannot be compressed. Returns a function that lets it end. */
async function anAgentWith(
  url: string,
  server: TestServer,
  repository: SharedRepository,
  { files }: { readonly files: number },
) {
  const gate = join(repository.dir, "gate");
  const agentIds = await runIsolated(server, repository, {
    prompt: `#rehearsal wait-for ${gate}`,
  });
  await until(() => isAlive(agentIds[0] ?? ""));
  const { path = "", branch = "" } = (await workspaceRows(url))[0] ?? {};
  for (let file = 0; file < files; file++) {
    writeFileSync(join(path, `big-${file}.bin`), randomBytes(FILE_BYTES));
  }
  return { agentIds, path, branch, end: () => writeFileSync(gate, "") };
}

type Sent = { readonly path: string; readonly branch: string };

/** The branch has every byte of the worktree, in one commit, and the agent has ended once. */
async function expectArrived(
  url: string,
  { root }: SharedRepository,
  { path, branch }: Sent,
  files = BIG_FILES,
): Promise<void> {
  await until(async () => (await workspaceRows(url))[0]?.status === "captured", undefined, 300_000);
  await until(async () => (await agentRows(url)).every(({ process }) => process === "ended"));
  expect(await agentRows(url)).toMatchObject([{ status: "resultReported", attempt: 1 }]);
  expect(await workspaceRows(url)).toMatchObject([{ version: 1, attention: "[]" }]);
  expect(git(root, "rev-list", "--count", `main..${branch}`)).toBe("1");
  for (let file = 0; file < files; file++) {
    const name = `big-${file}.bin`;
    const blob = execFileSync("git", ["cat-file", "blob", `${branch}:${name}`], {
      cwd: root,
      maxBuffer: 2 * FILE_BYTES,
    });
    expect(blob.equals(readFileSync(join(path, name)))).toBe(true);
  }
  const ends = await rowsOf(url, "select agent_id from events where type = 'agent:completed'");
  expect(ends).toHaveLength(1);
  expect(await rowsOf(url, "select agent_id from pending_ends")).toEqual([]);
}

test.for(withMore([], ["within its lease", "after its lease"]))(
  "a worker that is killed while it sends a bundle, and is back %s, sends all of it again",
  async (when) => {
    const isLost = when === "after its lease";
    const fleet = await aFleet(isLost ? LEASE_MS : LONG_LEASE_MS);
    const { url, repository, server, line, id, place } = fleet;
    const worker = await startWorker(line, place, id, BUILD);
    const agent = await anAgentWith(url, server, repository, { files: BIG_FILES });
    line.up.holdAfter(HALF_OF_BUNDLE);
    agent.end();
    await line.up.held();
    expect(await agentRows(url)).toMatchObject([{ process: "capturing" }]);

    await worker.kill("SIGKILL");
    line.up.release();
    const isDamaged = async () => (await workspaceRows(url))[0]?.status === "damaged";
    if (isLost) await until(isDamaged, undefined, TAKEN_OVER_MS);
    expect((await workspaceRows(url))[0]?.attention).toContain(isLost ? "which is gone" : "[]");
    expect(git(repository.root, "rev-parse", agent.branch)).toBe(repository.head);
    await startWorker(line, place, id, BUILD);

    await expectArrived(url, repository, agent);
  },
);

test.for(withMore(["it is started again"], ["another one takes over"]))(
  "a server that is killed while it receives a bundle gets all of it when %s",
  async (then) => {
    const { url, repository, server, line, id, place } = await aFleet(LONG_LEASE_MS);
    const worker = await startWorker(line, place, id, BUILD);
    const agent = await anAgentWith(url, server, repository, { files: BIG_FILES });
    line.up.holdAfter(HALF_OF_BUNDLE);
    agent.end();
    await line.up.held();

    await server.daemon.kill("SIGKILL");
    expect(git(repository.root, "rev-parse", agent.branch)).toBe(repository.head);
    const next =
      then === "it is started again"
        ? await startAgain(server.place)
        : await aServer(url, settingsWith(LONG_LEASE_MS));
    line.up.release();
    line.use(next.url);

    await expectArrived(url, repository, agent);
    expect(worker.process.exitCode).toBe(null);
  },
);

test.runIf(HAS_ALL_ROUNDS)(
  "a connection that is lost while git writes the bundle does not disturb the next capture",
  async () => {
    const { url, repository, server, line, id, place } = await aFleet(LONG_LEASE_MS);
    const gate = aSlowBundle(place);
    await startWorker(line, place, id, BUILD);
    const agent = await anAgentWith(url, server, repository, { files: BIG_FILES });
    agent.end();
    await gate.reached();

    line.use(server.url);
    const connections = () => server.place.log().split("A worker is connected.").length - 1;
    await until(() => connections() > 1);
    // Longer than the three tries that a capture has.
    await sleep(5_000);
    expect(await agentRows(url)).toMatchObject([{ process: "capturing" }]);
    gate.open();

    await expectArrived(url, repository, agent);
  },
);

test.runIf(HAS_ALL_ROUNDS)(
  "a bundle that is too large is not sent, and the change says what to do",
  async () => {
    const { url, repository, server, line, id, place } = await aFleet(LEASE_MS);
    aBundleOf(place, 600);
    await startWorker(line, place, id, BUILD);
    const agentIds = await runIsolated(server, repository, { prompt: "#rehearsal write a.md x" });
    expect(await waitForAll(server.main, agentIds)).toMatchObject({ pending: [] });

    const [row] = await workspaceRows(url);
    expect(row).toMatchObject({ status: "damaged", version: 0 });
    expect(row?.attention).toContain("are 600 MB, and a worker may send 512. They stay in the");
    expect(row?.attention).toContain("そこで大きなファイルをコミットから外すと");
    expect(git(repository.root, "rev-parse", row?.branch ?? "")).toBe(repository.head);
  },
);

/** The most memory that a process had, in bytes. */
function peakMemory(pid: number): number {
  const kib = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kib) * 1_024;
}

test.runIf(HAS_ALL_ROUNDS)(
  "a bundle of 200 MB over a slow connection costs neither the lease nor memory, and holds up no other agent",
  { timeout: 900_000 },
  async () => {
    const LEASE = 6_000;
    const { url, repository, server, line, id, place } = await aFleet(LEASE);
    const worker = await startWorker(line, place, id, BUILD);
    const files = 25;
    const agent = await anAgentWith(url, server, repository, { files });
    const pids = [server.daemon.process.pid ?? 0, worker.pid];
    const before = pids.map(peakMemory);
    // A piece of 4 MB would take longer than a beat may.
    line.up.slowTo(2 * MB);
    agent.end();
    await until(async () => (await agentRows(url))[0]?.process === "capturing");

    const small = await runIsolated(server, repository, { prompt: "#rehearsal write small.txt 1" });
    expect(await waitForAll(server.main, small)).toMatchObject({ pending: [] });
    expect((await agentRows(url))[0]?.process).toBe("capturing");
    await until(
      async () => (await agentRows(url)).every(({ process }) => process === "ended"),
      undefined,
      600_000,
    );

    const rows = await workspaceRows(url);
    expect(rows).toMatchObject([
      { status: "captured", version: 1, attention: "[]" },
      { status: "captured", version: 1, attention: "[]" },
    ]);
    const tree = git(repository.root, "ls-tree", "--name-only", agent.branch);
    expect(tree.match(/big-\d+\.bin/g)).toHaveLength(files);
    expect(git(repository.root, "show", `${rows[1]?.branch}:small.txt`)).toBe("1");
    for (const [index, pid] of pids.entries()) {
      expect(peakMemory(pid) - (before[index] ?? 0)).toBeLessThan(100 * MB);
    }
    expect(server.place.log()).not.toContain("A worker is disconnected.");
    expect(readFileSync(join(place.dir, "log"), "utf8")).not.toContain("does not answer");
  },
);
