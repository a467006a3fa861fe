import { spawn, type ChildProcess } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { z } from "zod";
import { changeShape } from "../../src/contract/shapes/changes.ts";
import { mergeShape } from "../../src/contract/shapes/merges.ts";
import { aGroup, waitForAll } from "../kit/agents.ts";
import { ask, demand, landChange, persist } from "../kit/changes-api.ts";
import {
  aDaemon,
  anHttpClient,
  aPlace,
  command,
  type Place,
  type TestClient,
} from "../kit/daemon.ts";
import { locksOf } from "../kit/locks.ts";
import { endAll, processesWith } from "../kit/processes.ts";
import { aRepository, git, gitStops, write, type TestRepository } from "../kit/repository.ts";
import { HAS_ALL_ROUNDS } from "../kit/rounds.ts";
import { sharedByTests } from "../kit/when-done.ts";

const LONG_MS = 120_000;

const CONFIG = `agent:
  runner: rehearsal
  maxConcurrent: 50
healthCheck:
  enabled: false
`;

type Story = { readonly place: Place; readonly repository: TestRepository; readonly gate: string };

/** A person works on the branch `mine`, so that `main` can be moved. */
function aStory(config = ""): Story {
  const place = aPlace();
  writeFileSync(join(place.dir, "kuromajutsu.config.yaml"), CONFIG + config);
  return { place, repository: aUsersRepository(), gate: join(place.dir, "go-on") };
}

function aUsersRepository(): TestRepository {
  const repository = aRepository();
  git(repository.root, "checkout", "-q", "-b", "mine");
  return repository;
}

const aSharedPlace = sharedByTests(async () => {
  const { place } = aStory();
  return { place, url: (await aDaemon(place)).url };
});

/** A repository and a client of its own, with a daemon that the tests share. */
async function aSharedStory(): Promise<Story & { readonly client: TestClient }> {
  const { place, url } = await aSharedPlace();
  const repository = aUsersRepository();
  const client = await anHttpClient(url);
  return { place, repository, client, gate: join(repository.dir, "go-on") };
}

const startedShape = z.object({
  agents: z.array(
    z.object({ agentId: z.string(), branch: z.string(), workingDirectory: z.string() }),
  ),
});
type Writer = z.infer<typeof startedShape>["agents"][number];

/** Agents that wait in their worktrees until the gate is there. */
async function writersAtWork(
  client: TestClient,
  { repository, gate }: Story,
  count: number,
): Promise<readonly Writer[]> {
  const answer = await client.call("run_agents", {
    groupId: await aGroup(client),
    agents: Array.from({ length: count }, (_, n) => ({
      role: "impl-code",
      prompt: `書いて\n#rehearsal write own-${n}.txt ${n}\n#rehearsal wait-for ${gate}`,
      workingDirectory: repository.root,
      isolation: "worktree",
    })),
  });
  const { agents } = startedShape.parse(answer);
  await vi.waitFor(() => {
    for (const [n, { workingDirectory }] of agents.entries()) {
      expect(existsSync(join(workingDirectory, `own-${n}.txt`))).toBe(true);
    }
  }, LONG_MS);
  return agents;
}

async function oneWriter(client: TestClient, story: Story): Promise<Writer> {
  const [one] = await writersAtWork(client, story, 1);
  if (!one) throw new Error("No agent was started.");
  return one;
}

async function changeOf(place: Place, agentId: string) {
  return changeShape.parse(await demand(place, "GET", `/api/changes/${agentId}`));
}

