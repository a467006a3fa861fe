import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { z } from "zod";
import { waitForAll } from "../../kit/agents.ts";
import { canHide, until } from "../../kit/daemon.ts";
import { aMigratedUrl, aPlaceOn } from "../../kit/postgres/daemon-place.ts";
import {
  ask,
  LEASE_MS,
  rowsOf,
  SETTINGS,
  startAgain,
  type TestServer,
} from "../../kit/postgres/servers.ts";
import { aSharedRepository, runIsolated, workspaceRows } from "../../kit/postgres/worktrees.ts";
import { git } from "../../kit/repository.ts";
import { LONG_MS } from "../../kit/task-person.ts";

vi.setConfig({ testTimeout: LONG_MS });

const CAN_HIDE = canHide();

function configure(dir: string, over: Record<string, unknown> = {}): void {
  const config = { ...SETTINGS, locale: "en", ...over };
  writeFileSync(join(dir, "kuromajutsu.config.yaml"), JSON.stringify(config));
}

/**
 * Two servers as on two hosts: the second has neither the repository nor the disk of the first. It
 * starts before the first, so it leads.
 */
async function twoHosts() {
  const url = await aMigratedUrl();
  const repository = aSharedRepository();
  git(repository.root, "branch", "release");
  const first = aPlaceOn(url);
  const second = { ...aPlaceOn(url), without: [repository.dir, first.dir] };
  configure(first.dir);
  configure(second.dir, { server: { slots: 0 } });
  const b = await startAgain(second);
  const a = await startAgain(first);
  const agentIds = await runIsolated(a, repository, { prompt: "#rehearsal write new.txt hello" });
  const [agentId = ""] = agentIds;
  expect(await waitForAll(a.main, agentIds)).toMatchObject({ pending: [] });
  return { url, repository, a, b, agentId };
}

const requested = z.object({ mergeId: z.string(), approvalId: z.string() });
const approval = z.object({ version: z.number() });

/** Requests the merge where the change is, and approves it at another server. */
async function anApprovedMerge(a: TestServer, at: TestServer, agentId: string): Promise<string> {
  const asked = await ask(a, "POST", `/api/changes/${agentId}/merge`, {
    json: { version: 1, target: "release" },
  });
  const { mergeId, approvalId } = requested.parse(asked.body);
  const { version } = approval.parse((await ask(at, "GET", `/api/approvals/${approvalId}`)).body);
  const json = { decision: "approve", version };
  await ask(at, "POST", `/api/approvals/${approvalId}/decision`, { json });
  return mergeId;
}

const mergeNow = async (server: TestServer, id: string) =>
  (await ask(server, "GET", `/api/merges/${id}`)).body;

test.runIf(CAN_HIDE)(
  "a server without the repository refuses a review with the name and the address of the server that has it",
  async () => {
    const { a, b, agentId, url } = await twoHosts();
    const comment = { version: 1, path: "new.txt", side: "new", line: 1, body: "?" };
    const merge = { version: 1, target: "release" };
    const requests = [
      ["GET", `/api/changes/${agentId}`],
      ["GET", `/api/changes/${agentId}/file?path=new.txt`],
      ["POST", `/api/changes/${agentId}/comments`, comment],
      ["POST", `/api/changes/${agentId}/merge`, merge],
      ["POST", `/api/changes/${agentId}/pull-request`, merge],
    ] as const;

    for (const [method, path, json] of requests) {
      const answer = await ask(b, method, path, { json });
      expect({ path, ...answer }).toMatchObject({
        path,
        status: 409,
        body: {
          code: "REPOSITORY_UNUSABLE",
          detail: expect.stringContaining(`of the server ${a.id}, and not on this server`),
          hint: expect.stringContaining(`Ask that server: ${a.url}`),
        },
      });
    }

    const [workspace] = await workspaceRows(url);
    const retired = await ask(b, "POST", `/api/workspaces/${workspace?.id}/retire`);
    expect(retired).toMatchObject({
      status: 409,
      body: { code: "WORKTREE_UNUSABLE", detail: expect.stringContaining(`the server ${a.id}`) },
    });
    expect(await workspaceRows(url)).toMatchObject([{ status: "captured" }]);
    expect(existsSync(workspace?.path ?? "")).toBe(true);

    // The server that has them does it.
    expect(await ask(a, "GET", `/api/changes/${agentId}`)).toMatchObject({
      body: { files: [{ path: "new.txt" }] },
    });
    await ask(a, "POST", `/api/workspaces/${workspace?.id}/retire`);
    expect(await workspaceRows(url)).toMatchObject([{ status: "retired" }]);
    expect(existsSync(workspace?.path ?? "")).toBe(false);
    expect(b.place.log()).not.toContain("could not be looked at");
  },
);

test.runIf(CAN_HIDE)(
  "a merge is carried out by the server that has the change, although another one leads",
  async () => {
    const { url, a, b, agentId, repository } = await twoHosts();
    const servers = await ask(b, "GET", "/api/servers");
    expect(servers.body).toMatchObject({
      servers: expect.arrayContaining([expect.objectContaining({ id: b.id, isLeader: true })]),
    });

    const mergeId = await anApprovedMerge(a, b, agentId);

    await until(async () => (await mergeNow(b, mergeId))["status"] === "landed");
    expect(git(repository.root, "show", "release:new.txt")).toContain("hello");
    expect(await rowsOf(url, "select server_id, problem from merges")).toEqual([
      { server_id: a.id, problem: null },
    ]);
  },
);

test.runIf(CAN_HIDE)(
  "a merge says that it waits for a server that is not running, and lands when that server is back",
  async () => {
    const { a, b, agentId, repository } = await twoHosts();
    const asked = await ask(a, "POST", `/api/changes/${agentId}/merge`, {
      json: { version: 1, target: "release" },
    });
    const { mergeId, approvalId } = requested.parse(asked.body);
    await a.daemon.kill("SIGKILL");
    // Its lease ends, and its row with it.
    await until(
      async () => !JSON.stringify((await ask(b, "GET", "/api/servers")).body).includes(a.id),
      undefined,
      LEASE_MS * 10,
    );
    const { version } = approval.parse((await ask(b, "GET", `/api/approvals/${approvalId}`)).body);
    const json = { decision: "approve", version };
    await ask(b, "POST", `/api/approvals/${approvalId}/decision`, { json });

    const isNamed = new RegExp(`of the server ${a.id}, which is not running`);
    await until(async () => isNamed.test(JSON.stringify(await mergeNow(b, mergeId))));
    expect(await mergeNow(b, mergeId)).toMatchObject({ status: "queued" });

    const again = await startAgain(a.place);
    await until(async () => (await mergeNow(again, mergeId))["status"] === "landed");
    expect(git(repository.root, "show", "release:new.txt")).toContain("hello");
  },
);
