import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { z } from "zod";
import { changeShape, groupChangeShape } from "../../src/contract/shapes/changes.ts";
import { mergeShape } from "../../src/contract/shapes/merges.ts";
import { overlapShape } from "../../src/contract/shapes/workspaces.ts";
import { aGroup, waitForAll } from "../kit/agents.ts";
import {
  aDaemon,
  anHttpClient,
  aPlace,
  command,
  type Daemon,
  type Place,
  type TestClient,
} from "../kit/daemon.ts";
import { aRepository, git, hashOfUser, type TestRepository } from "../kit/repository.ts";
import { HAS_ALL_ROUNDS } from "../kit/rounds.ts";

const CONFIG = `agent:
  runner: rehearsal
healthCheck:
  enabled: false
workspace:
  check: "test -f a.txt && echo checked"
`;

const LONG_MS = 120_000;

type Story = {
  readonly place: Place;
  readonly repository: TestRepository;
  readonly gate: string;
};

function aStory(): Story {
  const place = aPlace();
  writeFileSync(join(place.dir, "kuromajutsu.config.yaml"), CONFIG);
  const repository = aRepository();
  return { place, repository, gate: join(place.dir, "go-on") };
}

const started = z.object({
  agents: z.array(
    z.object({ agentId: z.string(), branch: z.string(), workingDirectory: z.string() }),
  ),
  isolation: z.string(),
});

async function runWriters(
  client: TestClient,
  { repository, gate }: Story,
  ...writes: readonly string[]
): Promise<z.infer<typeof started> & { readonly groupId: string }> {
  const groupId = await aGroup(client);
  const answer = await client.call("run_agents", {
    groupId,
    agents: writes.map((lines) => ({
      role: "impl-code",
      prompt: `書いて\n${lines}\n#rehearsal wait-for ${gate}`,
      workingDirectory: repository.root,
    })),
  });
  return { groupId, ...started.parse(answer) };
}