test("nothing that an agent plants in the repository runs on the way to the branch, and people are warned", async () => {
  const story = await aSharedStory();
  const { place, repository, gate, client } = story;
  const { root, common } = repository;
  const { agentId, workingDirectory } = await oneWriter(client, story);
  const sprung = join(repository.dir, "sprung");
  const trap = join(repository.dir, "trap");
  writeFileSync(trap, `#!/bin/sh\necho "$0 $*" >> ${sprung}\ncat\n`);
  chmodSync(trap, 0o755);
  const included = join(repository.dir, "included");
  writeFileSync(included, `[filter "late"]\n\tclean = ${trap}\n\tsmudge = ${trap}\n`);
  for (const [key, value] of [
    ["core.fsmonitor", trap],
    ["diff.external", trap],
    ["core.sshCommand", trap],
    ["core.pager", trap],
    ["filter.evil.clean", trap],
    ["filter.evil.smudge", trap],
    ["filter.evil.process", trap],
    ["filter.evil.required", "true"],
    ["diff.evil.textconv", trap],
    ["diff.evil.command", trap],
    ["merge.evil.driver", trap],
    ["gpg.program", trap],
    ["commit.gpgSign", "true"],
    ["include.path", included],
    ["core.attributesFile", join(workingDirectory, ".gitattributes")],
  ] as const) {
    git(root, "config", key, value);
  }
  for (const name of [
    "post-checkout",
    "reference-transaction",
    "post-index-change",
    "post-merge",
  ]) {
    writeFileSync(join(common, "hooks", name), readFileSync(trap));
    chmodSync(join(common, "hooks", name), 0o755);
  }
  write(workingDirectory, {
    ".gitattributes": "* filter=evil diff=evil merge=evil\n*.late filter=late\n",
    "x.late": "late\n",
    "a.txt": "agent\n",
  });
  write(common, { "info/attributes": "* filter=evil diff=evil merge=evil\n" });
  writeFileSync(gate, "");
  await waitForAll(client, [agentId]);

  const change = await changeOf(place, agentId);
  expect(change.workspace.attention).toContainEqual(
    expect.objectContaining({ type: "git_configuration_changed" }),
  );
  expect(await client.call("get_changes", { agentId })).toMatchObject({
    changes: [{ attention: [expect.stringContaining(".git/hooks")] }],
  });
  await demand(place, "GET", `/api/changes/${agentId}/file?path=a.txt`);
  await persist(() => landChange(place, agentId, "main"));
  await demand(place, "POST", `/api/workspaces/${change.workspace.workspaceId}/retire`);
  expect(existsSync(sprung)).toBe(false);
  // The same git of a person springs the traps: the test would notice. It reads a file of another time.
  utimesSync(join(root, "a.txt"), 0, 0);
  gitStops(root, "status");
  expect(existsSync(sprung)).toBe(true);
}, 300_000);

test("unusual names and contents come through capture, REST, get_changes and merge", async () => {
  const story = await aSharedStory();
  const { place, repository, gate, client } = story;
  const { agentId, workingDirectory } = await oneWriter(client, story);
  const names = ["日本語 の名前.txt", "🪄.md", "tab\there.txt", "new\nline.txt", "-rf", "crlf.txt"];
  for (const name of names) write(workingDirectory, { [name]: `${name}\r\n` });
  write(workingDirectory, {
    "model.bin": "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n",
    "large.bin": Buffer.alloc(60 * 1024 * 1024, "x"),
  });
  symlinkSync("/etc/passwd", join(workingDirectory, "out"));
  mkdirSync(join(workingDirectory, "nested"));
  git(join(workingDirectory, "nested"), "init", "-q");
  write(join(workingDirectory, "nested"), { "inner.txt": "inner\n" });
  writeFileSync(gate, "");
  await waitForAll(client, [agentId]);

  const change = await changeOf(place, agentId);
  expect(change.workspace.attention).toMatchObject([
    { type: "nested_repository", path: "nested" },
    { type: "file_too_large", path: "large.bin" },
  ]);
  expect(change.files.map(({ path }) => path)).toEqual(
    expect.arrayContaining([...names, "model.bin", "out", "own-0.txt"]),
  );
  expect(change.files).toHaveLength(names.length + 3);
  expect(change.files.find(({ path }) => path === "out")).toMatchObject({ leavesTree: true });
  for (const name of names) {
    const query = new URLSearchParams({ path: name }).toString();
    expect(await demand(place, "GET", `/api/changes/${agentId}/file?${query}`)).toMatchObject({
      patch: expect.stringContaining("+"),
    });
    expect(await client.call("get_changes", { agentId, path: name })).toMatchObject({
      patch: expect.stringContaining("+"),
    });
  }
  await persist(() => landChange(place, agentId, "main"));
  for (const name of names) {
    // `git show` of the kit trims line ends.
    expect(git(repository.root, "cat-file", "-s", `main:${name}`)).toBe(
      String(Buffer.byteLength(`${name}\r\n`)),
    );
  }
}, 300_000);

