import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { aCore, aRole, type TestCore } from "../../../test/kit/core.ts";
import { anIsolatedAgent, isolatedAgents } from "../../../test/kit/isolated-agents.ts";
import { aRepository, git } from "../../../test/kit/repository.ts";
import { LOCAL_USER, type Settings } from "../core.ts";
import { createGroup } from "../groups/create-group.ts";
import { runAgents } from "../groups/run-agents.ts";

async function aCoreWith(workspace: Partial<Settings["workspace"]>): Promise<TestCore> {
  const { settings } = await aCore();
  const roles = [aRole({ isolation: "worktree" })];
  return aCore({ roles, settings: { workspace: { ...settings.workspace, ...workspace } } });
}

test("a setup command that takes too long is ended, and the agent fails with what it said", async () => {
  const core = await aCoreWith({ setup: "echo waiting; sleep 60", setupTimeoutMs: 2_000 });
  const group = await createGroup(core, LOCAL_USER, {
    description: "x",
    mode: "concurrent",
    parentGroupId: null,
  });
  const request = { role: "impl-code", prompt: "x", timeoutMs: null };
  const agents = [{ ...request, workingDirectory: aRepository().root }];

  const [agent] = await runAgents(core, LOCAL_USER, { groupId: group.id, agents });
  await core.quiet();

  expect(await core.store.getResult(agent?.id ?? "impl-code-0-0")).toMatchObject({
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