function rest({ url }: Daemon) {
  return async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const response = await fetch(url + path, {
      method,
      headers: { "x-kuromajutsu": "1", "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const answer: unknown = await response.json();
    if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
    return answer;
  };
}

async function approveMerge(
  call: ReturnType<typeof rest>,
  agentId: string,
): Promise<z.infer<typeof mergeShape>> {
  const { version } = changeShape.parse(await call("GET", `/api/changes/${agentId}`));
  const merge = mergeShape.parse(await call("POST", `/api/changes/${agentId}/merge`, { version }));
  await call("POST", `/api/approvals/${merge.approvalId}/decision`, {
    decision: "approve",
    version: 1,
  });
  return merge;
}

/** Everything a person can have in a checkout: staged, edited and new files, a stash, hooks, settings. */
function workAsPerson({ root, common }: TestRepository): void {
  writeFileSync(join(root, "b.txt"), "stashed\n");
  git(root, "stash", "push", "-q");
  writeFileSync(join(root, "staged.txt"), "staged\n");
  git(root, "add", "staged.txt");
  writeFileSync(join(root, "b.txt"), "edited\n");
  writeFileSync(join(root, "notes.txt"), "new\n");
  git(root, "config", "user.nickname", "Hana");
  writeFileSync(join(common, "hooks", "post-checkout"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
}

test("three agents write at the same time; people see overlap and conflict, send one back, and merge two", async () => {
  const story = aStory();
  const { repository, gate } = story;
  workAsPerson(repository);
  const before = hashOfUser(repository);
  const daemon = await aDaemon(story.place);
  const call = rest(daemon);
  const client = await anHttpClient(daemon.url);
  const { groupId, agents } = await runWriters(
    client,
    story,
    "#rehearsal write a.txt 左",
    "#rehearsal write a.txt 右",
    "#rehearsal write c.txt 別",
  );
  const [left, right, other] = agents.map(({ agentId }) => agentId);
  if (!left || !right || !other) throw new Error("three");

  // While they work.
  await vi.waitFor(async () => {
    const { overlaps } = z
      .object({ overlaps: z.array(overlapShape) })
      .parse(await call("GET", "/api/overlaps"));
    expect(overlaps).toMatchObject([{ level: "same_file", paths: ["a.txt"] }]);
  }, LONG_MS);

  writeFileSync(gate, "");
  await waitForAll(client, [left, right, other]);
  await vi.waitFor(async () => {
    const view = groupChangeShape.parse(await call("GET", `/api/groups/${groupId}/change`));
    expect(view.overlaps).toMatchObject([{ level: "conflict", paths: ["a.txt"] }]);
    expect(view.combined?.conflicts).toMatchObject([{ agentId: right, path: "a.txt" }]);
  }, LONG_MS);
  expect(await client.call("get_agent_status", { agentId: left })).toMatchObject({
    result: { changedFiles: ["a.txt"], conflictsWith: [right] },
  });
  expect(await client.call("get_changes", { agentId: left, path: "a.txt" })).toMatchObject({
    patch: expect.stringContaining("+左"),
  });

  // A person comments on one and sends it back.
  await call("POST", `/api/changes/${right}/comments`, {
    version: 1,
    path: "a.txt",
    side: "new",
    line: 1,
    body: "b.txt に書いてください。\n#rehearsal write b.txt 右",
  });
  const sent = z
    .object({ agentId: z.string(), comments: z.number() })
    .parse(await call("POST", `/api/changes/${right}/send-back`, { version: 1 }));
  await waitForAll(client, [sent.agentId]);
  expect(changeShape.parse(await call("GET", `/api/changes/${sent.agentId}`))).toMatchObject({
    version: 2,
    files: [{ path: "a.txt" }, { path: "b.txt" }],
    comments: [{ status: "sent", sentTo: sent.agentId }],
  });

  // A merge that is rejected changes nothing.
  const rejected = mergeShape.parse(
    await call("POST", `/api/changes/${sent.agentId}/merge`, { version: 2 }),
  );
  await call("POST", `/api/approvals/${rejected.approvalId}/decision`, {
    decision: "reject",
    version: 1,
  });
  expect(await call("GET", `/api/merges/${rejected.mergeId}`)).toMatchObject({
    status: "rejected",
  });
  expect(hashOfUser(repository)).toBe(before);

  // Two are approved; the check runs, and they land.
  const merges = [await approveMerge(call, left), await approveMerge(call, other)];
  await vi.waitFor(async () => {
    for (const { mergeId } of merges) {
      expect(await call("GET", `/api/merges/${mergeId}`)).toMatchObject({
        status: "ready_to_land",
        checkExit: 0,
      });
    }
  }, LONG_MS);
  expect(hashOfUser(repository)).toBe(before);

  // The branch is checked out, so a person says that it may be moved there.
  for (const { mergeId } of merges) {
    await call("POST", `/api/merges/${mergeId}/retry`, { intoCheckout: true });
  }
  await vi.waitFor(async () => {
    for (const { mergeId } of merges) {
      expect(await call("GET", `/api/merges/${mergeId}`)).toMatchObject({ status: "landed" });
    }
  }, LONG_MS);
  expect(git(repository.root, "show", "main:a.txt")).toBe("左");
  expect(git(repository.root, "show", "main:c.txt")).toBe("別");
  expect(git(repository.root, "status", "--porcelain").split("\n")).toEqual([
    " M b.txt",
    "A  staged.txt",
    "?? notes.txt",
  ]);
  expect(git(repository.root, "stash", "list").split("\n")).toHaveLength(1);
}, 300_000);

test("the terminal lists, merges and discards changes, and a branch that is not checked out lands at once", async () => {
  const story = aStory();
  const { place, repository, gate } = story;
  writeFileSync(gate, "");
  git(repository.root, "checkout", "-q", "-b", "mine");
  const daemon = await aDaemon(place);
  const client = await anHttpClient(daemon.url);
  const { agents } = await runWriters(
    client,
    story,
    "#rehearsal write one.txt 1",
    "#rehearsal write two.txt 2",
  );
  const [one = "", two = ""] = agents.map(({ agentId }) => agentId);
  await waitForAll(client, [one, two]);

  const listed = await command(place, ["changes"]);
  expect(listed.stdout).toContain(one);
  expect((await command(place, ["merge", one, "--target", "main"])).code).toBe(0);
  expect((await command(place, ["discard", two, "--reason", "不要"])).code).toBe(0);
  const pending = z
    .object({ approvals: z.array(z.object({ approvalId: z.string(), version: z.number() })) })
    .parse(await rest(daemon)("GET", "/api/approvals?status=pending"));
  for (const { approvalId, version } of pending.approvals) {
    await rest(daemon)("POST", `/api/approvals/${approvalId}/decision`, {
      decision: "approve",
      version,
    });
  }

  await vi.waitFor(
    () => expect(git(repository.root, "ls-tree", "--name-only", "main")).toContain("one.txt"),
    LONG_MS,
  );
  expect(git(repository.root, "rev-parse", "HEAD")).toBe(repository.head);
  expect(git(repository.root, "status", "--porcelain")).toBe("");
  expect(existsSync(join(repository.root, "one.txt"))).toBe(false);
}, 300_000);

test.runIf(HAS_ALL_ROUNDS)(
  "a daemon that is killed while agents work loses no change and leaves no lock",
  async () => {
    const story = aStory();
    const { place, repository, gate } = story;
    let daemon = await aDaemon(place);
    let client = await anHttpClient(daemon.url);
    const { agents } = await runWriters(
      client,
      story,
      "#rehearsal write one.txt 1",
      "#rehearsal write two.txt 2",
    );
    await vi.waitFor(() => {
      for (const { workingDirectory } of agents)
        expect(readdirSync(workingDirectory)).not.toEqual([]);
    }, LONG_MS);
    await daemon.kill("SIGKILL");
    writeFileSync(gate, "");
    daemon = await aDaemon(place);
    client = await anHttpClient(daemon.url);
    const ids = agents.map(({ agentId }) => agentId);
    await waitForAll(client, ids);

    for (const { agentId, branch } of agents) {
      expect(await client.call("get_agent_status", { agentId })).toMatchObject({
        result: { branch, changedFiles: [expect.stringMatching(/^(one|two)\.txt$/)] },
      });
      expect(git(repository.root, "rev-parse", "--verify", branch)).toMatch(/^[0-9a-f]{40}$/);
    }
    expect(existsSync(join(repository.common, "index.lock"))).toBe(false);
  },
  300_000,
);
