import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { aCore, aRole, type TestCore } from "../../../test/kit/core.ts";
import {
  anIsolatedAgent,
  isolatedAgents,
  launched,
  workspaceOf,
} from "../../../test/kit/isolated-agents.ts";
import { aRepository, git } from "../../../test/kit/repository.ts";
import type { Agent } from "../../domain/agents/agent.ts";
import { Refusal } from "../../domain/refusal.ts";
import { type Core, LOCAL_USER, type Settings } from "../core.ts";
import { createGroup } from "../groups/create-group.ts";
import { runAgents } from "../groups/run-agents.ts";

async function aCoreWith(
  workspace: Partial<Settings["workspace"]>,
  serverId?: string,
): Promise<TestCore> {
  const { settings } = await aCore();
  const roles = [aRole({ isolation: "worktree" })];
  return aCore({
    roles,
    settings: { workspace: { ...settings.workspace, ...workspace } },
    ...(serverId !== undefined && { serverId }),
  });
}

/** An agent whose worktree is prepared now. */
async function aStartedAgent(core: TestCore): Promise<Agent> {
  const group = await createGroup(core, LOCAL_USER, {
    description: "x",
    mode: "concurrent",
    parentGroupId: null,
  });
  const request = { role: "impl-code", prompt: "x", timeoutMs: null };
  const agents = [{ ...request, workingDirectory: aRepository().root }];
  const [agent] = await runAgents(core, LOCAL_USER, { groupId: group.id, agents });
  if (!agent) throw new Error("No agent was started.");
  return agent;
}

/** As after the end of the lease: the server `b` takes what the server `a` had taken. */
async function takenByB({ store }: Core): Promise<void> {
  await store.transaction(async (unit) => {
    for (const taken of await unit.listTakenAgents("a")) {
      await unit.updateAgent({ ...taken, workerId: "b" }, taken);
    }
  });
}

test("a setup command that takes too long is ended, and the agent fails with what it said", async () => {
  const core = await aCoreWith({ setup: "echo waiting; sleep 60", setupTimeoutMs: 2_000 });
  const agent = await aStartedAgent(core);
  await core.quiet();

  expect(await core.store.getResult(agent.id)).toMatchObject({
    status: "failure",
    errorMessage: expect.stringMatching(/took too long: waiting/),
  });
  expect(core.launches).toEqual([]);
}, 60_000);

test("dashboards see what the setup command says while it runs", async () => {
  const core = await aCoreWith({ setup: "echo installing" });
  const said: unknown[] = [];
  core.events.on(["agent:status_update"], ({ data }) => said.push(data.lastMessage));

  await anIsolatedAgent(core, aRepository());

  expect(said).toContain("workspace.setup: installing");
}, 60_000);

test("each worktree has copies of the named ignored files and ports of its own, and no hook ran", async () => {
  const repository = aRepository({ "a.txt": "a\n", ".gitignore": ".env\nsecret\n" });
  const { root, common, dir } = repository;
  writeFileSync(join(root, ".env"), "KEY=1\n");
  writeFileSync(join(root, "secret"), "2\n");
  const hook = `#!/bin/sh\necho ran > ${join(dir, "hook-ran")}\n`;
  for (const name of ["post-checkout", "post-index-change", "reference-transaction"]) {
    writeFileSync(join(common, "hooks", name), hook, { mode: 0o755 });
  }
  const core = await aCoreWith({ copy: [".env"], setup: 'echo "$PORT" > port.txt' });

  const agents = await isolatedAgents(core, repository, {}, {});

  const ports = agents.map(({ workspace: { path, ports: leased } }) => {
    expect(readFileSync(join(path, ".env"), "utf8")).toBe("KEY=1\n");
    expect(() => readFileSync(join(path, "secret"))).toThrow("ENOENT");
    expect(readFileSync(join(path, "port.txt"), "utf8")).toBe(`${leased?.from}\n`);
    return leased?.from;
  });
  expect(new Set(ports).size).toBe(2);
  expect(() => readFileSync(join(dir, "hook-ran"))).toThrow("ENOENT");
  // The same hooks run for a person.
  git(root, "checkout", "-q", "-b", "mine");
  expect(readFileSync(join(dir, "hook-ran"), "utf8")).toBe("ran\n");
}, 60_000);

test.each([0, 1])(
  "a setup command that ends with %i on a server that has lost its lease changes nothing for the server that prepares the agent now",
  async (exitCode) => {
    const core = await aCoreWith({ setup: `exit ${exitCode}` }, "a");
    const { workspaceTools } = core;
    const run: typeof workspaceTools.run = async (input) => {
      const end = await workspaceTools.run(input);
      await takenByB(core);
      return end;
    };
    Object.assign(core, { workspaceTools: { ...workspaceTools, run } });
    const agent = await aStartedAgent(core);
    await vi.waitFor(async () =>
      expect(await core.store.getAgent(agent.id)).toMatchObject({ workerId: "b" }),
    );
    await core.quiet();

    expect(await core.store.getAgent(agent.id)).toMatchObject({ process: "waiting" });
    expect(await workspaceOf(core, agent)).toMatchObject({ status: "preparing" });
    expect(core.launches).toEqual([]);
  },
  60_000,
);

test("a server that has lost its lease does not end an agent that it cannot launch, if another server has it", async () => {
  const core = await aCoreWith({}, "a");
  let launches = 0;
  const getPrompt: Core["store"]["getPrompt"] = async () => {
    launches++;
    await takenByB(core);
    throw new Refusal("ROLE_UNAVAILABLE", { en: ["x", "x"], ja: ["x", "x"] });
  };
  const agent = await aStartedAgent(core);
  Object.assign(core, { store: { ...core.store, getPrompt } });
  await vi.waitFor(() => expect(launches).toBe(1), 30_000);
  await core.quiet();

  expect(await core.store.getAgent(agent.id)).toMatchObject({ process: "waiting", workerId: "b" });
}, 60_000);

test.each(["a concurrent change of its workspace", "a database that is away for a moment"])(
  "%s does not end an agent whose worktree is being prepared",
  async (what) => {
    const core = await aCoreWith({}, "a");
    const { git: real } = core;
    let isFirst = true;
    const addWorktree: typeof real.addWorktree = async (repository, worktree) => {
      await real.addWorktree(repository, worktree);
      if (!isFirst) return;
      isFirst = false;
      if (what.startsWith("a database")) {
        throw new Refusal("STORE_UNAVAILABLE", { en: ["x", "x"], ja: ["x", "x"] });
      }
      await core.store.transaction(async (unit) => {
        const { workspaces } = await unit.listWorkspaces({ limit: 1 });
        for (const row of workspaces) await unit.updateWorkspace(row, row);
      });
    };
    Object.assign(core, { git: { ...real, addWorktree } });
    const agent = await aStartedAgent(core);

    await launched(core, [agent]);
    expect(isFirst).toBe(false);
  },
  60_000,
);
