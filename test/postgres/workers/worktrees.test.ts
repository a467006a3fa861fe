import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { aGroup, runAll, waitForAll } from "../../kit/agents.ts";
import { landChange, persist } from "../../kit/changes-api.ts";
import { aMigratedUrl } from "../../kit/postgres/daemon-place.ts";
import { agentRows, aServer, ask, SETTINGS } from "../../kit/postgres/servers.ts";
import { aWorker } from "../../kit/postgres/workers.ts";
import { aSharedRepository, workspaceRows } from "../../kit/postgres/worktrees.ts";
import { git } from "../../kit/repository.ts";

const ONLY_WORKERS = { ...SETTINGS, server: { slots: 0 } };

test("an agent with a worktree runs on a worker, and its change can be read and merged on the server", async () => {
  const url = await aMigratedUrl();
  const repository = aSharedRepository();
  const server = await aServer(url, ONLY_WORKERS);
  const worker = await aWorker(server, { name: "build-1" });
  const { main, place } = server;
  const isolated = { isolation: "worktree", workingDirectory: repository.root } as const;
  const agentIds = await runAll(main, await aGroup(main), [
    { ...isolated, prompt: "#rehearsal write from-worker.txt hello" },
  ]);
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
  expect(git(repository.remote, "branch", "--list")).toBe("* main");
  const change = await ask(server, "GET", `/api/changes/${agentId}`);
  expect(change.body).toMatchObject({ files: [{ path: "from-worker.txt", status: "added" }] });

  git(repository.root, "branch", "release");
  await persist(() => landChange(place, agentId, "release"), 60_000);
  expect(git(repository.root, "show", "release:from-worker.txt")).toContain("hello");
  expect(place.log()).not.toContain("ERROR");
});
