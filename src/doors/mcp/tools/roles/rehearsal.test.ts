import { expect, test } from "vitest";
import { aCore, aRole, ended, started, type TestCore } from "../../../../../test/kit/core.ts";
import { anHttpDoor } from "../../../../../test/kit/http-door.ts";
import { main } from "../../../../../test/kit/running-agent.ts";
import { createGroup } from "../../../../app/groups/create-group.ts";
import { runAgents } from "../../../../app/groups/run-agents.ts";
import { callTool } from "../../call-tool.ts";
import { TOOLS } from "../../tools.ts";

async function call(core: TestCore, name: string, args: object) {
  const tool = TOOLS.find((each) => each.name === name);
  if (!tool) throw new Error(`no tool ${name}`);
  const { structuredContent } = await callTool(core, tool, {
    name,
    args,
    identify: async () => main,
    signal: new AbortController().signal,
    patienceMs: 45_000,
    beat: () => {},
  });
  return tool.output.parse(structuredContent);
}

async function aSettledAgent(core: TestCore) {
  const { id: groupId } = await createGroup(core, main, {
    description: "x",
    mode: "concurrent",
    parentGroupId: null,
  });
  const [agent] = await runAgents(core, main, {
    groupId,
    agents: [{ role: "impl-code", prompt: "x", workingDirectory: null, timeoutMs: null }],
  });
  if (!agent) throw new Error("one");
  await core.quiet();
  await core.observe(started(agent.id), ended(agent.id));
  return { agentId: agent.id, groupId };
}

async function read(core: TestCore, path: string): Promise<unknown> {
  const door = await anHttpDoor(core);
  return (await fetch(`${door.url}${path}`)).json();
}

test("the result of a rehearsal says that it is one, in every answer that shows it", async () => {
  const core = await aCore();
  const { agentId, groupId } = await aSettledAgent(core);

  expect(await call(core, "get_agent_status", { agentId })).toMatchObject({
    status: "completed",
    result: { status: "success", rehearsal: true },
  });
  expect(await read(core, `/api/agents/${agentId}`)).toMatchObject({ result: { rehearsal: true } });
  expect(await read(core, "/api/history")).toMatchObject({ entries: [{ rehearsal: true }] });
  expect(await read(core, `/api/groups/${groupId}`)).toMatchObject({ rehearsal: true });
});

test("the result of a real CLI is not called a rehearsal", async () => {
  const core = await aCore();
  core.installed.add("cursor");
  const { agentId, groupId } = await aSettledAgent(core);

  const { result } = await call(core, "get_agent_status", { agentId });
  expect(result).not.toHaveProperty("rehearsal");
  expect(await read(core, `/api/groups/${groupId}`)).not.toHaveProperty("rehearsal");
  expect(await call(core, "list_roles", {})).not.toHaveProperty("note");
  expect(await call(core, "create_group", { description: "x" })).not.toHaveProperty("note");
});

test.each([
  ["ja", /^リハーサルのみ/],
  ["en", /^Rehearsal only/],
] as const)(
  "without a CLI every tool that starts something says in %s that nothing real is done",
  async (locale, words) => {
    const roles = [aRole(), aRole({ id: "orchestrator" })];
    const core = await aCore({ roles, settings: { locale } });

    const listed = await call(core, "list_roles", {});
    const group = await call(core, "create_group", { description: "x" });
    const task = await call(core, "create_task", { request: "x", workingDirectory: "/" });
    const magentic = await call(core, "run_magentic", {
      description: "x",
      task: "x",
      completionCriteria: "x",
      scope: "x",
      workingDirectory: "/",
    });

    expect(listed["note"]).toMatch(words);
    expect(listed["note"]).toContain("Cursor CLI");
    for (const { note } of [group, task, magentic]) {
      expect(note).toMatch(words);
      expect(note).toContain("list_roles");
    }
  },
);

test("a rehearsal that was asked for is named so, without advice to install a CLI", async () => {
  const core = await aCore({ settings: { locale: "en", runner: "rehearsal" } });

  const { note } = await call(core, "list_roles", {});

  expect(note).toMatch(/^Rehearsal only: `runner: rehearsal`/);
});