test("a repository that is moved away while an agent works and while a merge waits: nothing is lost", async () => {
  const story = await aSharedStory();
  const { place, repository, gate, client } = story;
  const away = `${repository.root}-away`;
  const [first, second] = await writersAtWork(client, story, 2);
  if (!first || !second) throw new Error("two");
  renameSync(repository.root, away);
  writeFileSync(gate, "");
  await waitForAll(client, [first.agentId, second.agentId]);
  const { workspace } = await changeOf(place, first.agentId);
  expect(workspace).toMatchObject({ status: "damaged" });
  expect(readFileSync(join(first.workingDirectory, "own-0.txt"), "utf8")).toBe("0\n");
  renameSync(away, repository.root);

  const third = await oneWriter(client, story);
  await waitForAll(client, [third.agentId]);
  const change = await changeOf(place, third.agentId);
  const merge = mergeShape.parse(
    await demand(place, "POST", `/api/changes/${third.agentId}/merge`, {
      version: change.version,
      target: "main",
    }),
  );
  renameSync(repository.root, away);
  await demand(place, "POST", `/api/approvals/${merge.approvalId}/decision`, {
    decision: "approve",
    version: 1,
  });
  await vi.waitFor(async () => {
    expect(await demand(place, "GET", `/api/merges/${merge.mergeId}`)).toMatchObject({
      status: "queued",
      problem: { type: "refused" },
    });
  }, LONG_MS);
  expect(await ask(place, "GET", `/api/changes/${third.agentId}`)).not.toMatchObject({
    status: 500,
  });
  renameSync(away, repository.root);
  await demand(place, "POST", `/api/merges/${merge.mergeId}/retry`, {});
  await vi.waitFor(
    () => expect(git(repository.root, "ls-tree", "--name-only", "main")).toContain("own-0.txt"),
    LONG_MS,
  );
}, 300_000);

test("two daemons work on one repository, and neither ends the check of the other", async () => {
  const story = aStory('workspace:\n  check: "sleep 3; test -f a.txt"\n');
  const other: Story = { ...aStory("workspace:\n  check: 'true'\n"), repository: story.repository };
  const [mine = "", theirs = ""] = await Promise.all(
    [story, other].map(async (each) => {
      const client = await anHttpClient((await aDaemon(each.place)).url);
      const { agentId } = await oneWriter(client, each);
      writeFileSync(each.gate, "");
      await waitForAll(client, [agentId]);
      return agentId;
    }),
  );
  const landing = persist(() => landChange(story.place, mine, "main"));
  await vi.waitFor(async () => {
    expect(await demand(story.place, "GET", "/api/merges")).toMatchObject({
      merges: [{ status: "checking" }],
    });
  }, LONG_MS);
  await persist(() => landChange(other.place, theirs, "main"));
  await landing;

  const landed = ["log", "--format=%H", "--grep=Kuromajutsu-Agent", "main"];
  // Both wrote the same file with the same content: one of them had nothing left to add.
  expect(git(story.repository.root, ...landed).split("\n").length).toBeLessThanOrEqual(2);
  expect(git(story.repository.root, "show", "main:own-0.txt")).toBe("0");
  expect(locksOf(story.repository.common)).toEqual([]);
}, 300_000);

/** Another tool that makes and removes worktrees all the time. */
function anotherTool({ root, dir }: TestRepository): ChildProcess {
  const loop = `n=0; while :; do n=$((n+1)); git worktree add -q -b other$n "${dir}/other$n" HEAD && git worktree remove -f "${dir}/other$n"; done`;
  const child = spawn("/bin/sh", ["-c", loop], { cwd: root, detached: true, stdio: "ignore" });
  onTestFinished(() => {
    if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  });
  return child;
}

test.runIf(HAS_ALL_ROUNDS)(
  "many agents start at once while another program adds worktrees",
  async () => {
    const story = aStory();
    const { place, repository, gate } = story;
    anotherTool(repository);
    const client = await anHttpClient((await aDaemon(place)).url);
    const agents = await writersAtWork(client, story, 50);
    writeFileSync(gate, "");
    const ids = agents.map(({ agentId }) => agentId);
    await waitForAll(client, ids);
    for (const [n, { agentId, branch }] of agents.entries()) {
      expect((await changeOf(place, agentId)).files).toMatchObject([{ path: `own-${n}.txt` }]);
      expect(git(repository.root, "show", `${branch}:own-${n}.txt`)).toBe(String(n));
    }
  },
  600_000,
);

