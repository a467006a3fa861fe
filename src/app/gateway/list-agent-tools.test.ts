import { expect, test } from "vitest";
import { aCore, aRole } from "../../../test/kit/core.ts";
import { anUpstreamTool, upstreamWith } from "../../../test/kit/task-flow.ts";
import { agentTools, resolveAgentTool, taskCatalogue } from "./list-agent-tools.ts";

const upstream = upstreamWith(
  anUpstreamTool("hr", "list_employees"),
  anUpstreamTool("hr", "search"),
  anUpstreamTool("web", "search"),
  anUpstreamTool("web", "get_notifications"),
);
const roles = [
  aRole(),
  aRole({ id: "research", mcpServers: ["web"] }),
  aRole({ id: "clerk", mcpServers: ["hr/search"] }),
  aRole({ id: "orchestrator", mcpServers: ["*"] }),
];

test("an agent sees what its role's list allows; a new role has nothing, the executor everything", async () => {
  const core = await aCore({ upstream, roles });
  const seen = async (role: string) => (await agentTools(core, role)).map(({ call }) => call);
  expect(await seen("impl-code")).toEqual([]);
  expect(await seen("nobody")).toEqual([]);
  expect(await seen("clerk")).toEqual(["search"]);
  expect(await seen("research")).toEqual(["search", "web__get_notifications"]);
  expect(await seen("executor")).toEqual([
    "list_employees",
    "hr__search",
    "web__search",
    "web__get_notifications",
  ]);
});

test("a name is resolved to server and tool; the same name may mean different tools to different roles", async () => {
  const core = await aCore({ upstream, roles });
  const of = async (role: string, name: string) => (await resolveAgentTool(core, role, name)).tool;
  expect(await of("clerk", "search")).toMatchObject({ server: "hr", name: "search" });
  expect(await of("research", "search")).toMatchObject({ server: "web", name: "search" });
  expect(await of("executor", "hr/search")).toMatchObject({ server: "hr", name: "search" });
});

test("a tool of another role is as unknown as one that does not exist, and near ones are named", async () => {
  const core = await aCore({ upstream, roles });
  await expect(resolveAgentTool(core, "clerk", "web__search")).rejects.toMatchObject({
    code: "UNKNOWN_TOOL",
  });
  await expect(resolveAgentTool(core, "impl-code", "search")).rejects.toMatchObject({
    code: "UNKNOWN_TOOL",
  });
  await expect(resolveAgentTool(core, "executor", "list_employes")).rejects.toMatchObject({
    hint: expect.stringContaining("list_employees"),
  });
});

test("the same answer is given until something changes", async () => {
  const core = await aCore({ upstream, roles });
  expect(await agentTools(core, "executor")).toBe(await agentTools(core, "executor"));
});

test("the catalogue of a task has the executor's tools and every role an agent can be of", async () => {
  const core = await aCore({ upstream, roles });
  const names = (await taskCatalogue(core)).map(({ tool }) => tool);
  expect(names).toEqual([
    "hr/list_employees",
    "hr/search",
    "web/search",
    "web/get_notifications",
    "agent:impl-code",
    "agent:research",
    "agent:clerk",
  ]);
});