/** The process of a running command of the daemon, found by what only this test says. */
function pidsOf(text: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        return readFileSync(`/proc/${name}/cmdline`, "utf8").includes(text);
      } catch {
        return false;
      }
    })
    .map(Number);
}

async function killOne(text: string): Promise<void> {
  await vi.waitFor(() => expect(pidsOf(text)).not.toEqual([]), LONG_MS);
  for (const pid of pidsOf(text)) process.kill(pid, "SIGKILL");
}

test("kill -9 of an agent, of a setup command and of a check: each has a result that says so", async () => {
  const nonce = `98${process.pid}7`;
  const flag = join(aPlace().dir, "flag");
  const story = aStory(
    `workspace:\n  setup: "test -f ${flag} || sleep ${nonce}1"\n  check: "test ! -f own-0.txt || sleep ${nonce}2"\n`,
  );
  const { place, repository } = story;
  const client = await anHttpClient((await aDaemon(place)).url);
  const unprepared = startedShape.parse(
    await client.call("run_agents", {
      groupId: await aGroup(client),
      agents: [
        {
          role: "impl-code",
          prompt: "x",
          workingDirectory: repository.root,
          isolation: "worktree",
        },
      ],
    }),
  ).agents[0];
  await killOne(`sleep ${nonce}1`);
  await waitForAll(client, [unprepared?.agentId ?? ""]);
  expect(await client.call("get_agent_status", { agentId: unprepared?.agentId })).toMatchObject({
    status: "failed",
    result: { errorMessage: expect.stringContaining("137") },
  });

  writeFileSync(flag, "");
  const { agentId } = await oneWriter(client, story);
  endAll(processesWith(`KUROMAJUTSU_AGENT_ID=${agentId}`));
  await waitForAll(client, [agentId]);
  expect(await client.call("get_agent_status", { agentId })).toMatchObject({
    result: { status: "failure", changedFiles: ["own-0.txt"] },
  });
  const change = await changeOf(place, agentId);
  expect(change.files).toMatchObject([{ path: "own-0.txt" }]);
  const landing = persist(() => landChange(place, agentId, "main"), 1_000).catch(() => undefined);
  await killOne(`sleep ${nonce}2`);
  await landing;
  await vi.waitFor(async () => {
    expect(await demand(place, "GET", "/api/merges")).toMatchObject({
      merges: [{ status: "check_failed", checkExit: 137 }],
    });
  }, LONG_MS);
  expect(git(repository.root, "rev-parse", "main")).toBe(repository.head);
}, 300_000);

test.runIf(HAS_ALL_ROUNDS)(
  "a daemon that is stopped while worktrees are prepared goes on with them later",
  async () => {
    const story = aStory('workspace:\n  setup: "sleep 2"\n');
    const { place, repository, gate } = story;
    const daemon = await aDaemon(place);
    let client = await anHttpClient(daemon.url);
    const { agents } = startedShape.parse(
      await client.call("run_agents", {
        groupId: await aGroup(client),
        agents: [0, 1].map((n) => ({
          role: "impl-code",
          prompt: `書いて\n#rehearsal write own-${n}.txt ${n}\n#rehearsal wait-for ${gate}`,
          workingDirectory: repository.root,
        })),
      }),
    );
    await vi.waitFor(() => {
      for (const { workingDirectory } of agents) {
        expect(existsSync(join(workingDirectory, "a.txt"))).toBe(true);
      }
    }, LONG_MS);
    await daemon.kill("SIGINT");
    client = await anHttpClient((await aDaemon(place)).url);
    writeFileSync(gate, "");
    await waitForAll(
      client,
      agents.map(({ agentId }) => agentId),
    );
    for (const [n, { agentId }] of agents.entries()) {
      expect((await changeOf(place, agentId)).files).toMatchObject([{ path: `own-${n}.txt` }]);
    }

    // With --stop-agents the agents at work end, and what they wrote is captured.
    const again = await writersAtWork(client, { ...story, gate: `${gate}-never` }, 2);
    expect((await command(place, ["stop", "--stop-agents"])).code).toBe(0);
    await aDaemon(place);
    for (const [n, { agentId }] of again.entries()) {
      await vi.waitFor(async () => {
        expect(await demand(place, "GET", `/api/agents/${agentId}`)).toMatchObject({
          status: "cancelled",
          result: { exitCode: expect.anything() },
        });
      }, LONG_MS);
      expect((await changeOf(place, agentId)).files).toMatchObject([{ path: `own-${n}.txt` }]);
    }
    expect(locksOf(repository.common)).toEqual([]);
  },
  300_000,
);

test("hostile input is refused with a sentence, and no branch, ref or worktree comes of it", async () => {
  const story = await aSharedStory();
  const { place, repository, gate, client } = story;
  writeFileSync(gate, "");
  const { agentId } = await oneWriter(client, story);
  await waitForAll(client, [agentId]);
  const { workspace } = await changeOf(place, agentId);
  const before = repository.refs();

  const groupId = await aGroup(client);
  for (const base of [
    "--upload-pack=touch /tmp/x",
    "-x",
    "..",
    "HEAD..main",
    "a\0b",
    "main\n--output=x",
    "",
    " ",
    "@{u}",
    "x".repeat(1_000_000),
    "refs/kuromajutsu/change/none/1",
    "no-agent-1-0000",
    7,
    null,
    ["HEAD"],
  ]) {
    const answer = await client.call("run_agents", {
      groupId,
      agents: [{ role: "impl-code", prompt: "x", workingDirectory: repository.root, base }],
    });
    expect({ base: JSON.stringify(base).slice(0, 50), code: answer["code"] }).toEqual({
      base: expect.any(String),
      code: expect.any(String),
    });
    expect(JSON.stringify(answer).length).toBeLessThan(20_000);
  }
  for (const isolation of ["worktrees", 1, {}, "-x"]) {
    const answer = await client.call("run_agents", {
      groupId,
      agents: [{ role: "impl-code", prompt: "x", workingDirectory: repository.root, isolation }],
    });
    expect(answer).toHaveProperty("code");
  }

  const change = `/api/changes/${agentId}`;
  const bad: readonly (readonly [string, string, unknown?])[] = [
    ...[
      "-x",
      "..",
      "main..mine",
      "a b",
      "main~1",
      "main@{1}",
      "refs/heads/main",
      "HEAD",
      "x".repeat(251),
      "a\0",
      "../../config",
      "kuromajutsu/x",
      workspace.branch,
      "main.lock",
    ].map((target) => ["POST", `${change}/merge`, { version: 1, target }] as const),
    ["POST", `${change}/merge`, { version: "1" }],
    ["POST", `${change}/merge`, { version: 1e99 }],
    ["POST", `${change}/merge`, { version: 1, mode: "octopus" }],
    ["POST", `${change}/merge`, { version: 1, message: "x".repeat(20_001) }],
    ["POST", `${change}/merge`, []],
    ["POST", `${change}/send-back`, { version: 1 }],
    ["POST", `${change}/send-back`, { version: 2, message: "x" }],
    ["POST", `${change}/comments`, { version: 1, path: "../a", side: "new", line: 1, body: "x" }],
    [
      "POST",
      `${change}/comments`,
      { version: 1, path: "own-0.txt", side: "new", line: 99, body: "x" },
    ],
    ["POST", `${change}/discard`, { reason: 7 }],
    ["GET", `${change}/file?path=`],
    ["GET", `${change}/file?path=../../etc/passwd`],
    ["GET", `${change}/file?path=%00`],
    ["GET", `${change}/file?path=a.txt&path=b.txt`],
    ["GET", `${change}?version=-1`],
    ["GET", `${change}?version=9`],
    ["GET", "/api/changes/..%2F..%2Fx"],
    ["GET", "/api/workspaces/%00"],
    ["POST", "/api/workspaces/nope/retire"],
    ["GET", "/api/workspaces?limit=100000"],
    ["GET", "/api/merges/nope"],
    ["POST", "/api/merges/nope/retry", {}],
    ["POST", "/api/merges/nope/undo"],
    ["POST", "/api/merges/nope/cancel"],
    ["PATCH", "/api/comments/nope", { body: "x" }],
    ["DELETE", "/api/comments/nope"],
  ];
  const answered: string[] = [];
  for (const [method, path, body] of bad) {
    const { status } = await ask(place, method, path, body);
    const request = `${method} ${path} ${JSON.stringify(body)?.slice(0, 60)}`;
    if (status < 400 || status >= 500) answered.push(`${request}: ${status}`);
  }
  expect(answered).toEqual([]);
  expect(repository.refs()).toEqual(before);
  expect(git(repository.root, "status", "--porcelain")).toBe("");
}, 300_000);

test("a backup that is restored beside its living daemon does not touch the worktrees of that daemon", async () => {
  const story = aStory();
  const { place, repository, gate } = story;
  const client = await anHttpClient((await aDaemon(place)).url);
  const agents = await writersAtWork(client, story, 2);
  const file = join(place.dir, "a.backup");
  expect((await command(place, ["backup", file])).code).toBe(0);
  const dataDir = join(place.dir, "restored");
  expect((await command(place, ["restore", file, "--to", dataDir])).code).toBe(0);
  const restored: Place = {
    ...place,
    dataDir,
    env: { ...place.env, KUROMAJUTSU_DATA_DIR: dataDir },
  };
  await aDaemon(restored);

  for (const { agentId } of agents) {
    await vi.waitFor(async () => {
      expect(await demand(restored, "GET", `/api/agents/${agentId}`)).toMatchObject({
        result: { status: "failure" },
      });
    }, LONG_MS);
    const { workspace } = await changeOf(restored, agentId);
    expect(workspace.status).toBe("retired");
    await ask(restored, "POST", `/api/workspaces/${workspace.workspaceId}/retire`);
  }
  for (const { branch } of agents) {
    expect(git(repository.root, "rev-parse", branch)).toBe(repository.head);
  }
  writeFileSync(gate, "");
  await waitForAll(
    client,
    agents.map(({ agentId }) => agentId),
  );
  for (const [n, { agentId, branch }] of agents.entries()) {
    expect((await changeOf(place, agentId)).files).toMatchObject([{ path: `own-${n}.txt` }]);
    expect(git(repository.root, "show", `${branch}:own-${n}.txt`)).toBe(String(n));
  }
}, 300_000);

test("viewers and strangers may not change anything about changes, worktrees and merges", async () => {
  const story = aStory();
  const { place, gate } = story;
  writeFileSync(gate, "");
  const { url } = await aDaemon(place);
  const { agentId } = await oneWriter(await anHttpClient(url), story);
  const token = (await command(place, ["user", "add", "vic", "--role", "viewer"])).stdout.trim();
  const { workspaceId } = (
    await vi.waitFor(async () => {
      const response = await fetch(`${url}/api/changes/${agentId}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      return changeShape.parse(await response.json());
    }, LONG_MS)
  ).workspace;
  const writes = [
    ["POST", `/api/changes/${agentId}/merge`, { version: 1 }],
    ["POST", `/api/changes/${agentId}/send-back`, { version: 1, message: "x" }],
    ["POST", `/api/changes/${agentId}/comments`, { version: 1, path: "own-0.txt", body: "x" }],
    ["POST", `/api/changes/${agentId}/discard`, {}],
    ["POST", `/api/changes/${agentId}/pull-request`, { version: 1 }],
    ["POST", `/api/workspaces/${workspaceId}/retire`],
    ["POST", "/api/merges/mrg-x/retry", {}],
    ["POST", "/api/merges/mrg-x/cancel"],
    ["POST", "/api/merges/mrg-x/undo"],
    ["PATCH", "/api/comments/cmt-x", { body: "x" }],
    ["DELETE", "/api/comments/cmt-x"],
  ] as const;
  const statuses = async (headers: Record<string, string>) =>
    Promise.all(
      writes.map(async ([method, path, body]) => {
        const response = await fetch(url + path, {
          method,
          headers: { "x-kuromajutsu": "1", "content-type": "application/json", ...headers },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        });
        return response.status;
      }),
    );
  expect(new Set(await statuses({ authorization: `Bearer ${token}` }))).toEqual(new Set([403]));
  expect(new Set(await statuses({}))).toEqual(new Set([401]));
  const page = { authorization: `Bearer ${token}`, origin: "http://localhost:5173" };
  expect(new Set(await statuses(page))).toEqual(new Set([403]));
}, 300_000);
